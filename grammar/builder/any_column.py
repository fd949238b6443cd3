"""The scope of an expression that is read alone, when its query is unknown."""

from __future__ import annotations

from typing import Any

from grammar.builder.expressions import calls
from grammar.builder.scopes import Scope
from ir.expressions import Expression
from ir.functions.collection import GET
from ir.literals import literal
from ir.unresolved import UnresolvedCall, UnresolvedReference


class AnyColumn(Scope):
    """A scope that reads every name as an unresolved column reference."""

    def __init__(self) -> None:
        super().__init__([])

    def own(self, path: Any) -> Expression | None:
        first = path.names[0]
        if len(path.names) == 1 and not first.quoted:
            function = calls.find_niladic_by_name(first.text)
            if function is not None:
                return UnresolvedCall(function, ())
        made: Expression = UnresolvedReference(first.text)
        for name in path.names[1:]:
            made = UnresolvedCall(GET, (made, literal(name.text)))
        return made
