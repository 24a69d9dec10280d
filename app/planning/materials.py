"""The bill of materials of a profile, and the racks of a candidate."""

from __future__ import annotations

from dataclasses import replace

from app.planning.loading import Chosen, rated, refusals
from app.reports.bill_document import BillReport, elevations
from app.reports.pictures import Elevation
from models.planning.bill import bill
from models.planning.materials import BillOfMaterials, bill_of_materials
from models.scenario import Scenario
from profiles.plans.sheet import Sheet


def study(chosen: Chosen) -> BillReport:
    """Return what a profile's cluster is built of, and what it costs.

    Raises:
        ProblemError: it names no price list.
    """
    with refusals(chosen.profile):
        scenario = rated(chosen.scenario)
        return BillReport(
            **chosen.told(),
            materials=materials(scenario),
            cost=bill(scenario),
        )


def materials(scenario: Scenario) -> BillOfMaterials:
    """Return what a scenario is built of, with what whoever sets its storage system up has to state.

    Raises:
        RefusalError: it names no price list.
    """
    return replace(bill_of_materials(scenario), set_up=tuple(scenario.storage.set_up(scenario.cluster)))


def largest(sheet: Sheet, candidate: str) -> Scenario:
    """Return a candidate with the most of its servers.

    Raises:
        RefusalError: it cannot be set up.
    """
    return sheet.loaded_at(candidate, sheet.points(candidate)[-1]).scenario


def racks(scenario: Scenario) -> Elevation | None:
    """Return the racks of a scenario; None where nothing stands in any.

    Raises:
        RefusalError: it names no price list.
    """
    return next(elevations(bill_of_materials(scenario).racks), None)
