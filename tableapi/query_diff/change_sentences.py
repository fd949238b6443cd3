"""Phrases for operations, expressions and lists in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ir.errors import TableException
from ir.expressions import FieldReference, OuterReference, ResolvedExpression
from ir.identifiers import quote
from ir.operations.aggregate import Aggregate, GroupingSets
from ir.operations.filter import Distinct, Filter
from ir.operations.join import Join, JoinType
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.partitions import Distribute, SortPartitions
from ir.operations.project import Project
from ir.operations.set_operation import SetOperation, SetOperationType
from ir.operations.sort import Sort
from ir.operations.source import InlineSource, Source, Values

SIDES = ("left", "right")
# Longer texts are truncated in sentences; the records of changes contain the full texts.
_LONGEST = 160


def path(source: Source) -> str:
    """Return the name of a table, quoted."""
    return source.identifier.as_serializable_string()


def sql(expression: ResolvedExpression) -> str:
    """Return an expression as SQL, or in prefix form if it contains a query or has no SQL form."""
    if any(isinstance(part, (TableReference, OuterReference)) for part in expression.walk()):
        return expression.as_summary_string()
    try:
        return expression.as_serializable_string()
    except TableException:
        return expression.as_summary_string()


def shorten(text: str) -> str:
    """Return a text truncated to a length that is readable in a sentence.

    >>> shorten("a" * 200)[-3:]
    'aa…'
    """
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def shorten_both(old: str, new: str) -> tuple[str, str]:
    """Return two texts, truncated around their first difference if they are long.

    >>> shorten_both("a" * 500 + "x", "a" * 500 + "y")[0]
    '…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaax'
    """
    if max(len(old), len(new)) <= _LONGEST:
        return old, new
    same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    start = max(0, same - 40)
    prefix = "…" if start else ""
    return shorten(prefix + old[start:]), shorten(prefix + new[start:])


def list_names(of: Iterable[str]) -> str:
    """Return names, quoted and separated by commas.

    >>> list_names(["a", "b c"])
    '`a`, `b c`'
    """
    return ", ".join(map(quote, of))


def list_expressions(expressions: Iterable[ResolvedExpression]) -> str:
    """Return expressions separated by commas."""
    return ", ".join(map(sql, expressions))


def list_first(expressions: Sequence[ResolvedExpression]) -> str:
    """Return the first five expressions, and the number of the others."""
    rest = len(expressions) - 5
    return shorten(list_expressions(expressions[:5])) + (f" and {rest} more" if rest > 0 else "")


def describe_replacement(old: QueryOperation, new: QueryOperation) -> str:
    """Return a description of the replacement of a source by another."""
    before, after = _source(old), _source(new)
    return f"{before} became {'another' if before == after else after}"


def _source(operation: QueryOperation) -> str:
    if isinstance(operation, InlineSource):
        kind = operation.kind
        return f"{'an' if kind[0] in 'AEIOUaeiou' else 'a'} {kind} of this process"
    return f"the {operation.label}" if isinstance(operation, Source) else operation.label


def items(expressions: Sequence[ResolvedExpression], given: Sequence[str]) -> str:
    """Return expressions with their aliases, as after SELECT."""
    return ", ".join(map(item, expressions, given))


def item(expression: ResolvedExpression, name: str) -> str:
    """Return an expression with its alias, as after SELECT."""
    if isinstance(expression, FieldReference) and expression.name == name:
        return quote(name)
    return f"{sql(expression)} AS {quote(name)}"


def content(operation: QueryOperation, side: int) -> str:
    """Return a description of what an operation does to its input at ``side``, empty if its noun is enough."""
    match operation:
        case Filter():
            return sql(operation.condition)
        case Project():
            return items(operation.projections, operation.names)
        case Aggregate():
            keys = f"by {list_expressions(operation.group_keys)}" if operation.group_keys else ""
            return f"{items(operation.aggregates, operation.names[len(operation.group_keys) :])} {keys}".strip()
        case Join():
            return f"{_join(operation.join_type)} {_input(operation.inputs[1 - side])}{_write_on(operation.condition)}"
        case LateralJoin():
            return (
                f"{_join(operation.join_type)} {sql(operation.right)} AS {list_names(operation.names)}"
                f"{_write_on(operation.condition)}"
            )
        case SetOperation():
            return f"{name_set_operator(operation)} {_input(operation.inputs[1 - side])}"
        case Sort():
            return _order(operation)
        case Distribute():
            return f"by {list_expressions(operation.keys)}"
        case SortPartitions():
            return f"by {list_expressions(operation.order)}"
        case Source() | InlineSource() | Values() | Distinct():
            return ""
        case _:
            return operation.describe()[1:-1]


def name_set_operator(operation: SetOperation) -> str:
    """Return the keyword of a set operation: ``UNION ALL``."""
    keyword = "EXCEPT" if operation.kind is SetOperationType.MINUS else operation.kind.value
    return keyword + " ALL" * operation.all


def sets(grouping_sets: GroupingSets | None, keys: Sequence[str]) -> str | None:
    """Return grouping sets as lists of their keys."""
    if grouping_sets is None:
        return None
    return ", ".join(f"({', '.join(keys[position] for position in chosen)})" for chosen in grouping_sets)


def _join(join_type: JoinType) -> str:
    return f"{join_type.value} JOIN"


def _write_on(condition: ResolvedExpression | None) -> str:
    return "" if condition is None else f" ON {sql(condition)}"


def _input(operation: QueryOperation) -> str:
    """Return a description of the other input: a table, or a query over tables."""
    if not operation.inputs:
        return path(operation) if isinstance(operation, Source) else operation.label
    read = dict.fromkeys(leaf for leaf in operation.walk() if not leaf.inputs)
    shown = [path(leaf) if isinstance(leaf, Source) else leaf.label for leaf in read]
    return f"a query of {', '.join(dict.fromkeys(shown))}"


def _order(operation: Sort) -> str:
    parts = [f"by {list_expressions(operation.order)}"] if operation.order else []
    if operation.fetch is not None:
        parts.append(f"at most {operation.fetch} rows")
    if operation.offset is not None:
        parts.append(f"without the first {operation.offset} rows")
    return ", ".join(parts)
