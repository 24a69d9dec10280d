"""Refusals are data, and keep it through validators and from process to process."""

from __future__ import annotations

import pickle

import pytest
from pydantic import ValidationError, field_validator

from models.problem import Problem, ProblemError, Reason, RefusalError, located, refusal
from models.quantity import Model, setting


class Rack(Model):
    servers: int = setting("Servers of the rack.")

    @field_validator("servers")
    @classmethod
    def _fit(cls, servers: int) -> int:
        if servers > 42:
            raise refusal("servers", "a rack has 42 units", "add racks", value=servers)
        return servers


def test_a_refusal_says_key_value_reason_and_way_out() -> None:
    error = refusal("storage.bay", "the servers have no such bay", "name one of theirs", value="fast")
    assert error.reasons == (Reason("storage.bay", "the servers have no such bay", "name one of theirs", "'fast'"),)
    assert str(error) == "storage.bay = 'fast': the servers have no such bay; name one of theirs"


@pytest.mark.parametrize(("value", "shown"), [(3, "3"), (0.5, "0.5"), (True, "true"), ("8 kB", "'8 kB'")])
def test_a_value_is_shown_as_a_profile_states_it(value: object, shown: str) -> None:
    assert refusal("key", "expected another", value=value).reasons[0].found == shown


def test_a_refusal_keeps_its_data_through_a_validator() -> None:
    with pytest.raises(ValidationError) as raised:
        Rack(servers=50)
    error = raised.value.errors()[0]["ctx"]["error"]
    assert isinstance(error, RefusalError)
    assert error.reasons == (Reason("servers", "a rack has 42 units", "add racks", "50"),)


@pytest.mark.parametrize(
    "error",
    [
        RefusalError(Reason("a", "is wrong"), Reason("b", "is wrong, too", "remove it", "5")),
        ProblemError([Problem("x.toml", 3, "a", "is wrong"), Problem("x.toml", 5, "b", "is wrong, too")]),
    ],
)
def test_a_refusal_is_the_same_after_it_came_from_another_process(error: RefusalError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (copy.reasons, str(copy)) == (error.reasons, str(error))


def test_a_refusal_is_located_in_a_file_unless_it_says_its_own() -> None:
    error = located(refusal("a", "is wrong", value=5), "x.toml")
    assert str(error) == "x.toml: a: is wrong (got 5)"
    assert located(error, "y.toml") is error


def test_keys_of_a_table_are_seen_from_the_profile() -> None:
    assert str(refusal("set_size", "is odd", value=5).below("storage")) == "storage.set_size = 5: is odd"
