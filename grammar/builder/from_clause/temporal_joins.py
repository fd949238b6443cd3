"""Builds temporal joins of Flink, which join each row with the version of another row that is valid at its time."""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.from_clause.nearest import INNER_AND_LEFT
from grammar.builder.query_parts import Hints, QueryParts, Steps, Tables
from grammar.builder.scopes import Relation, Scope, display_path, list_join_columns, prepare_join_sides
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import listing
from ir.expressions import FieldReference
from ir.functions.comparison import GREATER_THAN_OR_EQUAL
from ir.operations.as_of_join import AsOfJoin
from ir.operations.join import JoinType
from ir.resolution.as_of import join_as_of
from ir.temporal_joins import find_temporal_join, find_versioned_table
from ir.unresolved import UnresolvedCall

_NO_VERSIONS = (
    "{0} has no versions: a temporal join reads a table that declares a primary key and a watermark, PRIMARY KEY (k) "
    "NOT ENFORCED and WATERMARK FOR since AS since, and not a view of it. For the newest rows of another table, leave "
    "FOR SYSTEM_TIME out: a stream that is joined with a table reads it anew in each batch."
)
_CONDITION = (
    "The condition of a temporal join compares each column of the primary key ({0}) with a value of the relation "
    "before the join by =, and nothing else. Write another condition in WHERE, or use ASOF JOIN in the dialect SPARK."
)


def build_temporal_join(
    builder: QueryParts, left: Relation, node: s.Join, parent: Scope | None, tables: Tables, hints: Hints
) -> Steps:
    """Join each row of a relation with the version of a row that is valid at a column of it.

    Raises:
        Misread: the join is neither INNER nor LEFT, the table has no versions, AS OF names no column of the relation
            before, or the condition is not equality of the primary key.
    """
    join_type = _require_type(node)
    temporal = node.right.temporal
    right = yield builder.primary(attrs.evolve(node.right, temporal=None), parent, tables, hints)
    table = find_versioned_table(right.operation)
    if table is None or table.versions is None:
        raise Misread(node.right.position, _NO_VERSIONS.format(display_path(node.right.path)))
    time = Scope(left.columns).own(temporal.value)
    if time is None:
        raise Misread(
            temporal.value.position,
            f"{display_path(temporal.value)} is no column of the relation before JOIN, at whose times a temporal join "
            f"reads the table. Its columns are [{listing(left.names)}].",
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
        )
    left, columns, theirs = prepare_join_sides(left, right)
    builder.noted.note_same(right.operation, theirs.operation)
    since = theirs.operation.schema.columns[table.versions.time]
    version = FieldReference(since.name, since.data_type, 1, table.versions.time)
    match = UnresolvedCall(GREATER_THAN_OR_EQUAL, (time, version))
    key = listing([table.schema.names[index] for index in table.versions.key])
    if node.condition is None:
        raise Misread(node.position, _CONDITION.format(key))
    condition = yield builder.expression(node.condition, ClauseNames(Scope(columns, parent)), tables)
    nodes, written = {"MATCH_CONDITION": [temporal.value], "ON": [node.condition]}, [match, condition]
    near = ErrorOrigins(nodes, written, Scope(columns, parent), left.operation, builder.places)
    by = (left.operation, theirs.operation, join_type, match, condition, builder.lookup)
    made = builder.call_resolver(temporal.value.position, join_as_of, *by, near=near)
    assert isinstance(made, AsOfJoin)
    if find_temporal_join(made) is None:
        raise _explain_refusal(made, version, node, key)
    builder.noted.note_sides(made, left, theirs)
    return Relation(made, list_join_columns(left, theirs, made), tested=left.tested | theirs.tested)


def _require_type(node: s.Join) -> JoinType:
    words = [word.text.upper() for word in node.words]
    join_type = INNER_AND_LEFT.get(tuple(words))
    if join_type is None or node.using is not None or type(node.condition) is s.Nearest:
        raise Misread(node.position, "A temporal join is [INNER] JOIN or LEFT [OUTER] JOIN, with ON.")
    return join_type


def _explain_refusal(made: AsOfJoin, version: FieldReference, node: s.Join, key: str) -> Misread:
    time = made.match.arguments[0]
    if version not in made.match.arguments or type(time.data_type) is not type(version.data_type):
        return Misread(
            node.right.temporal.value.position,
            f"AS OF takes a column of the type {version.data_type.as_summary_string()}, that of the watermark, but "
            f"{time.as_summary_string()} is of the type {time.data_type.as_summary_string()}.",
        )
    return Misread(node.condition.position, _CONDITION.format(key))
