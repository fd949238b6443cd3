"""Names of output columns: given names, and the names that Flink generates."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, TypeLiteral, ValueLiteral
from ir.names import Names


def derive_name(expression: ResolvedExpression) -> str | None:
    """Return the name derived from an expression: a column, a cast of one (``a-INT``) or a field of one (``r$f``)."""
    if isinstance(expression, (FieldReference, OuterReference)):
        return expression.name
    if not isinstance(expression, Call):
        return None
    from ir.functions.collection import GET
    from ir.functions.conversion import CAST, TRY_CAST

    if expression.function in (CAST, TRY_CAST):
        source, target = expression.arguments
        name = derive_name(source) if isinstance(source, FieldReference) else None
        if name is None or not isinstance(target, TypeLiteral):
            return None
        return f"{name}-{target.data_type.as_nullable().as_summary_string()}"
    if expression.function is GET:
        row, field = expression.arguments
        return _path_name(row, field)
    return None


def _path_name(row: ResolvedExpression, field: ResolvedExpression) -> str | None:
    from ir.functions.collection import GET

    parts = [str(field.value)] if isinstance(field, ValueLiteral) else []
    while isinstance(row, Call) and row.function is GET:
        parts.append(str(row.arguments[1].value) if isinstance(row.arguments[1], ValueLiteral) else "")
        row = row.arguments[0]
    return "$".join([row.name, *reversed(parts)]) if isinstance(row, FieldReference) else None


def choose_output_names(
    expressions: tuple[ResolvedExpression, ...], given: tuple[str | None, ...], generated: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Return a name for each expression: the given name, else the derived name, else ``_c`` with its position.

    A derived name in ``generated`` was not chosen by the user; a second column that derives it gets another name.
    """
    names = Names(name for name in given if name is not None)
    chosen: list[str] = []
    for position, (expression, name) in enumerate(zip(expressions, given, strict=True)):
        if name is not None:
            chosen.append(name)
            continue
        suggested = derive_name(expression)
        plain_column = isinstance(expression, FieldReference) and suggested not in generated
        if suggested is not None and (plain_column or names.is_free(suggested)):
            names.take(suggested)
            chosen.append(suggested)
        else:
            chosen.append(names.generate("_c", position))
    return tuple(chosen)
