"""Lowerings of functions whose definitions say what a call of them is on Spark: raised by where the arguments stand."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ir.errors import TableException, ValidationException
from ir.expressions import Call, FieldReference, ResolvedExpression
from ir.functions import calls
from ir.functions.builtins import BUILT_INS
from ir.functions.definition import FunctionDefinition
from ir.lowerings.lowering import Lowering

# The positions of children from the outermost call on, each with the function of which the child is an argument.
_Path = tuple[tuple[FunctionDefinition | None, int], ...]


@attrs.frozen
class _Declared:
    """The form of one function, and where in it the arguments stand."""

    definition: FunctionDefinition
    paths: tuple[_Path, ...]

    def lower(self, call: Call) -> ResolvedExpression:
        assert self.definition.spark_form is not None
        return self.definition.spark_form.make(*call.arguments)

    def raise_(self, lowered: Call) -> ResolvedExpression | None:
        arguments = [_at(lowered, path) for path in self.paths]
        given = tuple([argument for argument in arguments if argument is not None])
        if len(given) != len(arguments):
            return None
        try:
            made = calls.call(self.definition, given)
        except (TableException, ValidationException):
            return None
        is_call = isinstance(made, Call) and made.function is self.definition
        return made if is_call and isinstance(made, Call) and self.lower(made) is lowered else None


def _at(root: ResolvedExpression, path: _Path) -> ResolvedExpression | None:
    found = root
    for function, position in path:
        if _function_of(found) is not function or position >= len(found.children):
            return None
        found = found.children[position]
    return found


def _function_of(expression: ResolvedExpression) -> FunctionDefinition | None:
    return expression.function if isinstance(expression, Call) else None


def _path(root: ResolvedExpression, wanted: ResolvedExpression) -> _Path:
    """Return the way from an expression to the only place where it holds another."""
    paths: list[tuple[ResolvedExpression, _Path]] = [(root, ())]
    found = []
    while paths:
        part, path = paths.pop()
        if part is wanted:
            found.append(path)
        paths += [(child, (*path, (_function_of(part), i))) for i, child in enumerate(part.children)]
    assert len(found) == 1, f"{wanted} stands {len(found)} times in {root.as_summary_string()}, and not once"
    return found[0]


def _lowerings() -> Iterator[Lowering]:
    for definition in BUILT_INS:
        form = definition.spark_form
        if form is None:
            continue
        usual = [FieldReference(f"argument {i}", given, 0, i) for i, given in enumerate(form.usual)]
        made = form.make(*usual)
        assert isinstance(made, Call), f"the form of {definition} is a call"
        declared = _Declared(definition, tuple([_path(made, argument) for argument in usual]))
        yield Lowering(definition, made.function, declared.lower, declared.raise_)


LOWERINGS = tuple(_lowerings())
