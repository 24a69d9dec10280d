"""A price list, for which part of the time what it rents is up, and what the budget's currency is worth."""

from __future__ import annotations

from app.gui.plan.fields import NONE, ChoiceField, TextField
from app.gui.plan.model import PlanModel
from app.gui.session.tables import Keys
from models.planning.prices import Prices
from models.units import CURRENCIES
from profiles.loading.catalog import SHIPPED

AT = ("prices",)
ABOUT = "What one unit of the budget's currency is worth, where the price list does not say it."
RENTED_PART = "rented_part"


class PriceListField(ChoiceField):
    """A price list by its name, which may stand beside what the plan says otherwise than it."""

    def __init__(self, model: PlanModel, at: Keys = AT, name: str = "Price list", nothing: str = NONE) -> None:
        super().__init__(model, at, name, SHIPPED.names("prices"), nothing)

    def refresh(self) -> None:
        """Show the name of the list, wherever it stands."""
        at = self._at
        self._keys = (*at, "use") if self._model.get(*at, "use") is not None else at
        super().refresh()

    @property
    def _at(self) -> Keys:
        return self._keys[:-1] if self._keys[-1] == "use" else self._keys

    def _on_chosen(self, text: str) -> None:
        if text == self._nothing:
            self._model.set("", *self._at)
        else:
            super()._on_chosen(text)


class RentedPartField(TextField):
    """For which part of the time rented servers are up; it can be said where there is a list."""

    def __init__(self, model: PlanModel, at: Keys, name: str) -> None:
        about = Prices.model_fields[RENTED_PART].description or ""
        super().__init__(model, (*at, RENTED_PART), name, "10 %", about)

    def refresh(self) -> None:
        """Show the part where it stands beside the list."""
        self.setEnabled(self._model.get(*self._keys[:-1]) is not None)
        super().refresh()

    def _on_edited(self) -> None:
        if self.text().strip():
            super()._on_edited()
        else:
            _drop(self._model, self._keys[:-1], RENTED_PART)


class ExchangeField(TextField):
    """What one unit of the budget's currency is worth; it can be said once there are a budget and a list."""

    def __init__(self, model: PlanModel) -> None:
        super().__init__(model, AT, "Exchange rate", "1.08 USD", ABOUT)

    def refresh(self) -> None:
        """Show the rate of the currency in which the budget is stated."""
        budget = f"{self._model.get('requirements', 'budget') or ''}".split()
        currency = next((word for word in budget if word in CURRENCIES), None)
        self.setEnabled(currency is not None and self._model.get(*AT) is not None)
        self._keys = (*AT, "currencies", currency or "", "value")
        super().refresh()

    def _on_edited(self) -> None:
        if self.text().strip():
            super()._on_edited()
        else:
            _drop(self._model, AT, "currencies")


def _drop(model: PlanModel, at: Keys, key: str) -> None:
    """Take away what is said beside the name of a list; with nothing beside it the name stands alone."""
    stated = model.get(*at)
    if isinstance(stated, dict) and key in stated:
        rest = {name: value for name, value in stated.items() if name != key}
        model.set(rest["use"] if [*rest] == ["use"] else rest, *at)
