"""Files that a profile, a study or a setting names, and where they may lie."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest

from app.planning.studies import read_study
from models.planning.study import Sensitivity
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loading.loader import load

SECRET = "token = hunter2 is my password\n"
OWN = '[profile]\ntitle = "Own"\n'


def profile(extends: str) -> str:
    return f"extends = {extends!r}\n{OWN}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a profile, with a secret and a sound profile outside and a way out of it."""
    made = tmp_path / "mine"
    (made / "below").mkdir(parents=True)
    (tmp_path / "secret.toml").write_text(SECRET)
    (tmp_path / "sound.toml").write_text(profile("hdfs-terasort"))
    (made / "link.toml").symlink_to(tmp_path / "secret.toml")
    (made / "away").symlink_to(tmp_path)
    (made / "beside.toml").write_text(SECRET)
    (made / "plain").write_text(SECRET)
    return made


def told(path: Path) -> str:
    with pytest.raises(ProblemError) as raised:
        load(path, Scenario)
    return str(raised.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
@pytest.mark.parametrize("is_named", [True, False])
def test_links_that_lead_nowhere_and_pipes_are_told_as_what_they_are(folder: Path, is_named: bool) -> None:
    (folder / "loop.toml").symlink_to("loop.toml")
    os.mkfifo(folder / "pipe.toml")
    for name, why in (
        ("loop.toml", "is a link that leads to no file; name a file"),
        ("pipe.toml", "is a folder, a pipe or a device, and no file"),
    ):
        (folder / "names.toml").write_text(profile(name))
        assert why in told(folder / ("names.toml" if is_named else name))


@pytest.mark.parametrize("key", ["extends", "cluster.use", "workload.framework", "cluster.groups.workers.server"])
def test_a_part_that_is_huge_or_packed_is_refused_before_it_is_read(folder: Path, key: str) -> None:
    huge, packed = folder / "huge.toml", folder / "packed.toml"
    with huge.open("wb") as file:
        file.truncate(10**10)
    packed.write_bytes(gzip.compress(b"a = 1\n" * 1_000_000))
    text = "" if key == "extends" else 'extends = "hdfs-terasort"\n'
    for part, why in ((huge, "larger than 524,288 characters; make parts of it"), (packed, "UTF-8 text: unpack it")):
        (folder / "names.toml").write_text(f'{text}{key} = "{part.name}"\n')
        refusal = told(folder / "names.toml")
        assert f"{part.name}: cannot be read: " in refusal
        assert why in refusal


@pytest.mark.parametrize(
    "named",
    [
        "../secret.toml",
        "../sound.toml",
        "link.toml",
        "away/secret.toml",
        "below/../../secret.toml",
        "./plain",
        "/etc/passwd",
        "/proc/self/environ",
        "//host/share/x.toml",
    ],
    ids=range(9),
)
def test_a_profile_reads_no_file_outside_of_its_folder(folder: Path, named: str) -> None:
    path = folder / "evil.toml"
    path.write_text(f'extends = "{named}"\n')
    assert "is not read" in told(path)
    assert "hunter2" not in told(path)


@pytest.mark.parametrize("key", ["cluster", "storage", "[workload]\nuse", "[cluster]\nextends"])
def test_nor_does_a_part_of_it(folder: Path, key: str) -> None:
    path = folder / "evil.toml"
    path.write_text(f'{key} = "../secret.toml"\n')
    assert "hunter2" not in told(path)


def test_of_a_file_beside_it_that_is_no_part_nothing_is_told(folder: Path) -> None:
    path = folder / "evil.toml"
    path.write_text('extends = "beside.toml"\n')
    assert "beside.toml:1: is no TOML, and so no part" in told(path)
    assert "hunter2" not in told(path)


def test_what_the_user_names_may_lie_anywhere_and_below_the_profile_too(folder: Path) -> None:
    assert load("../sound.toml" if Path.cwd() == folder else folder.parent / "sound.toml", Scenario)
    (folder / "below" / "part.toml").write_text(profile("hdfs-terasort"))
    (folder / "mine.toml").write_text(profile("below/part.toml"))
    assert load(folder / "mine.toml", Scenario).scenario.profile.title == "Own"


def test_a_folder_that_the_user_names_is_looked_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "mine.toml").write_text(profile("../sound.toml"))
    (folder / "named.toml").write_text(profile("sound"))
    monkeypatch.setenv("HEADROOM_PARTS", os.pathsep.join([str(folder.parent), "/nowhere"]))
    for name in ("mine", "named"):
        assert load(folder / f"{name}.toml", Scenario).scenario.profile.title == "Own"


def test_a_study_changes_no_key_to_a_file_outside_of_its_folder(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text(
        'kind = "sensitivity"\ntitle = "Evil"\nprofile = "hdfs-terasort"\n[set]\ncluster = "../secret.toml"\n'
    )
    with pytest.raises(ProblemError, match="is not read"):
        read_study(str(path), Sensitivity)


def test_what_the_user_types_for_a_key_may_lie_anywhere(folder: Path) -> None:
    (folder.parent / "cluster.toml").write_text('extends = "12-h1"\n')
    assert load("hdfs-terasort", Scenario, {"cluster": str(folder.parent / "cluster.toml")})


def test_a_study_names_no_profile_outside_of_its_folder(folder: Path) -> None:
    path = folder / "study.toml"
    path.write_text('kind = "sensitivity"\ntitle = "Evil"\nprofile = "../sound.toml"\n')
    with pytest.raises(ProblemError, match="is not read"):
        read_study(str(path), Sensitivity)


def test_a_part_in_a_folder_that_nobody_may_look_into_is_told_with_the_key_that_names_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    (folder / "names.toml").write_text(profile("./closed/part.toml"))
    monkeypatch.setattr(Path, "exists", refuse)
    message = (
        f"'./closed/part.toml' cannot be read: {os.strerror(errno.EACCES).lower()}; let it be read, or name another"
    )
    assert told(folder / "names.toml").startswith(f"{folder}/names.toml:1: extends: {message} file")
