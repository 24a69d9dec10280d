"""A parameter, declared once: its unit, meaning, default and bounds stand in one line that everybody reads.

    class Drive(Model):
        read_bandwidth: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
        seek_time: Quantity = quantity("s", "Mean time to turn to another stream.", default="8 ms", ge=0)
        byte_cpu: Quantity = quantity(
            "s/B", "Core-seconds a byte.", default="0.5 ns/B", source="prior: ...", between=("0.3 ns/B", "1 ns/B")
        )
        count: int = setting("Drives in the server.", default=1, ge=1)

The loader reads text with the unit, the form shows it, the report prints with it, the reference page lists it.
In Python a quantity may be given as text ("205 MB/s") or as a number that is already in the declared unit.

A default rests on a `source`, as a number of a profile does (profiles/text/provenance.py); what is assumed or a prior
lies `between` two values for 90 % of the world, and the default is the likely one. Where the default follows `by` what
was stated before it in the same table, the range may be of factors of it: ("0.8 x", "1.2 x").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from inspect import get_annotations
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypedDict, Unpack, dataclass_transform

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo
from pydantic.fields import FieldInfo
from pydantic_core import PydanticKnownError

from models import units
from models.alternatives import Late
from models.problem import Reason, RefusalError, refusal

Quantity: TypeAlias = float  # a number in the unit that its field declares
UNITS_REQUIRED = {"units": "required"}  # validation context of text a user wrote: a bare number is refused
MOST = 10_000_000
"""Assumption: no cluster and no run counts more of anything; more takes all memory, or days."""
MOST_RUNS = 10_000
"""Assumption: runs of one scenario; their mean is known to 1 % of its spread by then."""
_SCALES = {"B": (1e-3, 1e24), "B/s": (1.0, 1e16), "s": (1e-15, 1e12)}
LEAST, LARGEST = _ANY_SCALE = 1e-30, 1e30
"""Assumption: the least and the largest number in a unit that anything has. Rates have 16 magnitudes, as doubles do."""
LIFE = 30 * 365 * 86400.0
"""Time (s) by which any cluster is thrown away. Assumption: hardware is written off after 3 to 7 years."""
GROUP, PLACE = "group", "place"  # what a field can name of a cluster


class Rules(TypedDict, total=False):
    """What a value must be, and examples of it, as pydantic's `Field` takes them."""

    gt: float | None
    ge: float | None
    lt: float | None
    le: float | None
    examples: Sequence[Any] | None


def quantity(
    unit: str,
    description: str,
    *,
    default: Any = ...,
    by: Callable[[dict[str, Any]], float] | None = None,
    source: str = "",
    between: tuple[float | str, float | str] | None = None,
    **rules: Unpack[Rules],
) -> Any:
    """Return a field that holds a number in `unit`; a default may be text ("128 MiB"). Bounds are in `unit`.

    In place of a default, `by` makes one of the fields declared before; NaN is refused as a value that is missing.
    """
    units.unit(unit)
    default = _number(default, unit)
    limits = (_end(between[0], unit), _end(between[1], unit)) if between else None
    extra = {"unit": unit, **_reasons(source, limits, default)}
    info = _field(description, default, extra, by, **rules)
    info.metadata.append(BeforeValidator(lambda value, info: _read(value, unit, info)))
    return info


def setting(
    description: str,
    *,
    default: Any = ...,
    inherited: bool = True,
    source: str = "",
    between: tuple[float, float] | None = None,
    **rules: Unpack[Rules],
) -> Any:
    """Return a field without a unit: a count, a choice (Literal), a name, a yes or no, or a table of its own.

    A whole number that has a least value has `MOST` as its largest where none is given; any other number that has one
    lies within the scales that anything has, 0 aside.

    A field that is not `inherited` belongs to the file that states it: a profile that extends the file leaves it out.
    """
    extra = ({} if inherited else {"inherited": False}) | _reasons(source, between, default)
    info = _field(description, default, extra, **rules)
    if rules.get("ge") is not None and rules.get("lt") is None and rules.get("le") is None:
        info.metadata.append(AfterValidator(_counted))
    elif rules.get("ge") is not None or rules.get("gt") is not None:
        info.metadata.append(AfterValidator(_told))
    return info


@contextmanager
def checked() -> Iterator[None]:
    """Make what a model refuses, when it is built of other models, a refusal as any other.

    Raises:
        RefusalError: with all that it refuses.
    """
    try:
        yield
    except ValidationError as error:
        reasons: list[Reason] = []
        for detail in error.errors(include_url=False):
            cause = detail.get("ctx", {}).get("error")
            key = ".".join(map(str, detail["loc"]))
            reasons += cause.reasons if isinstance(cause, RefusalError) else [Reason(key, detail["msg"])]
        raise RefusalError(*reasons) from None


def _counted(value: Any) -> Any:
    if isinstance(value, int) and value > MOST:
        raise PydanticKnownError("less_than_equal", {"le": MOST})
    return _told(value)


def _told(value: Any) -> Any:
    """Return what was stated; refuse a number so small or large that products with it are 0 or without end.

    Raises:
        RefusalError: it is one.
    """
    if isinstance(value, float) and value and not LEAST <= abs(value) <= LARGEST:
        raise refusal("", f"is beyond all scales, expected 0, or {LEAST:g} to {LARGEST:g}", value=value)
    return value


def pieces(amount: float, size: float, key: str, alike: float = 1) -> int:
    """Return how many pieces of a size an amount makes, one at least; rounding adds none.

    Each that is simulated stands for as many that are `alike`.

    Raises:
        RefusalError: more than `MOST` are simulated; `key` is that of the amount.
    """
    count = amount / size if size else math.inf
    if not count / alike <= MOST:
        way_out = f"lower it, or make the pieces larger than {size:g}"
        raise refusal(key, f"makes {count:.3g} pieces, at most {round(alike * MOST):,} are simulated", way_out)
    return max(math.ceil(count - 1e-9), 1)


def group(description: str, *, default: Any = ...) -> Any:
    """Return a field that names a server group of the cluster, or several."""
    return _field(description, default, {"names": GROUP})


def place(description: str, *, default: Any = ...) -> Any:
    """Return a field that names a bay or volume of servers."""
    return _field(description, default, {"names": PLACE})


def part(catalog: str, description: str, *, default: Any = ..., left_out: Callable[[Any], bool] | None = None) -> Any:
    """Return a field whose table, or each of whose tables, may also be named: a file in profiles/`catalog`.

    `left_out` tells of a value that it is no part of the data of its model.
    """
    info = _field(description, default, {"catalog": catalog}, exclude_if=left_out)
    if default is None:
        info.metadata.append(Late())
    return info


def _number(value: Any, unit: str) -> Any:
    return units.parse(value, unit) if isinstance(value, str) else value


def _end(end: float | str, unit: str) -> Any:
    """Return an end of a range in `unit`, or as it is if it is a factor."""
    return end if isinstance(end, str) and end.endswith(" x") else _number(end, unit)


def ends(between: Sequence[float | str], default: float) -> tuple[float, float]:
    """Return the ends of the range of a default in its own unit."""
    low, high = (float(end.removesuffix(" x")) * default if isinstance(end, str) else end for end in between)
    return low, high


def _reasons(source: str, between: tuple[float | str, float | str] | None, default: Any) -> dict[str, Any]:
    """Return what a default rests on, checked; nothing where nothing is said.

    Raises:
        RefusalError: the default does not lie between the ends of its range.
    """
    if between and default is not ...:
        low, high = ends(between, default)
        if not low <= default <= high:
            raise refusal("between", f"must hold the default {default:g}", value=f"{low:g} to {high:g}")
    return ({"source": source} if source else {}) | ({"between": between} if between else {})


def _field(
    description: str,
    default: Any,
    extra: dict[str, Any],
    by: Callable[[dict[str, Any]], float] | None = None,
    **rules: Any,
) -> FieldInfo:
    stated = {name: value for name, value in rules.items() if value is not None}
    made: dict[str, Any] = {"default": default} if by is None else {"default_factory": by}
    info: FieldInfo = Field(description=description, json_schema_extra=extra, **made, **stated)
    return info


def default_of(info: FieldInfo) -> Any:
    """Return the default of a declaration; None where it is required, or follows from what else is stated."""
    return None if info.is_required() or info.default_factory else info.get_default()


def _read(value: Any, unit: str, info: ValidationInfo) -> Any:
    """Return text as a number in `unit`; anything else as it is, for pydantic to judge."""
    if isinstance(value, str):
        return _scaled(units.parse(value, unit), unit)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return value
    if info.context is not None and UNITS_REQUIRED.items() <= info.context.items() and units.unit(unit).dimension:
        raise refusal("", f"expected {units.expected(unit)} (got {value}): the unit is missing")
    return _scaled(value, unit)


def _scaled(value: float, unit: str) -> float:
    """Return a number; refuse one whose scale nothing has, as sums with others would lose it.

    Raises:
        RefusalError: it is neither 0 nor within the scales of its unit; infinities are left to pydantic.
    """
    low, high = _SCALES.get(unit, _ANY_SCALE)
    if value and (abs(value) < low or high < abs(value) < math.inf):
        limits = f"{units.format(low, unit)} to {units.format(high, unit)}"
        raise refusal("", f"is beyond all scales, expected 0, or {limits}", value=value)
    return value


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(quantity, setting, group, place, part, Field)
)
class Model(BaseModel):
    """The root of every part of a profile: unknown keys refused, nothing coerced, nothing changed after it is made.

    `usual` names the parts, by the profile's key for them, that go with this one where the profile states none. Of the
    keys that are `exclusive` there is one: what a file states takes the place of another that it inherits. A key that
    is `only_with` another does nothing where that one is at its default.
    """

    usual: ClassVar[Mapping[str, str]] = MappingProxyType({})
    exclusive: ClassVar[tuple[str, ...]] = ()
    only_with: ClassVar[Mapping[str, str]] = MappingProxyType({})

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        allow_inf_nan=False,
        defer_build=True,  # until first use: a run uses few of the hundred parts by themselves
    )

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        _settle_class_variables(cls)

    def acts(self, key: str) -> bool:
        """Tell whether a key of this part does anything, as the others are stated."""
        other = self.only_with.get(key)
        return other is None or getattr(self, other) != default_of(type(self).model_fields[other])


def _settle_class_variables(model: type[BaseModel]) -> None:
    """Say of the class variables of a model only that they are such.

    Pydantic compiles and evaluates the text of each annotation again for each class below, only to find that.
    """
    kinds = get_annotations(model)
    model.__annotations__ = kinds | dict.fromkeys(kinds.keys() & model.__class_vars__, ClassVar)


_settle_class_variables(Model)


def stated(data: Any) -> Any:
    """Return dumped data without infinite numbers and without None, which only ever stand for a default.

    What a model refuses to be given, it may have as a default; without them the data makes the same model again.
    """
    if isinstance(data, dict):
        return {key: stated(value) for key, value in data.items() if value is not None and value != math.inf}
    if isinstance(data, (list, tuple)):
        return type(data)(stated(value) for value in data)
    return data


class Parameter(NamedTuple):
    """What one declaration says. `default` is None where `required`; `catalog` is set for parts only."""

    key: str
    unit: str | None
    description: str
    default: Any
    required: bool
    catalog: str | None


def extra(info: FieldInfo) -> Mapping[str, Any]:
    """Return what a declaration says beyond pydantic's own attributes.

    These are "unit", "catalog", "inherited", "names", "source" and "between".
    """
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}


def fields(model: type[BaseModel]) -> Iterator[Parameter]:
    """Yield the declarations of a model in their order, under the names that a file uses."""
    for name, info in model.model_fields.items():
        extras = extra(info)
        default = default_of(info)
        yield Parameter(
            key=info.alias or name,
            unit=extras.get("unit"),
            description=info.description or "",
            default=default,
            required=info.is_required(),
            catalog=extras.get("catalog"),
        )


def quantities(value: Any, key: str) -> Iterator[tuple[str, float, str]]:
    """Yield key path, number and unit of every quantity in a model and in all below it."""
    for step, unit, below in _steps(value):
        path = f"{key}.{step}" if key else step
        if unit and isinstance(below, (int, float)):
            yield path, below, unit
        else:
            yield from quantities(below, path)


def _steps(value: Any) -> Iterator[tuple[str, str | None, Any]]:
    """Yield what stands directly in a model, a table or an array: its key, its unit if it has one, and itself."""
    if isinstance(value, Model):
        for name, info in type(value).model_fields.items():
            yield info.alias or name, extra(info).get("unit"), getattr(value, name)
    elif isinstance(value, (dict, tuple)):
        for step, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield f"{step}", None, below


@cache
def _naming(kind: type[Model]) -> tuple[tuple[str, str, object], ...]:
    """Return attribute, key and what is named there, of each value that models of a kind state."""
    return tuple((name, info.alias or name, extra(info).get("names")) for name, info in kind.model_fields.items())


def named(model: Model, key: str, what: str) -> dict[str, str]:
    """Return the groups or places that a model and the models in it name, by the key path that begins with `key`."""
    names: dict[str, str] = {}
    for name, step, says in _naming(type(model)):
        value = getattr(model, name)
        if value is None or (says != what and not isinstance(value, Model)):
            continue
        path = f"{key}.{step}"
        if isinstance(value, Model):
            names |= named(value, path, what)
        elif isinstance(value, tuple):
            names |= {f"{path}.{i}": item for i, item in enumerate(value)}
        else:
            names[path] = value
    return names
