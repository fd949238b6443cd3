"""Writes calls whose syntax no template describes, by the name of their syntax."""

from __future__ import annotations

from ir.call_expressions import Call
from ir.collations import collation_text
from ir.dialects.operators import STEPS
from ir.dialects.syntax import Operand, OwnSyntax, Precedence
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.functions.comparison import ILIKE, IN, LIKE, RLIKE, row_values
from ir.functions.definition import FunctionDefinition
from ir.literals import literal
from ir.operations.operation import TableReference
from ir.types import MapType, NullType, StringType
from serializer.hidden_names import builtin_name
from serializer.names import field_parts, function_path_text, name_text
from serializer.notation import CallWriter, Notation
from serializer.pieces import Part, Subquery, Use, separate
from serializer.types import type_text


def function_name(definition: FunctionDefinition, notation: Notation) -> str:
    """Return the name of a function in a dialect.

    Raises:
        TableException: the function is unregistered and has no name.
    """
    if definition.user_code.identifier is not None:
        return function_path_text(definition.user_code.identifier, notation)
    if definition.user_code.implementation is not None:
        raise TableException(
            f"The function {definition.name} has no name in SQL, because it is used without being registered. Register "
            f"it with create_temporary_system_function({definition.name!r}, …) and call it by that name, or keep the "
            "query in Python: it runs as it is."
        )
    return builtin_name(notation.name_of(definition), notation)


def function_call(call: Call, notation: Notation) -> list[Part]:
    """Write a call as a name and arguments in parentheses."""
    quantifier = "DISTINCT " if call.distinct else ""
    # Only built-in functions of the grammar take a unit without quotes.
    takes_unit = call.function.is_built_in and bool(call.arguments) and isinstance(call.arguments[0], SymbolLiteral)
    name = notation.name_of(call.function) if takes_unit else function_name(call.function, notation)
    return [name, "(", quantifier, *separate(call.arguments), ")"]


def _bit_or(call: Call, notation: Notation) -> list[Part]:
    left, right = call.arguments
    sides = (left, Precedence.UNARY), (right, Precedence.UNARY)
    if _begins_step(right, notation):
        return [sides[0], " | (", sides[1], ")"]
    return [sides[0], " | ", sides[1]]


def _begins_step(expression: ResolvedExpression, notation: Notation) -> bool:
    """Whether an expression's text begins with the word of a pipe step, as ``LEFT(…)[0]``.

    Before such a word, | is not an operator.
    """
    while isinstance(expression, Call):
        lowered = notation.lower(expression)
        if lowered is not expression:
            expression = lowered
        elif expression.function.emission.syntax.special == OwnSyntax.FUNCTION:
            return function_name(expression.function, notation).upper() in STEPS
        elif expression.arguments and _is_behind(expression):
            expression = expression.arguments[0]
        else:
            return False
    return False


def _is_behind(call: Call) -> bool:
    """Whether a call is written after its first argument, as an index or a field access."""
    syntax = call.function.emission.syntax
    is_own = syntax.special in (OwnSyntax.ELEMENT, OwnSyntax.FIELD)
    return is_own or (bool(syntax.pieces) and isinstance(syntax.pieces[0], Operand))


def _cast(call: Call, notation: Notation) -> list[Part]:
    value, target = call.arguments
    return [call.function.sql_name, "(", (value, Precedence.ANY), " AS ", (target, Precedence.ANY), ")"]


def _collate(call: Call, notation: Notation) -> list[Part]:
    value, collation = call.arguments
    if not isinstance(collation, ValueLiteral) or not isinstance(collation.value, str) or not collation.value:
        # Such a call is invalid, but an error message may ask for its text.
        return ["COLLATE(", (value, Precedence.ANY), ", ", (collation, Precedence.ANY), ")"]
    return [(value, Precedence.PRIMARY), " COLLATE ", collation_text(collation.value)]


def _case(call: Call, notation: Notation) -> list[Part]:
    parts: list[Part] = ["CASE"]
    pairs = len(call.arguments) // 2
    for pair in range(pairs):
        condition, result = call.arguments[2 * pair : 2 * pair + 2]
        parts += [" WHEN ", (condition, Precedence.ANY), " THEN ", (result, Precedence.ANY)]
    if len(call.arguments) % 2:
        parts += [" ELSE ", (call.arguments[-1], Precedence.ANY)]
    return [*parts, " END"]


_MATCHES = {LIKE: "LIKE", ILIKE: "ILIKE", RLIKE: "RLIKE"}


def _write_not(call: Call, notation: Notation) -> list[Part]:
    (negated,) = call.arguments
    # NOT LIKE reads naturally; in NOT LIKE ANY, however, the NOT would apply to each pattern.
    lowered = notation.lower(negated)
    if isinstance(lowered, Call) and lowered.function is IN:
        return _write_in(lowered, notation, "NOT IN")
    if isinstance(lowered, Call) and lowered.function in _MATCHES:
        text, *pattern = lowered.arguments
        parts: list[Part] = [(text, Precedence.ADDITIVE), f" NOT {_MATCHES[lowered.function]} "]
        for argument in pattern:
            parts += [(argument, Precedence.ADDITIVE), " ESCAPE "]
        return parts[:-1]
    return ["NOT ", (negated, Precedence.NOT)]


def _write_in(call: Call, notation: Notation, word: str = "IN") -> list[Part]:
    value, *rest = call.arguments
    if len(rest) == 1 and isinstance(rest[0], TableReference):
        query = rest[0].operation
        if len(query.schema) > 1:
            return ["(", *separate(row_values(value)), f") {word} ", Subquery(query, use=Use.VALUES)]
        return [(value, Precedence.ADDITIVE), f" {word} ", Subquery(query, use=Use.VALUES)]
    return [(value, Precedence.ADDITIVE), f" {word} (", *separate(tuple(rest)), ")"]


def _exists(call: Call, notation: Notation) -> list[Part]:
    (query,) = call.arguments
    assert isinstance(query, TableReference)
    return ["EXISTS ", Subquery(query.operation, use=Use.EXISTENCE)]


def _scalar(call: Call, notation: Notation) -> list[Part]:
    (query,) = call.arguments
    assert isinstance(query, TableReference)
    return [Subquery(query.operation, use=Use.VALUES)]


def _trim(call: Call, notation: Notation) -> list[Part]:
    side, text, *characters = call.arguments
    between: list[Part] = [" ", (characters[0], Precedence.ANY)] if characters else []
    return ["TRIM(", (side, Precedence.ANY), *between, " FROM ", (text, Precedence.ANY), ")"]


def _extract(call: Call, notation: Notation) -> list[Part]:
    unit, source = call.arguments
    return ["EXTRACT(", _symbol(unit), " FROM ", (source, Precedence.ANY), ")"]


def _write_at(call: Call, notation: Notation) -> list[Part]:
    collection, key = call.arguments
    if isinstance(collection.data_type, MapType):
        return [(collection, Precedence.PRIMARY), "[", (key, Precedence.ANY), "]"]
    # Spark's own subscript counts from 0 and fails beyond the end of the array.
    return [f"{builtin_name('TRY_ELEMENT_AT', notation)}(", *separate(call.arguments), ")"]


def _get(call: Call, notation: Notation) -> list[Part]:
    row, field = call.arguments
    assert isinstance(field, ValueLiteral)
    before, behind = field_parts(str(field.value), notation)
    return [before, (row, Precedence.PRIMARY), behind] if before else [(row, Precedence.PRIMARY), behind]


def _row(call: Call, notation: Notation) -> list[Part]:
    values = separate(call.arguments[1::2])
    # The CAST names the fields, which ROW names by itself.
    return ["CAST(ROW(", *values, ") AS ", type_text(call.data_type, notation), ")"]


def _json_object(call: Call, notation: Notation) -> list[Part]:
    symbol, *fields = call.arguments
    assert isinstance(symbol, SymbolLiteral)
    parts: list[Part] = ["JSON_OBJECT("]
    for position in range(0, len(fields), 2):
        parts += [", "] if position else []
        parts += ["KEY ", (fields[position], Precedence.ANY), " VALUE ", (fields[position + 1], Precedence.ANY)]
    return [*parts, f"{' ' if fields else ''}{symbol.symbol} ON NULL)"]


def _json_array(call: Call, notation: Notation) -> list[Part]:
    on_null, *values = call.arguments
    return ["JSON_ARRAY(", *separate(values), f" {_symbol(on_null)} ON NULL)" if values else ")"]


def _json_exists(call: Call, notation: Notation) -> list[Part]:
    text, path, on_error = call.arguments
    clause = "" if _symbol(on_error) == "FALSE" else f" {_symbol(on_error)} ON ERROR"
    return ["JSON_EXISTS(", *separate((text, path)), f"{clause})"]


def _json_value(call: Call, notation: Notation) -> list[Part]:
    text, path, target, default = call.arguments
    parts: list[Part] = ["JSON_VALUE(", *separate((text, path))]
    if not isinstance(target.data_type, StringType):
        parts += [" RETURNING ", (target, Precedence.ANY)]
    if isinstance(default, SymbolLiteral):
        parts += [f" {default.symbol} ON ERROR"]
    elif not isinstance(default.data_type, NullType):
        parts += [" DEFAULT ", (default, Precedence.ANY), " ON ERROR"]
    return [*parts, ")"]


def _json_query(call: Call, notation: Notation) -> list[Part]:
    from ir.functions.json_paths import is_lax

    text, path, target, wrapper, on_error = call.arguments
    parts: list[Part] = ["JSON_QUERY(", *separate((text, path))]
    if not isinstance(target.data_type, StringType):
        parts += [" RETURNING ", (target, Precedence.ANY)]
    clause = "" if _symbol(wrapper) == "WITHOUT" else f" WITH {_symbol(wrapper)} ARRAY WRAPPER"
    # For a lax path, the ON EMPTY clause applies instead of ON ERROR.
    event = "EMPTY" if isinstance(path, ValueLiteral) and is_lax(path.value) else "ERROR"
    behaviour = "" if _symbol(on_error) == "NULL" else f" {_symbol(on_error)} ON {event}"
    return [*parts, f"{clause}{behaviour})"]


def _symbol(argument: ResolvedExpression) -> str:
    assert isinstance(argument, SymbolLiteral)
    return argument.symbol


def _json_objectagg(call: Call, notation: Notation) -> list[Part]:
    on_null, key, value = call.arguments
    assert isinstance(on_null, SymbolLiteral)
    # Before any other expression, KEY could be read as a function name.
    is_name = isinstance(key, FieldReference) or (isinstance(key, ValueLiteral) and not key.is_null)
    word = "KEY " if is_name else ""
    entry: list[Part] = [word, (key, Precedence.ANY), " VALUE ", (value, Precedence.ANY)]
    return ["JSON_OBJECTAGG(", *entry, f" {on_null.symbol} ON NULL)"]


def _json_arrayagg(call: Call, notation: Notation) -> list[Part]:
    on_null, value = call.arguments
    assert isinstance(on_null, SymbolLiteral)
    return ["JSON_ARRAYAGG(", (value, Precedence.ANY), f" {on_null.symbol} ON NULL)"]


def _json_table(call: Call, notation: Notation) -> list[Part]:
    from ir.functions.json_table import EXISTENCE, NUMBER, columns_of

    text, path, on_error = call.arguments[:3]
    parts: list[Part] = ["JSON_TABLE(", *separate((text, path)), " COLUMNS ("]
    for position, column in enumerate(columns_of(call.arguments) or ()):
        parts += [", " if position else "", name_text(column.name, notation), " "]
        if column.kind == NUMBER:
            parts.append("FOR ORDINALITY")
            continue
        parts.append((TypeLiteral(column.data_type), Precedence.ANY))
        parts.append(" EXISTS" if column.kind == EXISTENCE else "")
        if column.path != column.usual_path:
            parts += [" PATH ", (literal(column.path), Precedence.ANY)]
    return [*parts, ")" if _symbol(on_error) == "NULL" else f") {_symbol(on_error)} ON ERROR", ")"]


CALL_WRITERS: dict[str, CallWriter] = {
    OwnSyntax.FUNCTION: function_call,
    # With parentheses, Spark never reads the name as a column.
    OwnSyntax.BARE_NAME: function_call,
    OwnSyntax.BIT_OR: _bit_or,
    OwnSyntax.CAST: _cast,
    OwnSyntax.COLLATE: _collate,
    OwnSyntax.CASE: _case,
    OwnSyntax.NOT: _write_not,
    OwnSyntax.IN: _write_in,
    OwnSyntax.EXISTS: _exists,
    OwnSyntax.SCALAR_QUERY: _scalar,
    OwnSyntax.TRIM: _trim,
    OwnSyntax.EXTRACT: _extract,
    OwnSyntax.ELEMENT: _write_at,
    OwnSyntax.FIELD: _get,
    OwnSyntax.ROW: _row,
    OwnSyntax.JSON_OBJECT: _json_object,
    OwnSyntax.JSON_ARRAY: _json_array,
    OwnSyntax.JSON_EXISTS: _json_exists,
    OwnSyntax.JSON_VALUE: _json_value,
    OwnSyntax.JSON_QUERY: _json_query,
    OwnSyntax.JSON_OBJECTAGG: _json_objectagg,
    OwnSyntax.JSON_ARRAYAGG: _json_arrayagg,
    OwnSyntax.JSON_TABLE: _json_table,
}
