"""Writes the NESTED layout: one SELECT for each operation, with its input indented inside its FROM.

Unless the notation separates operations, a query that is read several times is written once, in WITH, and a chain of
joins of relations with equal names is one SELECT. The text is written from a stack, outermost operation first, so that
its depth costs no recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ir.contents import OUTER, UNBOUNDED
from ir.errors import TableException
from ir.expressions import ResolvedExpression
from ir.identifiers import fold
from ir.light_typing import TYPE_CHECKING
from ir.operations.filter import Distinct, Filter
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import InlineSource, Source, Values
from ir.relation_names import NO_NAMES, RelationNames
from serializer.expressions import ColumnNames, expression_pieces
from serializer.given_names import find_given_names
from serializer.items import Block, Definition, Item, Line, Relation
from serializer.names import name_text
from serializer.notation import Notation, OperationWriter
from serializer.pieces import OuterColumn, Scope, Subquery
from serializer.repeated_queries import find_repeated_queries
from serializer.select_block import column_lines, input_lines, item_lines, write_named_item
from serializer.source_blocks import inline_source_block, source_block, values_block
from serializer.text import Span, resolve_outer_names, write

if TYPE_CHECKING:
    from ir.operations.join import Join
    from serializer.join_chains import JoinChains
    from serializer.nested_aliases import GivenAliases

# A text that repeats shared parts more often than this is rejected, before it fills the memory.
_MAX_BLOCKS = 100_000
_FEW_BLOCKS = 10_000


def nested_text(operation: QueryOperation, notation: Notation) -> str:
    """Write a query, with one SELECT for each operation.

    Raises:
        TableException: an operation or expression has no form in the dialect, or the text would be too long because
            parts are shared too often.
    """
    return nested_text_and_spans(operation, notation)[0]


def body_text(operation: QueryOperation, name: str, parameters: Iterable[str], notation: Notation) -> str:
    """Write the query that is the body of a function, whose parameters are outer references.

    Each parameter is qualified with the function name, as Spark tells it from a column of the same name.
    """
    return nested_text_and_spans(operation, notation, Scope(dict.fromkeys(parameters, name), 0))[0]


def nested_text_and_spans(
    operation: QueryOperation, notation: Notation, around: Scope | None = None
) -> tuple[str, list[Span]]:
    """Write a query, and return the position of each operation in the text.

    ``around`` is the scope of an outer query.
    """
    if around is None and operation.contents & OUTER:
        from ir.operations.outer_references import require_no_outer_references

        require_no_outer_references(operation)
    alias = None
    if notation.prepare is not None:
        operation, alias = notation.prepare(operation)
    if notation.separates_operations:
        return write([Block(0, operation, around, alias)], _Blocks(operation, notation, {}, NO_NAMES).items, notation)
    # Only few queries read a part twice, or come from a text with names.
    names, repeated = find_given_names(operation), find_repeated_queries(operation)
    if not repeated:
        return write([Block(0, operation, around, alias)], _Blocks(operation, notation, {}, names).items, notation)
    from serializer.nested_steps import choose_steps
    from serializer.step_names import define_steps

    steps = choose_steps(operation, repeated, names)
    blocks = _Blocks(operation, notation, steps, names)
    if not steps:
        return write([Block(0, operation, around, alias)], blocks.items, notation)
    first = [*define_steps(steps, notation), Definition(0, operation, around, alias)]
    return write(first, blocks.items_of_step, notation)


class _Blocks:
    """Writes the block of each operation of a query.

    ``steps`` are the queries of WITH with their names, ``names`` the names that a user gave.
    """

    def __init__(
        self, operation: QueryOperation, notation: Notation, steps: dict[QueryOperation, str], names: RelationNames
    ) -> None:
        self._operation = operation
        self._notation = notation
        self._steps = steps
        self._names = names
        self._count = 0
        self._given: GivenAliases | None = None
        if names:
            from serializer.nested_aliases import GivenAliases

            self._given = GivenAliases(names, {*map(fold, steps.values())})
        self._chains: JoinChains | None = None
        # Operations that are not part of a chain of joins.
        self._plain: set[QueryOperation] = set()
        self._write_relation = self._step_lines if steps else write_in_parentheses

    def items(self, block: Block) -> list[Item]:
        """Return the SELECT of an operation."""
        self._count += 1
        # The total is counted only once there are many blocks.
        if self._count == _FEW_BLOCKS:
            require_few_blocks(self._operation.expanded_size(self._steps))
        current, notation, given = block.operation, self._notation, self._given
        if type(current) is Filter and current.condition.contents & UNBOUNDED:
            from serializer.semi_joins import semi_join_lines

            joined = semi_join_lines(current, block.depth, notation, self._steps, self._names)
            if joined is not None:
                return write_relations(joined, block.scope, notation, self._write_relation)
        joins = current.input if type(current) is Filter else current
        if current in self._plain or type(joins) is Filter:
            # A chain would rename columns between the joins and the conditions above.
            self._plain.update(current.inputs[:1])
        elif len(joins.inputs) == 2 and joins not in self._plain and not notation.separates_operations:
            joined = self._chain_lines(current, joins, block.depth)
            if joined is not None:
                return add_aliases(joined, block, notation, self._write_relation)
        aliased = None if given is None else given.lateral_alias(current)
        if aliased is not None:
            from serializer.join_blocks import lateral_join_block

            lines = lateral_join_block(current, block.depth, notation, aliased)
        else:
            lines = operation_lines(current, block.depth, notation)
        return add_aliases(lines, block, notation, self._write_relation, given)

    def items_of_step(self, block: Block) -> list[Item]:
        """Return the SELECT of an operation, which reads a query of WITH by its name if the operation is one."""
        operation = block.operation
        is_step = type(block) is not Definition and operation in self._steps
        # A recursive query has its own WITH, which no other WITH may precede.
        if not is_step and (block.depth or operation.title != "Recursion"):
            return self.items(block)
        lines = column_lines("SELECT", operation.schema, block.depth, self._notation)
        return [*lines, *self._step_lines(Relation(block.depth, "FROM", operation), block.scope, self._notation)]

    def _step_lines(self, relation: Relation, scope: Scope | None, notation: Notation) -> list[Item]:
        name = self._steps.get(relation.operation)
        if name is None:
            return write_in_parentheses(relation, scope, notation)
        under = "" if relation.alias is None else f" AS {name_text(relation.alias, notation)}"
        return [Line(relation.depth, (f"{relation.keyword} {name_text(name, notation)}{under}",))]

    def _chain_lines(self, operation: QueryOperation, below: QueryOperation, depth: int) -> list[Item] | None:
        """Return the SELECT of a chain of joins with the filter over it, or None if each join has a SELECT."""
        joins = _find_renaming_chain(below, self._plain)
        if joins is None:
            return None
        if self._chains is None:
            from serializer.join_chains import JoinChains

            self._chains = JoinChains(self._steps, self._names, self._plain, self._notation)
        return self._chains.lines(operation, joins, depth)


def require_few_blocks(blocks: int) -> None:
    """Reject a text that would repeat shared parts too often.

    Raises:
        TableException: the number of blocks exceeds the limit.
    """
    if blocks > _MAX_BLOCKS:
        raise TableException(
            f"The query uses parts of itself so often that its text would have {blocks} blocks; at most {_MAX_BLOCKS} "
            "are written. Store the part that is used most with create_view, and query the view."
        )


def _find_renaming_chain(joins: QueryOperation, plain: set[QueryOperation]) -> Join | None:
    """Return the join at the top of a chain in which one renames the columns of its right side.

    If none does, or if there is no chain, return None and note the joins as ``plain``.
    """
    from ir.operations.join import Join

    passed: list[QueryOperation] = []
    operation = joins
    while type(operation) is Join and operation not in plain:
        right = operation.right
        if type(right) is Project and right.is_renaming():
            return joins if type(joins) is Join else None
        passed += (operation,)
        operation = operation.left
    plain.update(passed)
    return None


def operation_lines(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a single operation.

    Raises:
        TableException: the dialect lacks the operation.
    """
    kind = type(operation)
    write_operation = notation.writers.get(kind) or writer_of(kind, notation)
    return write_operation(operation, depth, notation)


def writer_of(kind: type[QueryOperation], notation: Notation) -> OperationWriter:
    """Return the writer of a kind of operation, and remember it for the next operation.

    Raises:
        KeyError: the kind has no writer.
    """
    name = kind.__name__
    found: OperationWriter
    own = notation.own_operations.get(name) or _WRITERS.get(kind)
    if own is None and name in _COMMON:
        own = _load_writer(*_COMMON[name])
    if name in notation.refusals:
        found = _refuse
    elif own is not None:
        found = own
    else:
        found = _rare_writer(kind) if notation.refuse_others is None else _refuse
    notation.writers[kind] = found
    return found


def _refuse(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    refusal = notation.refusals.get(type(operation).__name__) or notation.refuse_others
    assert refusal is not None, "a notation that refuses an operation has a message"
    raise TableException(refusal(operation))


def _rare_writer(kind: type[QueryOperation]) -> OperationWriter:
    """Return the writer of a rare kind of operation: that of a kind which it extends, or one imported at first use."""
    if kind.__name__ in _RARE:
        return _load_writer(*_RARE[kind.__name__])
    inherited = next(base for base in kind.__mro__ if base in _WRITERS or base.__name__ in _COMMON)
    return _WRITERS.get(inherited) or _load_writer(*_COMMON[inherited.__name__])


def _load_writer(module: str, function: str) -> OperationWriter:
    from importlib import import_module

    writer: OperationWriter = getattr(import_module(f"serializer.{module}"), function)
    return writer


def expression_text(
    expression: ResolvedExpression,
    notation: Notation,
    *,
    is_condition: bool = False,
    columns: ColumnNames | None = None,
    around: Scope | None = None,
) -> str:
    """Write an expression, or a condition of rows.

    ``columns`` returns the written form of a column; ``around`` has the alias of the rows for subqueries.

    Raises:
        TableException: the expression refers to an outer query, or a part has no SQL form.
    """
    pieces = expression_pieces(expression, notation, is_condition=is_condition, columns=columns)
    text = []
    for piece in pieces:
        if isinstance(piece, Subquery):
            text.append("(\n" + nested_text_and_spans(piece.operation, notation, around)[0] + "\n)")
        elif isinstance(piece, OuterColumn):
            raise TableException(
                f"{expression.as_summary_string()} refers to the column {piece.name!r} of a query around it, and has "
                "SQL only as part of that."
            )
        else:
            text.append(piece)
    return "".join(text)


def write_in_parentheses(relation: Relation, scope: Scope | None, notation: Notation) -> list[Item]:
    """Write an input as a query in parentheses."""
    closing = ")" if relation.alias is None else f") AS {name_text(relation.alias, notation)}"
    return [
        Line(relation.depth, (f"{relation.keyword} (",)),
        Block(relation.depth + 1, relation.operation, scope),
        Line(relation.depth, (closing,)),
    ]


def write_relations(
    items: list[Item],
    scope: Scope | None,
    notation: Notation,
    write_relation: Callable[[Relation, Scope | None, Notation], list[Item]],
) -> list[Item]:
    """Write the inputs of a SELECT that has its aliases."""
    written: list[Item] = []
    for item in items:
        if isinstance(item, Relation):
            written += write_relation(item, scope, notation)
        else:
            written.append(item)
    return written


def add_aliases(
    items: list[Item],
    block: Block,
    notation: Notation,
    write_relation: Callable[[Relation, Scope | None, Notation], list[Item]],
    given: GivenAliases | None = None,
) -> list[Item]:
    """Add the aliases to the items of a block: those of its inputs, of its subqueries, and of the outer query.

    The user's aliases in ``given`` are written even if nothing refers to them.
    """
    own = None
    if block.operation.subqueries:
        from serializer.scopes import scope_of_subqueries

        own = scope_of_subqueries(block.operation, block.scope, None if given is None else given.unique_alias)
    if given is not None:
        items = given.add_to_relations(block.operation, items)
    written: list[Item] = []
    if own is None and block.scope is None and block.input_alias is None:
        return write_relations(items, None, notation, write_relation)
    from serializer.scopes import input_aliases

    aliases = list(input_aliases(block.operation, own))
    if block.input_alias is not None:
        if aliases[0] is not None:
            raise TableException(
                f"In Flink's SQL, {block.operation.title} is written as another operation, whose input would need two "
                f"aliases: {block.input_alias!r}, which says so, and {aliases[0]!r}, by which a subquery refers to it. "
                "Make what the subquery computes a column with add_columns before."
            )
        aliases[0] = block.input_alias
    has_names = own is not None or block.scope is not None
    alias: str | None = None
    for item in items:
        if isinstance(item, Relation):
            chosen = (aliases.pop(0) if aliases else None) or item.alias
            written += write_relation(item._replace(alias=chosen), block.scope, notation)
        elif isinstance(item, Block):
            alias = aliases.pop(0) if aliases else None
            written.append(item._replace(scope=block.scope))
        elif isinstance(item, Line) and not has_names and alias is None:
            written.append(item)
        elif isinstance(item, Line):
            pieces = tuple([resolve_outer_names(piece, block.scope, own, notation) for piece in item.pieces])
            # The line after an input closes the input's parenthesis.
            written.append(item._replace(pieces=(*pieces, f" AS {name_text(alias, notation)}") if alias else pieces))
            alias = None
    return written


def project_block(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    """Write the SELECT of a projection."""
    assert isinstance(operation, Project)
    input, projections = operation.input, operation.projections
    if input.contents & OUTER and not notation.separates_operations:
        from serializer.group_blocks import merge_into_aggregation

        input, projections = merge_into_aggregation(operation)
    if notation.check_columns is not None:
        notation.check_columns(projections, operation.names)
    items = [write_named_item(e, n, notation) for e, n in zip(projections, operation.names, strict=True)]
    return [*item_lines("SELECT", items, depth), *input_lines(input, depth)]


def _filter(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Filter)
    condition = Line(depth, ("WHERE ", *expression_pieces(operation.condition, notation, is_condition=True)))
    return [
        *column_lines("SELECT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
        condition,
    ]


def _distinct(operation: QueryOperation, depth: int, notation: Notation) -> list[Item]:
    assert isinstance(operation, Distinct)
    return [
        *column_lines("SELECT DISTINCT", operation.schema, depth, notation),
        *input_lines(operation.input, depth),
    ]


_WRITERS: dict[type[QueryOperation], OperationWriter] = {
    Source: source_block,
    InlineSource: inline_source_block,
    Values: values_block,
    Project: project_block,
    Filter: _filter,
    Distinct: _distinct,
}
# The module and function that write each further operation that all dialects have.
_COMMON = {
    "Aggregate": ("group_blocks", "aggregate_block"),
    "Sort": ("group_blocks", "sort_block"),
    "Join": ("join_blocks", "join_block"),
    "Pairing": ("join_blocks", "join_block"),
    "LateralJoin": ("join_blocks", "lateral_join_block"),
    "SetOperation": ("join_blocks", "set_operation_block"),
}
# The module and function that write each rare operation.
_RARE = {
    "Pivot": ("pivot_blocks", "pivot_block"),
    "Unpivot": ("pivot_blocks", "unpivot_block"),
    "Hint": ("hint_blocks", "hint_block"),
    "Sample": ("hint_blocks", "sample_block"),
    "Watermark": ("hint_blocks", "watermark_block"),
    "Distribute": ("hint_blocks", "partitions_block"),
    "SortPartitions": ("hint_blocks", "partitions_block"),
    "Recursion": ("recursion_block", "recursion_block"),
    "RecursiveReference": ("recursion_block", "recursive_reference_block"),
    "EngineFunction": ("engine_block", "engine_function_block"),
    "Script": ("script_block", "script_block"),
    "NoColumns": ("no_columns_block", "no_columns_block"),
    "ProcessTable": ("process_block", "process_block"),
}
