"""Records: immutable objects of which a query makes many.

``frozen`` prevents changes at run time, for which it sets each field by a call; this took a twentieth of the cost
of a query. A record is frozen for mypy only. Nodes, which whole trees share, are frozen at run time.
"""

from __future__ import annotations

from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as record
    from typing_extensions import dataclass_transform
else:
    from ir.light_attrs import define as record

    def dataclass_transform(**_):
        """Return a decorator without effect: only type checkers read the one of ``typing``, which Python 3.10 lacks."""
        return lambda decorator: decorator


__all__ = ["dataclass_transform", "record"]
