"""What the program prints as JSON, described once: as types, from which `filled` takes what is looked up where.

`schema` makes the JSON Schema of a contract from them. A number that does not exist is null there, and None in Python.
"""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter

from app.reports.contracts.accept import Accept
from app.reports.contracts.importing import Import
from app.reports.contracts.money import Bill, Offers, PlanOffers, Purchase
from app.reports.contracts.plan import Plan
from app.reports.contracts.planning import Capacity, Compare, Durability, Lint, Sensitivity, Size
from app.reports.contracts.profiles import Listed, Profile, Study
from app.reports.contracts.promise import Promise
from app.reports.contracts.replay import Replay
from app.reports.contracts.report import Report
from app.reports.contracts.run import Run
from app.reports.contracts.sweep import Sweep
from app.reports.contracts.track import Track
from app.reports.contracts.upkeep import Upkeep
from app.reports.contracts.validation import Validation
from models.problem import Problem, ProblemError, did_you_mean
from models.units import either

DIALECT = "https://json-schema.org/draft/2020-12/schema"
CONTRACTS: dict[str, Any] = {
    "accept": Accept,
    "bill": Bill,
    "capacity": Capacity,
    "compare": Compare,
    "durability": Durability,
    "import": Import,
    "lint": Lint,
    "offers": Offers,
    "plan": Plan,
    "plan-offers": PlanOffers,
    "profile": Profile,
    "profiles": Listed,
    "promise": Promise,
    "purchase": Purchase,
    "replay": Replay,
    "report": Report,
    "run": Run,
    "sensitivity": Sensitivity,
    "size": Size,
    "study": Study,
    "sweep": Sweep,
    "track": Track,
    "upkeep": Upkeep,
    "validation": Validation,
}
"""All contracts by their word: "run" of `headroom.run/1`."""


def id_of(contract: Any) -> str:
    """Return what stands in the key `schema` of a contract: "headroom.run/1"."""
    return str(get_args(get_type_hints(contract)["schema"])[0])


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a contract, by its word or by its id.

    Raises:
        ProblemError: there is no such contract.
    """
    by_id = {id_of(contract): contract for contract in CONTRACTS.values()}
    contract = CONTRACTS.get(name) or by_id.get(name)
    if contract is None:
        way_out = did_you_mean(name, [*CONTRACTS, *by_id]) or f"; there are {either(CONTRACTS)}"
        raise ProblemError([Problem("", None, "schema", f"no such contract: '{name}'{way_out}")])
    urn = f"urn:{id_of(contract).replace('.', ':').replace('/', ':')}"
    return {"$schema": DIALECT, "$id": urn, **TypeAdapter(contract).json_schema()}
