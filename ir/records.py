"""Records: objects that nothing changes once they are made, of which a query makes many.

``attrs.frozen`` has the interpreter refuse a change, for which each field is set by a call; a twentieth of what a query
costs went there. A record is frozen for mypy alone. Nodes, which whole trees share, are frozen for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attrs import frozen as record
else:
    from attrs import define as record

__all__ = ["record"]
