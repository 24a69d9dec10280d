"""Shipped profiles and studies as JSON: `headroom.profiles/1`, `headroom.profile/1` and `headroom.study/1`.

docs/json.md describes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.reports.contracts import profiles as contracts
from app.reports.contracts.filling import filled
from app.reports.json_text import value
from app.reports.library.profile_values import ListedProfile, ListedStudy, ShownProfile, ShownStudy, ShownValue
from models.outcome import Outcome


def of_list(
    profiles: Sequence[ListedProfile], studies: Sequence[ListedStudy], parts: Mapping[str, Sequence[str]]
) -> contracts.Listed:
    """Return the list as JSON data."""
    listed: list[contracts.ListedProfile] = [
        {"name": profile.name, "family": profile.family, "title": profile.title, **_documented(profile.outcomes)}
        for profile in profiles
    ]
    known: list[contracts.ListedStudy] = [
        {"name": study.name, "title": study.title, "command": study.command} for study in studies
    ]
    by_folder = {folder: list(names) for folder, names in parts.items()}
    return {"schema": "headroom.profiles/1", "profiles": listed, "studies": known, "parts": by_folder}


def of_profile(profile: ShownProfile) -> contracts.Profile:
    """Return one profile as JSON data."""
    return {
        "schema": "headroom.profile/1",
        "name": profile.name,
        "family": profile.family,
        "title": profile.title,
        **_documented(profile.outcomes),
        "values": [_value(shown_value) for shown_value in profile.values],
        "resolved": dict(profile.resolved),
    }


def of_study(study: ShownStudy) -> contracts.Study:
    """Return one study as JSON data."""
    return filled(contracts.Study, study, values=[_value(shown_value) for shown_value in study.values])


def _documented(outcomes: Sequence[Outcome]) -> contracts.Documented:
    rows = [_outcome(outcome) for outcome in outcomes]
    return {"documented": rows[0] if rows else None, "further_documented": rows[1:]}


def _outcome(outcome: Outcome) -> contracts.Reproduced:
    return {"id": outcome.id, "metric": outcome.metric, "value": value(outcome.value), "unit": outcome.unit}


def _value(shown: ShownValue) -> contracts.Value:
    source = dict(zip(("kind", "text"), shown.source, strict=True)) if shown.source else None
    return filled(contracts.Value, shown, default=shown.is_default, source=source)
