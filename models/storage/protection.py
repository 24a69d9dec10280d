"""How data is kept through failures, by the names that people use: "2x", "3x", "EC 4+2", "EC:4"."""

from __future__ import annotations

import re

from models.problem import refusal
from models.values import value

EXPECTED = "expected copies such as '3x', a code such as 'EC 4+2', or the parity of one such as 'EC:4'"
_COPIES = re.compile(r"\s*(\d{1,2})\s*x\s*")
_CODE = re.compile(r"\s*(?:EC|RS)[\s:-]*(\d{1,2})\s*[+-]\s*(\d{1,2})\s*", re.IGNORECASE)
_PARITY = re.compile(r"\s*EC\s*:\s*(\d{1,2})\s*", re.IGNORECASE)


@value()
class Protection:
    """`data` pieces that hold the bytes once, and `parity` further ones; of copies, one piece and the others.

    `data` is 0 where as many pieces hold the bytes as the store's own sets leave.
    """

    data: int
    parity: int

    def __str__(self) -> str:
        if self.is_copies:
            return f"{self.copies}x"
        return f"EC {self.data}+{self.parity}" if self.data else f"EC:{self.parity}"

    @property
    def is_copies(self) -> bool:
        """Whether all pieces are alike."""
        return self.data == 1

    @property
    def copies(self) -> int:
        """How many copies there are, of what is not coded."""
        return 1 + self.parity

    @property
    def overhead(self) -> float | None:
        """The bytes that are kept for each; None where that follows from the store's own sets."""
        return (self.data + self.parity) / self.data if self.data else None

    def code(self) -> tuple[int, int]:
        """Return the pieces that hold the data, and the further ones.

        Raises:
            RefusalError: not both are named.
        """
        if self.data < 2:
            raise refusal("protection", "expected a code with its pieces, such as 'EC 4+2'", value=f"{self}")
        return self.data, self.parity


def protection(text: str) -> Protection:
    """Return what a text names.

    Raises:
        RefusalError: it names none.
    """
    if (match := _COPIES.fullmatch(text)) and int(match[1]):
        return Protection(1, int(match[1]) - 1)
    if (match := _CODE.fullmatch(text)) and int(match[1]) > 1 and int(match[2]):
        return Protection(int(match[1]), int(match[2]))
    if match := _PARITY.fullmatch(text):
        return Protection(0, int(match[1]))
    raise refusal("", EXPECTED, value=text)
