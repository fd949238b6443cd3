"""Lowering by declaration, for functions whose definitions give their Spark equivalents in ``spark_form``.

Raising reads the arguments from the positions that they have in the declared form.
"""

from __future__ import annotations

from ir import light_attrs as attrs
from ir.call_expressions import Call, Over
from ir.calls.clauses import Clauses
from ir.calls.construction import construct
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.definition import FunctionDefinition, SparkForm
from ir.lowerings.lowering import Lowering, move_window_inside

# A path from the outermost call to a part: for each step, the function of the call and the position of the child.
_Path = tuple[tuple[FunctionDefinition | None, int], ...]


@attrs.frozen
class _Declared:
    """The form of one function, and the paths in it to the arguments, or to the aggregate that has them."""

    definition: FunctionDefinition
    form: SparkForm
    paths: tuple[_Path, ...]

    def lower(self, call: Call) -> ResolvedExpression:
        if self.form.over is None:
            return self.form.make(*call.arguments)
        return self.form.make(construct(self.form.over, call.arguments, Clauses(call.distinct, call.filter)))

    def recognise(self, lowered: Call) -> ResolvedExpression | None:
        parts = [_find_at(lowered, path) for path in self.paths]
        given = tuple([part for part in parts if part is not None])
        if len(given) != len(parts):
            return None
        over = given[0] if self.form.over is not None else None
        inner = over.call if isinstance(over, Over) else over
        try:
            if inner is None:
                made = construct(self.definition, given)
            elif isinstance(inner, Call) and inner.function is self.form.over:
                made = construct(self.definition, inner.arguments, Clauses(inner.distinct, inner.filter))
            else:
                return None
        except (TableException, ValidationException):
            return None
        if not isinstance(made, Call) or made.function is not self.definition:
            return None
        if not isinstance(over, Over):
            return made if self.lower(made) is lowered else None
        window = over.evolve(call=made)
        return window if move_window_inside(window, self.lower(made)) is lowered else None


def _find_at(root: ResolvedExpression, path: _Path) -> ResolvedExpression | None:
    found = root
    for function, position in path:
        if _function_of(found) is not function or position >= len(found.children):
            return None
        found = found.children[position]
    return found


def _function_of(expression: ResolvedExpression) -> FunctionDefinition | None:
    return expression.function if isinstance(expression, Call) else None


def _path(root: ResolvedExpression, wanted: ResolvedExpression) -> _Path:
    """Return the path from an expression to the only occurrence of another expression in it."""
    paths: list[tuple[ResolvedExpression, _Path]] = [(root, ())]
    found = []
    while paths:
        part, path = paths.pop()
        if part is wanted:
            found.append(path)
        paths += [(child, (*path, (_function_of(part), i))) for i, child in enumerate(part.children)]
    assert len(found) == 1, f"{wanted} stands {len(found)} times in {root.as_summary_string()}, and not once"
    return found[0]


def build_declared_lowering(definition: FunctionDefinition) -> Lowering:
    """Return the lowering of a function whose definition gives its Spark equivalent."""
    form = definition.emission.spark_form
    assert form is not None
    usual = [FieldReference(f"argument {i}", given, 0, i) for i, given in enumerate(form.usual)]
    parts = usual if form.over is None else [construct(form.over, usual)]
    made = form.make(*parts)
    assert isinstance(made, Call), f"the form of {definition} is a call"
    declared = _Declared(definition, form, tuple([_path(made, part) for part in parts]))
    return Lowering(definition, made.function, declared.lower, declared.recognise)
