from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Literal, Optional, Union, final

__all__ = ["Database", "DatabaseError", "PositionError", "Probed", "Turn", "__version__"]

__version__: str

class PositionError(ValueError):
    """The text is no position of the game."""

    field: int
    """The field of the text at fault, from 1."""
    character: int
    """The character of the text at fault, from 1."""
    index: Optional[int]
    """The number of the position, from 0, in the list that was asked about; None if there was no list."""

class DatabaseError(Exception):
    """The database is not there, damaged, or of a kind that cannot be asked."""

@final
class Probed:
    """What a position is worth to the side to move."""

    @property
    def value(self) -> Literal["win", "draw", "loss", "unknown"]:
        """The result of best play; "unknown" where the database lacks a sector."""
    @property
    def plies(self) -> Optional[int]:
        """Turns of one side to the end of the game, captures included, when the winner hurries and the loser
        resists. None for draws, and where the database does not have the distance."""
    @property
    def side(self) -> Literal["white", "black"]:
        """The side to move."""
    @property
    def position(self) -> str:
        """The position as a text with 17 fields."""
    @property
    def missing(self) -> Optional[str]:
        """The sector that the database lacks, such as "3-4", if the value is unknown."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Turn:
    """A turn and what it is worth to the player who makes it."""

    @property
    def move(self) -> str:
        """The turn: "d6", "a1-a4", "f6-f4xd2", "xd2" for the rest of one, "pass"."""
    @property
    def value(self) -> Literal["win", "draw", "loss", "unknown"]:
        """As in Probed, for the player who makes the turn."""
    @property
    def plies(self) -> Optional[int]:
        """As in Probed, this turn counted."""
    @property
    def position(self) -> str:
        """The position after it as a text with 17 fields, with the opponent to move."""
    @property
    def missing(self) -> Optional[str]:
        """As in Probed."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Database:
    """An open database, which any number of threads may ask at once.

    A position is "start", a text as the program Sanmill writes it, with 12 to 17 fields, or MFEN/1.0. What is no
    position raises PositionError, what is wrong with the database DatabaseError, and asking a database that was
    closed ValueError. The files must not change while the database is open.
    """

    def __new__(cls, path: Union[str, PathLike[str]]) -> Database:
        """Opens the database in a folder."""
    @property
    def variant(self) -> str:
        """The id of the game, such as "nine"."""
    @property
    def path(self) -> Path:
        """The folder."""
    def probe(self, position: str) -> Probed:
        """What a position is worth to the side to move."""
    def probe_many(self, positions: Sequence[str]) -> list[Probed]:
        """What many positions are worth, in their order, found on all processors."""
    def moves(self, position: str) -> list[Turn]:
        """All turns, best first: the shortest win, other wins, draws, the longest loss, other losses, and what
        cannot be told. Empty if the game is over."""
    def line(self, position: str) -> list[str]:
        """Best play for both sides to the end of the game. Empty if the position is drawn, or the database has no
        distances; cut short where it lacks a sector."""
    def close(self) -> None:
        """Closes the database. Closing it again does nothing."""
    def __enter__(self) -> Database: ...
    def __exit__(
        self,
        exception_type: Optional[type[BaseException]] = None,
        exception: Optional[BaseException] = None,
        traceback: Optional[TracebackType] = None,
        /,
    ) -> None: ...
