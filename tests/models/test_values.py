from __future__ import annotations

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
