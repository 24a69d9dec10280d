from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import ValidationError, ValidationInfo, model_validator

from models.alternatives import Alternatives
from models.quantity import Model, Quantity, part, quantity, setting


class Wheel(Model):
    shape: Literal["round"] = setting("How it looks.")
    radius: Quantity = quantity("B", "Its radius.", gt=0)
    spokes: tuple[int, ...] = setting("Lengths of its spokes.", default=())


class Box(Model):
    shape: Literal["square", "oblong"] = setting("How it looks.")

    @model_validator(mode="after")
    def _is_wanted(self, info: ValidationInfo) -> Box:
        assert not (info.context or {}).get("no boxes"), "no boxes are wanted"
        return self


class Label(Model):
    text: str = setting("What it says.")


class Thing(Model):
    body: Annotated[Wheel | Box, Alternatives("shape")] = setting("What it is made of.")
    label: Label | None = part("labels", "What is written on it.", default=None)


def test_a_part_is_read_as_the_kind_that_its_tag_states() -> None:
    thing = Thing.model_validate_json('{"body": {"shape": "round", "radius": "2 kB", "spokes": [1, 2]}}')
    assert thing.body == Wheel(shape="round", radius=2000.0, spokes=(1, 2))
    assert Thing.model_validate_json('{"body": {"shape": "oblong"}}').body == Box(shape="oblong")


def test_a_part_that_may_be_missing_is_read_where_it_is_stated() -> None:
    body = Box(shape="square")
    assert Thing.model_validate_json('{"body": {"shape": "square"}, "label": {"text": "up"}}') == Thing(
        body=body, label=Label(text="up")
    )
    assert Thing.model_validate_json('{"body": {"shape": "square"}, "label": null}') == Thing(body=body)


def test_what_a_part_refuses_is_told_at_its_key() -> None:
    text = '{"body": {"shape": "round", "radius": -1.0, "spokes": [1, "two"]}, "label": {"size": 3}}'
    with pytest.raises(ValidationError) as raised:
        Thing.model_validate_json(text)
    assert [(error["loc"], error["type"]) for error in raised.value.errors()] == [
        (("body", "round", "radius"), "greater_than"),
        (("body", "round", "spokes", 1), "int_type"),
        (("label", "text"), "missing"),
        (("label", "size"), "extra_forbidden"),
    ]


def test_a_tag_that_no_kind_has_is_refused() -> None:
    with pytest.raises(ValidationError, match="union_tag_invalid"):
        Thing.model_validate_json('{"body": {"shape": "flat"}}')


def test_a_part_is_read_in_the_context_of_the_whole() -> None:
    with pytest.raises(ValidationError, match="no boxes are wanted"):
        Thing.model_validate_json('{"body": {"shape": "square"}}', context={"no boxes": True})


def test_what_is_dumped_makes_the_same_thing_again() -> None:
    thing = Thing(body=Wheel(shape="round", radius=2.0, spokes=(3,)), label=Label(text="up"))
    assert Thing.model_validate_json(thing.model_dump_json()) == thing
    assert Thing.model_validate(thing.model_dump()) == thing


def test_the_validator_of_a_kind_is_made_when_a_part_first_states_it() -> None:
    class Ball(Model):
        shape: Literal["ball"] = setting("How it looks.")

    class Cone(Model):
        shape: Literal["cone"] = setting("How it looks.")

    class Toy(Model):
        body: Annotated[Ball | Cone, Alternatives("shape")] = setting("What it is made of.")

    Toy.model_rebuild(_types_namespace={"Ball": Ball, "Cone": Cone})
    Toy.model_validate_json('{"body": {"shape": "ball"}}')
    assert Ball.__pydantic_complete__
    assert not Cone.__pydantic_complete__
