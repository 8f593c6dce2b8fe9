"""Asks databases of solved mill games what any position is worth.

>>> import millbase
>>> with millbase.Database("nine-db") as database:
...     database.probe("start").value
...     database.moves("start")[0].move
'draw'
'd2'
"""

from ._millbase import (
    Database,
    DatabaseError,
    PositionError,
    Probed,
    Turn,
    __version__,
)

__all__ = ["Database", "DatabaseError", "PositionError", "Probed", "Turn", "__version__"]
