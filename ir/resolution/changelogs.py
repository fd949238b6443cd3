"""Flink's FROM_CHANGELOG and TO_CHANGELOG as projections, and the current rows of a changelog.

A changelog is a table whose column ``op`` has the kind of each row (decision 0054). FROM_CHANGELOG computes this column
from a column of codes. TO_CHANGELOG computes codes from this column.

Source: https://cwiki.apache.org/confluence/display/FLINK/FLIP-564
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ir.call_expressions import Call
from ir.change_kinds import DELETE, INSERT, KINDS, UNKNOWN_CODE, UPDATE_BEFORE
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ValueLiteral
from ir.functions.collection import MAP
from ir.functions.comparison import EQUALS, IN, IS_NULL, NOT_EQUALS
from ir.functions.context import RAISE_ERROR
from ir.functions.logic import AND, CASE, COALESCE, NOT, OR
from ir.functions.string import CONCAT
from ir.functions.window import ROW_NUMBER
from ir.identifiers import fold
from ir.literals import literal
from ir.messages import message
from ir.names import Names
from ir.operations.operation import QueryOperation
from ir.operations.process import KIND_COLUMN, find_kind_column
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import add_columns, column_of, field, filter_rows, select
from ir.resolution.process.inputs import strip_alias
from ir.resolution.table_arguments import CallSignature, order_arguments, read_column_name, read_table
from ir.streaming.refusals import OutputMode
from ir.streaming.rules import refusals_in
from ir.types import CharacterType
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedCall,
    UnresolvedOver,
    UnresolvedReference,
    UnresolvedWindow,
)

_PARAMETERS: Final = ("input", "op", "op_mapping")
_OPTIONAL: Final = frozenset({"op", "op_mapping"})


def _signature(name: str, mapping: str) -> CallSignature:
    usage = f"{name}([INPUT =>] TABLE t, [OP => DESCRIPTOR(op)], [OP_MAPPING => MAP({mapping})])"
    return CallSignature(name, _PARAMETERS, _OPTIONAL, usage)


CHANGELOG_FUNCTIONS: Final[Mapping[str, CallSignature]] = {
    "from_changelog": _signature("FROM_CHANGELOG", "'c, r', 'INSERT', …"),
    "to_changelog": _signature("TO_CHANGELOG", "'INSERT', 'c', …"),
}
"""Flink's functions between changelogs and tables of codes, by their folded names."""


def changelog_table(signature: CallSignature, given: Sequence[Expression], lookup: FunctionLookup) -> QueryOperation:
    """Return the result of FROM_CHANGELOG or TO_CHANGELOG.

    Raises:
        ValidationException: the call is invalid; ``argument`` is the number of the invalid argument, if there is one.
    """
    by_name = order_arguments(signature, given)
    number = None
    try:
        written, number = by_name["input"]
        table = read_table(signature, "input", written)
        if table.partition_by or table.order_by:
            raise ValidationException(
                f"{signature.shown} computes the kind of each row by itself, so that its table has neither PARTITION "
                "BY nor ORDER BY. Leave them out."
            )
        column, mapping = KIND_COLUMN, None
        if "op" in by_name:
            written, number = by_name["op"]
            column = read_column_name(signature, "op", written, "")
        if "op_mapping" in by_name:
            written, number = by_name["op_mapping"]
            mapping = _read_mapping(signature, written, lookup)
        if signature.shown == "TO_CHANGELOG":
            return _write_codes(table.operation, column, mapping, lookup)
        return _read_codes(table.operation, column, mapping, lookup)
    except TableException as error:
        if error.argument is None and error.written is None:
            error.argument = number
        raise


# --- the mapping of codes ------------------------------------------------------------------------------------------


def _read_mapping(signature: CallSignature, written: Expression, lookup: FunctionLookup) -> dict[str, str]:
    """Return the constant mapping of a call, with each key of a list of keys by itself.

    Raises:
        ValidationException: the mapping is not a constant MAP of strings, a key occurs twice, or a kind does not exist.
    """
    value = ExpressionResolver(Scope(()), lookup).resolve(strip_alias(written))
    is_map = isinstance(value, Call) and value.function is MAP
    entries = [_constant_of(part) for part in value.children] if is_map else []
    if not entries or None in entries:
        raise ValidationException(
            f"The argument OP_MAPPING of {signature.shown} must be a constant MAP of strings, such as MAP('c, r', "
            f"'INSERT') in SQL or {{'c, r': 'INSERT'}} in Python. It is {value.as_summary_string()}."
        )
    is_from = signature.shown == "FROM_CHANGELOG"
    found: dict[str, str] = {}
    for keys, target in zip(entries[::2], entries[1::2], strict=True):
        for key in (part.strip() for part in str(keys).split(",")):
            if not key:
                raise ValidationException(f"OP_MAPPING of {signature.shown} has an empty key in {keys!r}.")
            if key in found:
                raise ValidationException(f"OP_MAPPING of {signature.shown} has the key {key!r} twice.")
            _require_kind(signature, str(target) if is_from else key)
            found[key] = str(target)
    return found


def _constant_of(part: Expression) -> str | None:
    return part.value if isinstance(part, ValueLiteral) and isinstance(part.value, str) else None


def _require_kind(signature: CallSignature, kind: str) -> None:
    if kind not in KINDS:
        raise ValidationException(
            f"OP_MAPPING of {signature.shown} has the kind {kind!r}; the kinds are [{listing(KINDS)}]."
            + did_you_mean(kind, KINDS)
        )


# --- both functions ------------------------------------------------------------------------------------------------


def _read_codes(
    input: QueryOperation, column: str, mapping: Mapping[str, str] | None, lookup: FunctionLookup
) -> QueryOperation:
    """Return the canonical changelog of a table of codes: the column ``op``, then the other columns."""
    if column == KIND_COLUMN and input.schema.index_of(column) is None:
        raise ValidationException(
            f"FROM_CHANGELOG reads the codes from the column {KIND_COLUMN!r} if OP names no other one; the table has "
            f"[{listing(input.schema.names)}]. Name the column of codes in OP."
        )
    code = column_of(input, UnresolvedReference(column), "FROM_CHANGELOG")
    if not isinstance(code.data_type, CharacterType):
        raise ValidationException(
            f"FROM_CHANGELOG reads codes from a STRING, but {code.as_summary_string()} is of type "
            f"{code.data_type.as_summary_string()}. Cast it."
        )
    taken = find_kind_column(input.schema)
    if taken is not None and taken.index != code.index:
        raise ValidationException(
            f"FROM_CHANGELOG makes the column {KIND_COLUMN!r}, and the table has another column of this name. Rename "
            "it, or name it in OP."
        )
    if mapping is None:
        mapping = dict(zip(KINDS, KINDS, strict=True))
    kinds = {kind: [key for key, target in mapping.items() if target == kind] for kind in KINDS}
    branches: list[Expression] = []
    for kind, codes in kinds.items():
        if codes:
            branches += [_is_one_of(code, codes), literal(kind)]
    return _with_first(input, UnresolvedCall(CASE, (*branches, _refuse_code(code))), KIND_COLUMN, code.index, lookup)


def _write_codes(
    input: QueryOperation, column: str, mapping: Mapping[str, str] | None, lookup: FunctionLookup
) -> QueryOperation:
    """Return a table with the codes of a changelog in its first column; rows whose kind has no code are dropped."""
    kind = find_kind_column(input.schema)
    left_out = None if kind is None else kind.index
    clash = next((i for i, name in enumerate(input.schema.names) if fold(name) == fold(column)), None)
    if clash is not None and clash != left_out:
        raise ValidationException(
            f"TO_CHANGELOG makes the column {column!r}, and the table has another column of this name. Name another "
            "one in OP, or rename that of the table."
        )
    if kind is None:
        _require_insertions(input)
        if mapping is not None and INSERT not in mapping:
            raise ValidationException(
                f"OP_MAPPING of TO_CHANGELOG has no code for {INSERT}, and all rows of a table without the column "
                f"{KIND_COLUMN!r} are insertions, so that no row would be left."
            )
        return _with_first(input, literal(INSERT if mapping is None else mapping[INSERT]), column, None, lookup)
    if mapping is None:
        return _with_first(input, kind, column, kind.index, lookup)
    dropped = [one for one in KINDS if one not in mapping]
    if dropped:
        is_kept: Expression = UnresolvedCall(NOT, (_is_one_of(kind, dropped),))
        if kind.data_type.nullable:
            is_kept = UnresolvedCall(OR, (UnresolvedCall(IS_NULL, (kind,)), is_kept))
        input = filter_rows(input, is_kept, lookup)
    branches: list[Expression] = []
    for code in dict.fromkeys(mapping.values()):
        branches += [_is_one_of(kind, [one for one, target in mapping.items() if target == code]), literal(code)]
    return _with_first(input, UnresolvedCall(CASE, (*branches, _refuse_code(kind))), column, kind.index, lookup)


def _is_one_of(code: Expression, values: Sequence[str]) -> Expression:
    if len(values) == 1:
        return UnresolvedCall(EQUALS, (code, literal(values[0])))
    return UnresolvedCall(IN, (code, *map(literal, values)))


def _refuse_code(code: FieldReference) -> Expression:
    """Return the call that fails with the row whose code has no kind."""
    shown = UnresolvedCall(COALESCE, (code, literal("NULL")))
    problem = f" in the column {code.name}. Map it in OP_MAPPING, or filter such rows first."
    return UnresolvedCall(RAISE_ERROR, (UnresolvedCall(CONCAT, (literal(UNKNOWN_CODE), shown, literal(problem))),))


def _with_first(
    input: QueryOperation, first: Expression, name: str, left_out: int | None, lookup: FunctionLookup
) -> QueryOperation:
    """Return a computed column, and then the columns of a table but for one."""
    others = [field(input, index) for index in range(len(input.schema)) if index != left_out]
    return select(input, (UnresolvedAlias(first, name), *others), lookup)


def _require_insertions(input: QueryOperation) -> None:
    """Reject a stream whose rows change, of which Spark says no kinds.

    Raises:
        ValidationException: the query does not run in output mode append.
    """
    refusal = next(iter(refusals_in(OutputMode.APPEND, input)), None)
    if refusal is not None:
        raise ValidationException(
            message(
                "The rows of this stream change, and Spark writes the new rows of a batch without their kinds, so "
                "that TO_CHANGELOG cannot tell them: {reason} Write the changed rows to a table with a primary key, in "
                "output mode update; or let the groups end by a watermark, so that their rows do not change.",
                reason=refusal.reason,
            )
        )


# --- the current rows ------------------------------------------------------------------------------------------------


def apply_changes(
    input: QueryOperation, keys: Sequence[Expression], order_by: Sequence[Ordering], lookup: FunctionLookup
) -> QueryOperation:
    """Return the current rows of a changelog: of each key the last one, unless that is a deletion.

    Args:
        input: the changelog.
        keys: what identifies a row.
        order_by: the order of the changes of a key, the oldest first.
        lookup: finds functions.

    Raises:
        ValidationException: the table has no column of kinds, or is a stream.
    """
    kind = find_kind_column(input.schema)
    if kind is None:
        raise ValidationException(
            f"apply_changelog takes a changelog, which has the STRING column {KIND_COLUMN!r}; the table has "
            f"[{listing(input.schema.names)}]. Compute it with from_changelog."
        )
    if input.is_unbounded:
        raise ValidationException(
            "The changes of a stream do not end, so that no rows are the current ones. Write the changes to a table "
            "with a primary key, to which they are applied: changes.execute_insert('table')."
        )
    input = filter_rows(input, UnresolvedCall(NOT_EQUALS, (kind, literal(UPDATE_BEFORE))), lookup)
    width = len(input.schema)
    last_first = tuple([Ordering(o.expression, not o.ascending, _not(o.nulls_first)) for o in order_by])
    number = UnresolvedOver(UnresolvedCall(ROW_NUMBER, ()), UnresolvedWindow(tuple(keys), last_first))
    name = Names(input.schema.names).generate("change_", 0)
    rows = add_columns(input, (UnresolvedAlias(number, name),), lookup, replace=False)
    is_last = UnresolvedCall(EQUALS, (field(rows, width), literal(1)))
    stays = UnresolvedCall(NOT_EQUALS, (field(rows, kind.index), literal(DELETE)))
    rows = filter_rows(rows, UnresolvedCall(AND, (is_last, stays)), lookup)
    return select(rows, tuple(_others(rows, width, kind.index)), lookup)


def _others(rows: QueryOperation, width: int, left_out: int) -> Iterator[FieldReference]:
    return (field(rows, index) for index in range(width) if index != left_out)


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value
