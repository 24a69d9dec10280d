"""`simulate reference`: every key of a profile, read from the models that declare it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, get_args

import click

from app.cli.terminal import put

if TYPE_CHECKING:
    from app.reports.library.reference import KeyLine, Section
    from profiles.text.schema import Shape

KINDS = {bool: "true or false", int: "whole number", float: "number", str: "text", date: "date"}


@click.command("reference")
def command() -> None:
    """Print every key of profiles and studies as a Markdown page: unit, meaning, default, bounds."""
    from app.reports.library.reference import render

    put(render(sections()))


def sections() -> list[Section]:
    """Return the tables of profiles, then those of studies, with what the models declare of their keys."""
    from models.scenario import Scenario
    from profiles.text.schema import Shape

    return [*_sections(Shape(Scenario), ""), *_studies()]


def _studies() -> Iterator[Section]:
    """Yield a section for each kind of study."""
    from app.reports.library.reference import Section
    from models.planning.study import COMMANDS, kind_of

    for model, command in COMMANDS.items():
        path = f"simulate {command} --study FILE"
        lines, _ = _lines(model, path, "")
        yield Section(path, f'kind = "{kind_of(model)}"', _first_line(model), None, tuple(lines))


def _sections(shape: Shape, path: str) -> Iterator[Section]:
    """Yield a section for each model that may stand at a path, then those of the parts and choices below it."""
    from app.reports.library.reference import Section
    from models.jobs.schedule import Schedule

    if shape.models and issubclass(shape.models[0], Schedule):  # the kinds stand under `workload`
        yield Section(path, "", _first_line(Schedule), shape.catalog, tuple(_lines(Schedule, path, "")[0]))
        return
    for model in shape.models:
        lines, below = _lines(model, path, "")
        choice = _choice(shape, model)
        yield Section(path, choice, _first_line(model), shape.catalog, tuple(lines))
        for inner, at in below:
            yield from _sections(inner, at)


def _lines(model: Any, path: str, prefix: str) -> tuple[list[KeyLine], list[tuple[Shape, str]]]:
    """Return the keys of a model with those of its plain tables, and the tables that get their own section."""
    from profiles.text.schema import Shape

    lines: list[KeyLine] = []
    below: list[tuple[Shape, str]] = []
    for key, shape in Shape(model).keys(None).items():
        name = f"{prefix}{key}"
        inner = shape.item if shape.item and shape.item.models else shape
        if shape.catalog and not inner.models:  # a part that is read later
            lines.append(_key_line(name, shape))
            continue
        if shape.has_free_keys:
            name += ".NAME.NAME" if shape.item and shape.item.has_free_keys else ".NAME"
        elif inner is not shape:
            name += ".0"
        if not inner.models:
            lines.append(_key_line(name, shape))
        elif shape.catalog or len(inner.models) > 1 or not path:
            below.append((inner, ".".join(filter(None, (path, name)))))
        else:
            more, further = _lines(inner.models[0], path, f"{name}.")
            lines += more
            below += further
    return lines, below


def _key_line(name: str, shape: Shape) -> KeyLine:
    from app.reports.library.reference import FOLLOWS, KeyLine
    from models.quantity import default_of, extra

    info = shape.info
    assert info is not None  # only items have none
    default = FOLLOWS if info.default_factory else default_of(info)
    extras = extra(info)
    unit = extras.get("unit")
    bounds = {
        rule: bound
        for limit in info.metadata
        for rule in ("gt", "ge", "lt", "le")
        if (bound := getattr(limit, rule, None)) is not None
    }
    return KeyLine(
        name,
        unit,
        _kind(shape),
        info.description or "",
        default,
        info.is_required(),
        bounds,
        shape.choices,
        extras.get("source", ""),
        extras.get("between"),
    )


def _kind(shape: Shape) -> str:
    """Return what a value without a unit is."""
    if shape.catalog and not shape.models:
        return "name or table"
    if shape.item:
        return _kind(shape.item) if shape.has_free_keys else "list"
    types = (shape.annotation, *get_args(shape.annotation))
    return next((word for kind, word in KINDS.items() if kind in types), "choice")


def _choice(shape: Shape, model: Any) -> str:
    """Return the key and value that choose a model, such as `system = "hdfs"`; "" where there is no choice."""
    if shape.tag is None:
        return ""
    return f'{shape.tag} = "{get_args(model.model_fields[shape.tag].annotation)[0]}"'


def _first_line(model: Any) -> str:
    return (model.__doc__ or "").strip().split("\n")[0]
