"""Writes as-of joins with a versioned table as temporal joins of Flink."""

from __future__ import annotations

from ir.errors import TableException
from ir.expressions import FieldReference
from ir.operations.as_of_join import AsOfJoin
from ir.operations.hint import Hint
from ir.operations.operation import QueryOperation
from ir.temporal_joins import TemporalJoin, find_temporal_join
from serializer.clauses import join_keyword, write_join_condition
from serializer.items import Item, Line, Relation
from serializer.names import name_text, path_text, write_qualified_name
from serializer.notation import Notation
from serializer.select_block import text_lines
from serializer.step_names import Bases, UnusedNames


def temporal_join_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of an as-of join whose right side is a versioned table.

    The text names both relations, since AS OF and the condition may refer to columns with one name.

    Raises:
        TableException: the join is no temporal join.
    """
    assert isinstance(operation, AsOfJoin)
    found = find_temporal_join(operation)
    if found is None:
        raise TableException(
            "Flink's SQL lacks ASOF JOIN. Its temporal join is with a table that declares a primary key and a "
            "watermark, by >= of a column and the column of the watermark, and by = of the primary key. "
            f"{operation.replacement}"
        )
    hint = next((part for part in operation.right.walk() if isinstance(part, Hint)), None)
    if hint is not None:
        raise TableException(notation.refusals[Hint.__name__](hint))
    left, right = _choose_aliases(operation, found)
    columns = [*operation.left.schema.names, *found.table.schema.names]
    aliases = [left] * len(operation.left.schema) + [right] * len(found.table.schema)
    texts = [write_qualified_name(alias, name, notation) for alias, name in zip(aliases, columns, strict=True)]
    items = [
        text if column == name else f"{text} AS {name_text(name, notation)}"
        for text, column, name in zip(texts, columns, operation.schema.names, strict=True)
    ]

    def name_column(column: FieldReference) -> str:
        return texts[column.index + (len(operation.left.schema) if column.input_index else 0)]

    keyword = join_keyword(operation.join_type, operation.condition, notation)
    path, moment = path_text(found.table.identifier, notation), name_column(found.time)
    joined = f"{keyword} {path} {notation.time_travel} {moment} AS {name_text(right, notation)}"
    return [
        *text_lines("SELECT", items, depth),
        Relation(depth, "FROM", operation.left, left),
        Line(depth, (joined,)),
        *write_join_condition(operation.join_type, operation.condition, depth, notation, name_column),
    ]


def _choose_aliases(join: AsOfJoin, found: TemporalJoin) -> tuple[str, str]:
    """Return the aliases of both sides: that of the right side is the prefix that a reader gives to its taken names."""
    own, unused = found.table.schema.names, UnusedNames(set())
    right = found.table.identifier.name
    for name, column in zip(found.names, own, strict=True):
        if len(name) > len(column) + 1 and name.endswith(f"_{column}"):
            right = name.removesuffix(f"_{column}")
            break
    right = unused.take(right)
    return unused.take(Bases()(join.left)), right
