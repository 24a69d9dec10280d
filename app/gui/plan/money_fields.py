"""The price list of a plan, and what its budget's currency is worth where the list does not say it."""

from __future__ import annotations

from app.gui.plan.fields import NONE, ChoiceField, TextField
from app.gui.plan.model import PlanModel
from models.units import CURRENCIES
from profiles.loading.catalog import SHIPPED

AT = ("prices",)
ABOUT = "What one unit of the budget's currency is worth, where the price list does not say it."


class PriceListField(ChoiceField):
    """The price list by its name, which may stand beside exchange rates of the plan."""

    def __init__(self, model: PlanModel) -> None:
        super().__init__(model, AT, "Price list", SHIPPED.names("prices"))

    def refresh(self) -> None:
        """Show the name of the list, wherever it stands."""
        self._keys = (*AT, "use") if self._model.get(*AT, "use") is not None else AT
        super().refresh()

    def _on_chosen(self, text: str) -> None:
        if text == NONE:
            self._model.set("", *AT)
        else:
            super()._on_chosen(text)


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
        text, name = self.text().strip(), self._model.get(*AT, "use")
        if name is not None and not text:
            self._model.set(name, *AT)
        else:
            super()._on_edited()
