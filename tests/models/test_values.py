from __future__ import annotations

import pickle
from dataclasses import field, replace

import pytest

from models.values import value


@value()
class Span:
    start: float
    end: float = 1.0


@value(eq=False)
class Place:
    name: str


def test_values_that_say_the_same_are_equal_and_one_key() -> None:
    assert Span(0.0) == Span(0.0, 1.0) != Span(0.0, 2.0)
    assert {Span(0.0): "first"}[Span(0.0, 1.0)] == "first"


def test_values_without_equality_are_each_their_own() -> None:
    assert Place("here") != Place("here")
    assert len({Place("here"), Place("here")}) == 2


def test_a_value_has_room_for_what_its_class_names_and_no_more() -> None:
    assert not hasattr(Span(0.0), "__dict__")


@value(kw_only=True)
class Route:
    name: str
    hops: tuple[Span, ...] = ()
    note: str = field(default="", compare=False, repr=False)
    costs: dict[str, float] = field(default_factory=dict, hash=False)


@value()
class Word:
    text: str


@value()
class Nothing:
    """Says nothing."""


@value()
class Loud:
    word: str

    def __repr__(self) -> str:
        return self.word.upper()

    def __hash__(self) -> int:
        return 7


def test_a_value_reads_as_what_would_make_it_again() -> None:
    route = Route(name="in", hops=(Span(0.0),), note="by night")
    assert repr(route) == "Route(name='in', hops=(Span(start=0.0, end=1.0),), costs={})"
    assert repr(Nothing()) == "Nothing()"


def test_fields_that_do_not_count_make_no_difference() -> None:
    assert Route(name="in", note="by night") == Route(name="in") != Route(name="out")
    assert len({Route(name="in", note="by night"), Route(name="in"), Route(name="out")}) == 2
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())


def test_values_of_other_kinds_are_never_equal() -> None:
    apart: tuple[object, ...] = ((0.0, 1.0), Nothing(), Place("here"), Word("here"))
    assert all(Span(0.0) != other for other in apart)


def test_a_value_keeps_the_methods_that_its_class_states() -> None:
    assert repr(Loud("here")) == "HERE"
    assert hash(Loud("here")) == 7
    assert Loud("here") == Loud("here")


def test_a_value_is_the_same_after_a_way_to_another_process() -> None:
    route = Route(name="in", hops=(Span(0.0),), note="by night")
    there: Route = pickle.loads(pickle.dumps(route))
    assert there == route
    assert there.note == route.note
    assert replace(there, name="out") == Route(name="out", hops=(Span(0.0),))


def test_the_hash_of_a_value_is_that_of_what_it_says() -> None:
    assert hash(Span(0.5, 2.0)) == hash((0.5, 2.0))
    assert hash(Word("here")) == hash(("here",))


@value()
class Late:
    size: float
    parts: list[int] = field(default_factory=list)
    half: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self.half = self.size / 2  # type: ignore[misc]


def test_what_makes_a_value_is_compiled_with_the_first_of_its_class() -> None:
    before = Late.__init__
    assert Late(4.0, [1]).half == 2.0
    assert Late.__init__ is not before
    assert (Late(size=1.0).parts, Late(size=1.0).half) == ([], 0.5)
    with pytest.raises(TypeError, match=r"Late\.__init__\(\) missing 1 required positional argument: 'size'"):
        Late()  # type: ignore[call-arg]
