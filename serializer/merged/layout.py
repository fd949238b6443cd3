"""Writes planned blocks as text: the queries of WITH, then the main SELECT.

Columns are unqualified if FROM has one relation. With several relations all columns are qualified, so that a column
added to a table later cannot make a stored view ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ir.contents import OUTER, TIME_WINDOW
from ir.dialects.syntax import Precedence
from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression, SortOrder
from ir.identifiers import fold
from ir.normalization.blocks import Block as PlannedBlock
from ir.normalization.blocks import Condition, FromItem, SelectBlock, SetBlock, conjunction, conjuncts
from ir.normalization.folding import fold as fold_operations
from ir.normalization.plan import Plan, is_leaf, select_all_columns
from ir.normalization.value_names import find_value_names
from ir.operations.hint import Hint, Sample
from ir.operations.join import Join, JoinClause, JoinType, Pairing
from ir.operations.lateral import LateralJoin
from ir.operations.operation import QueryOperation
from ir.operations.outer_references import require_no_outer_references
from ir.operations.partitions import SortPartitions
from ir.operations.pivot import Pivot, Unpivot
from ir.operations.recursion import Recursion, RecursiveReference
from ir.operations.source import InlineSource, Source, Values
from ir.operations.watermark import Watermark
from ir.relation_names import RelationNames
from ir.rewriting import replace
from serializer.clauses import (
    choose_set_keyword,
    group_lines,
    join_keyword,
    limit_lines,
    order_lines,
    write_join_clause,
    write_join_condition,
)
from serializer.expressions import ColumnNames, expression_pieces
from serializer.given_names import find_given_names
from serializer.hint_blocks import distributed_and_sorted_block
from serializer.items import Block, Definition, Item, Line, Part, Relation
from serializer.merged.steps import Steps, distribution_of, find_script_input, steps_of
from serializer.names import column_texts, name_text, write_qualified_name, write_qualified_names
from serializer.nested import (
    add_aliases,
    operation_lines,
    require_few_blocks,
    write_in_parentheses,
    write_relations,
)
from serializer.nested_steps import find_names_with_fields
from serializer.notation import Feature, Notation
from serializer.pieces import Piece, Scope, Subquery, Use
from serializer.scopes import lists_lateral_columns
from serializer.select_block import LINE_WIDTH, expression_item, item_lines
from serializer.semi_joins import semi_join_lines
from serializer.source_blocks import inline_source_block, source_text, watermark_text
from serializer.step_names import UnusedNames, define_steps, lambda_parameters
from serializer.text import Span, resolve_outer_names, write
from serializer.values import values_lines

# The input index of references to columns of the SELECT itself, as in ORDER BY.
_OUTPUT = -1
# The default alias for the rows of a table function.
_LATERAL = "lateral"


def merged_text(operation: QueryOperation, notation: Notation) -> str:
    """Write a query, with adjacent operations in one SELECT.

    Raises:
        TableException: the dialect lacks the layout, an operation or expression has no form, or the text would be too
            long because parts that cannot be in WITH are shared too often.
    """
    return _write(operation, notation, None, has_spans=False)[0]


def merged_text_and_spans(
    operation: QueryOperation, notation: Notation, longest: int | None = None
) -> tuple[str, list[Span]]:
    """Write a query, and return the positions of operations in the text.

    These are the last operation of each SELECT, and the operations of its clauses.

    Args:
        operation: the query.
        notation: how SQL is written.
        longest: the longest allowed chain of steps that read each other, None for any length.

    Raises:
        TableException: the chain of steps is longer, or the dialect lacks the layout.
    """
    return _write(operation, notation, longest, has_spans=True)


def _write(
    operation: QueryOperation, notation: Notation, longest: int | None, *, has_spans: bool
) -> tuple[str, list[Span]]:
    notation.require(Feature.MERGED)
    require_no_outer_references(operation)
    names = find_given_names(operation)
    plan = fold_operations(
        operation,
        names,
        sorts_groups_of_having=notation.sorts_groups_of_having,
        sorts_by_hidden_keys=notation.sorts_by_hidden_keys,
    )
    if notation.refusals:
        # An operation that shares a SELECT with others has no writer of its own.
        for part in plan.operations:
            notation.require(type(part).__name__, part)
    steps = steps_of(plan, names)
    if longest is not None and steps.chain > longest:
        raise TableException(
            f"The query has {steps.chain} steps one after the other that one SELECT cannot say together; Spark plans "
            f"about {longest} of them. Store the first part of it with create_view, and query the view: each view is "
            "resolved by itself."
        )
    layout = _Layout(plan, steps, names, notation, has_spans=has_spans)
    return write(layout.query(), layout.items, notation)


class _Layout:
    """Writes the blocks of a plan."""

    def __init__(self, plan: Plan, steps: Steps, names: RelationNames, notation: Notation, *, has_spans: bool) -> None:
        require_few_blocks(steps.size)
        self._plan = plan
        self._notation = notation
        self._has_spans = has_spans
        self._steps = steps.names
        self._base_of = steps.base_of
        self._given = names
        self._has_given = bool(names)
        self._hidden = lambda_parameters(plan.operations) if self._has_given else set()
        self._has_queries = plan.has_subqueries

    def query(self) -> list[Item]:
        """Return the items of the whole query."""
        return [*define_steps(self._steps, self._notation), Definition(0, self._plan.root)]

    def items(self, block: Block) -> list[Item]:
        """Return the items of a block."""
        operation = block.operation
        if not isinstance(block, Definition) and operation in self._steps:
            return self._select(select_all_columns(operation), block)
        planned = self._plan.block(operation)
        if block.depth == 0 and self._steps and isinstance(operation, Recursion):
            # A recursive query has a WITH of its own.
            return self._select(select_all_columns(operation), block)
        match planned:
            case SelectBlock():
                return self._select(planned, block)
            case SetBlock():
                return self._write_set(planned, block)
        given = find_script_input(operation, self._plan)
        if given is not None:
            return self._select(given, block._replace(use=Use.PROGRAM))
        joined = semi_join_lines(operation, block.depth, self._notation, self._steps, self._given)
        if joined is not None:
            return write_relations(joined, block.scope, self._notation, self._relation_of_own)
        distribution = distribution_of(operation, self._plan)
        if distribution is not None and isinstance(operation, SortPartitions):
            lines = distributed_and_sorted_block(operation, distribution, block.depth, self._notation)
        else:
            lines = operation_lines(operation, block.depth, self._notation)
        # PIVOT and UNPIVOT do not list their input columns, so that the SELECT below lists them: a column added to the
        # table later must not change the result.
        listed = isinstance(operation, (Pivot, Unpivot)) and isinstance(operation.input, (Source, Watermark))
        # A sample is taken from a table or query; VALUES must be in parentheses, and so must CHANGES and a watermark.
        listed = listed or (isinstance(operation, (Hint, Sample, Watermark)) and _is_in_parentheses(operation.input))
        return add_aliases(lines, block, self._notation, write_in_parentheses if listed else self._relation_of_own)

    # --- relations ---------------------------------------------------------------------------------------------------

    def _relation_of_own(self, relation: Relation, scope: Scope | None, notation: Notation) -> list[Item]:
        """Write the input of an operation that has its own SELECT."""
        return self._relation(relation, scope)

    def _relation(self, relation: Relation, scope: Scope | None, names: tuple[str, ...] = ()) -> list[Item]:
        """Write a relation after its keyword, by name if it has one, else in parentheses."""
        depth, keyword, operation, alias = relation
        under = "" if alias is None else f" AS {name_text(alias, self._notation)}"
        named = self._name_of(operation)
        if named is not None:
            own = self._choose_own_alias(operation)
            under = "" if alias is not None and own == alias else under
            return [Line(depth, (f"{keyword} {named}{under}",))]
        if isinstance(operation, InlineSource):
            return inline_source_block(operation, depth, self._notation)
        if isinstance(operation, Values) and is_leaf(operation):
            rows = values_lines(operation, self._notation)
            columns = ", ".join(name_text(name, self._notation) for name in names or operation.schema.names)
            return [
                Line(depth, (f"{keyword} VALUES",)),
                *[Line(depth + 1, (row, "," if n < len(rows) - 1 else "")) for n, row in enumerate(rows)],
                Line(depth, (f"AS {name_text(alias or 'values', self._notation)}({columns})",)),
            ]
        return [
            Line(depth, (f"{keyword} (",)),
            Block(depth + 1, operation, scope),
            Line(depth, (f"){under}",)),
        ]

    def _name_of(self, operation: QueryOperation) -> str | None:
        if operation in self._steps:
            return name_text(self._steps[operation], self._notation)
        if isinstance(operation, Source):
            return source_text(operation, self._notation)
        if type(operation) is Watermark and type(operation.input) is Source:
            return source_text(operation.input, self._notation) + watermark_text(operation, self._notation)
        return name_text(operation.name, self._notation) if isinstance(operation, RecursiveReference) else None

    def _choose_own_alias(self, operation: QueryOperation) -> str | None:
        """Return the name that qualifies columns without an alias, None if there is none."""
        if operation in self._steps:
            return self._steps[operation]
        if isinstance(operation, Values) and is_leaf(operation):
            return "values"
        if isinstance(operation, Source):
            return operation.identifier.name if operation.is_now else None
        if type(operation) is Watermark and type(operation.input) is Source:
            return self._choose_own_alias(operation.input)
        return operation.name if isinstance(operation, RecursiveReference) else None

    # --- SELECT ------------------------------------------------------------------------------------------------------

    def _select(self, block: SelectBlock, at: Block) -> list[Item]:
        aliases = self._aliases(block, at.scope)
        # The columns of FROM under the names that their relations give them.
        shown = [name for item in block.sources for name in item.own_names]
        texts = self._column_texts(block.sources, aliases)

        def columns(column: FieldReference) -> str:
            return texts[column.index]

        depth = at.depth
        keyword = "SELECT DISTINCT" if block.is_distinct else "SELECT"
        items = self._column_items(block, columns, shown, at)
        lines = self._part(block.computed_by, self._write_first_lines(keyword, items, at))
        for number, (item, alias) in enumerate(zip(block.sources, aliases, strict=True)):
            on = block.on.get(number, ())
            lines += self._write_from_item(item, alias, texts, depth, at.scope, on, is_first=number == 0)
        if block.where:
            lines += self._conditions("WHERE", block.where, columns, depth)
        if block.grouping is not None:
            keys = [expression_item(key, self._notation, columns) for key in block.grouping.keys]
            lines += group_lines(keys, block.grouping.sets, depth)
        if block.having:
            having = [Condition(_rewrite_over_rows(c.expression, block), c.operation) for c in block.having]
            lines += self._conditions("HAVING", having, columns, depth)
        if block.is_cut_or_sorted:
            lines += self._part(block.ordered_by, self._order_lines(block, columns, depth))
            lines += limit_lines(block.offset, block.fetch, depth, self._notation)
        return self._resolve_outer_names(lines, block, at.scope, aliases)

    def _write_first_lines(self, keyword: str, items: list[tuple[Piece, ...]], at: Block) -> list[Item]:
        """Write the part before FROM: the columns, or the script that receives them."""
        if at.use is not Use.PROGRAM:
            return item_lines(keyword, items, at.depth)
        from serializer.script_block import script_lines

        return script_lines(at.operation, items, at.depth, self._notation)

    def _column_items(
        self, block: SelectBlock, columns: ColumnNames, shown: list[str], at: Block
    ) -> list[tuple[Piece, ...]]:
        names = block.operation.schema.names
        if self._notation.check_columns is not None:
            self._notation.check_columns(block.columns, names)
        # In Spark, a time window in WHERE adds a column, which a star would include.
        has_window = any(condition.expression.contents & TIME_WINDOW for condition in block.where)
        if at.use is Use.EXISTENCE and block.selects_all_columns and not has_window and names == tuple(shown):
            # For EXISTS, columns that a table gets later do not matter.
            return [("*",)]
        items: list[tuple[Piece, ...]] = []
        first = 0
        if (
            block.fields
            and not has_window
            and block.begins_with_all
            and not isinstance(block.sources[0].relation, Source)
        ):
            # The columns of a step are fixed, but a table may get further columns.
            items.append(("*",))
            first = len(block.fields)
        is_named = at.use is not Use.PROGRAM and (at.use is not Use.VALUES or find_value_names(block.operation) is None)
        for column, name in list(zip(block.columns, names, strict=True))[first:]:
            expression = _rewrite_over_rows(column, block)
            if isinstance(expression, FieldReference):
                text = columns(expression)
                is_own = not is_named or shown[expression.index] == name
                items.append((text if is_own else f"{text} AS {name_text(name, self._notation)}",))
                continue
            *before, last = expression_pieces(expression, self._notation, columns=columns)
            items.append((*before, f"{last} AS {name_text(name, self._notation)}" if is_named else last))
        # For rows without columns, the SELECT list is a star.
        return items or [("*",)]

    def _order_lines(self, block: SelectBlock, columns: ColumnNames, depth: int) -> list[Item]:
        """Write ORDER BY over columns of the SELECT, under their output names, and over hidden columns."""
        if not block.hidden:
            return order_lines(block.order, depth, self._notation)
        width = len(block.columns)

        def written(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference):
                return None
            return (
                _rewrite_over_rows(block.hidden[part.index - width], block)
                if part.index >= width
                else part.evolve(input_index=_OUTPUT)
            )

        def name(column: FieldReference) -> str:
            return name_text(column.name, self._notation) if column.input_index == _OUTPUT else columns(column)

        keys = [SortOrder(replace(k.expression, written), k.ascending, k.nulls_first) for k in block.order]
        return order_lines(keys, depth, self._notation, name)

    def _write_from_item(
        self,
        item: FromItem,
        alias: str | None,
        texts: Sequence[str],
        depth: int,
        scope: Scope | None,
        on: Sequence[Condition],
        *,
        is_first: bool,
    ) -> list[Item]:
        keyword = "FROM"
        # Only a plain join has a form of CROSS JOIN.
        special = item.operation if isinstance(item.operation, Pairing) and type(item.operation) is not Join else None
        if special is not None:
            keyword = f"{special.join_type.value} {special.keyword}"
        elif item.join_type is not None:
            contents = item.relation.contents | (0 if item.condition is None else item.condition.contents)
            for condition in on:
                contents |= condition.expression.contents
            is_correlated = bool(contents & OUTER)
            keyword = join_keyword(item.join_type, item.condition, self._notation, is_correlated=is_correlated)
        if isinstance(item.relation, QueryOperation):
            lines = self._relation(Relation(depth, keyword, item.relation, alias), scope)
        else:
            right: tuple[Piece, ...] = expression_item(
                item.relation, self._notation, lambda column: texts[column.index]
            )
            under = f" AS {name_text(alias or _LATERAL, self._notation)}"
            assert isinstance(item.operation, LateralJoin)
            if lists_lateral_columns(item.operation):
                under += f"({', '.join(name_text(name, self._notation) for name in item.names)})"
            assert item.join_type is not None
            keyword = "FROM" if is_first else f"{item.join_type.value} JOIN LATERAL"
            lines = self._part(item.operation, [Line(depth, (f"{keyword} ", *right, under))])
        if item.join_type is None:
            return lines

        def columns(column: FieldReference) -> str:
            return texts[item.place_of(column)]

        if special is not None:
            clauses = [line for clause in special.clauses for line in self._clause_lines(clause, depth, columns)]
            return [*lines, *self._part(special, clauses)]
        if not on:
            own = [] if item.condition is None else conjuncts(item.condition)
            return [*lines, *self._part(item.operation, self._on_lines(item.join_type, own, depth, columns))]
        return [*lines, *self._write_on(item, on, texts, depth)]

    def _clause_lines(self, clause: JoinClause, depth: int, columns: ColumnNames) -> list[Item]:
        if clause.keyword == "ON":
            return self._on_lines(JoinType.INNER, conjuncts(clause.expression), depth, columns)
        return [write_join_clause(clause, depth, self._notation, columns)]

    def _on_lines(
        self, join_type: JoinType, parts: list[ResolvedExpression], depth: int, columns: ColumnNames
    ) -> list[Item]:
        """Write the conditions of a join on one line, or each on a line of its own if they are long."""
        if len(parts) < 2:
            return write_join_condition(join_type, parts[0] if parts else None, depth, self._notation, columns)
        lines = self._condition_lines("ON", parts, columns, depth)
        texts = [text for line in lines for text in _texts_of(line)]
        if sum(map(len, texts)) + len(lines) - 1 > LINE_WIDTH:
            return [*lines]
        if _has_queries([*lines]):
            return write_join_condition(join_type, conjunction(parts), depth, self._notation, columns)
        return [Line(depth, (" ".join(texts),))]

    def _write_on(self, item: FromItem, on: Sequence[Condition], texts: Sequence[str], depth: int) -> list[Item]:
        """Write the ON clause: the condition of the join, then those of filters above it."""
        assert item.operation is not None
        assert item.join_type is not None

        def in_from(part: ResolvedExpression) -> ResolvedExpression | None:
            if not isinstance(part, FieldReference):
                return None
            return FieldReference(part.name, part.type_, 0, item.place_of(part))

        expressions = [] if item.condition is None else conjuncts(replace(item.condition, in_from))
        own = len(expressions)
        expressions += [condition.expression for condition in on]
        lines = self._on_lines(item.join_type, expressions, depth, lambda column: texts[column.index])
        if not self._has_spans:
            return lines
        operations = [item.operation] * own + [condition.operation for condition in on]
        if len(lines) == len(operations):
            return [
                part for made_by, line in zip(operations, lines, strict=True) for part in self._part(made_by, [line])
            ]
        return self._part(operations[0] if len(set(operations)) == 1 else item.operation, lines)

    def _aliases(self, block: SelectBlock, scope: Scope | None) -> list[str | None]:
        """Return the alias of each relation in FROM, None if it needs none."""
        referred = {field.index for names in block.outer.values() for field in names.values()}
        seen = self._names_in(list(block.outer)) if referred else set()
        taken = set(scope.taken) if scope is not None else set()
        several = len(block.sources) > 1
        if several and (block.hidden or {type(key.expression) for key in block.order} - {FieldReference}):
            # ORDER BY would read a field of a column with this name as a column of the relation.
            for item in block.sources:
                if isinstance(item.relation, QueryOperation):
                    taken |= find_names_with_fields(item.relation)
        unused = UnusedNames(taken)
        aliases: list[str | None] = []
        first = 0
        for item in block.sources:
            after = first + len(item.names)
            is_referred = any(first <= index < after for index in referred)
            first = after
            is_needed = several or is_referred
            given = self._choose_given_alias(item, block, taken, is_needed=is_needed) if self._has_given else None
            if not is_needed and (given is None or fold(given) in taken):
                aliases.append(None)
                continue
            natural = given or self._natural_alias(item)
            if is_referred:
                natural = f"outer_{natural}" if fold(natural) in seen else natural
                natural = UnusedNames(taken | seen).take(natural)
            aliases.append(unused.take(natural))
        return aliases

    def _names_in(self, queries: list[QueryOperation]) -> set[str]:
        """Return the folded names of columns and relations in subqueries, which hide an outer alias."""
        found: set[str] = set()
        for query in queries:
            for operation in query.walk_with_subqueries():
                found.update(map(fold, operation.schema.names))
                own = self._choose_own_alias(operation)
                if isinstance(operation, LateralJoin):
                    own = _LATERAL
                if own is not None:
                    found.add(fold(own))
        return found

    def _choose_given_alias(
        self, item: FromItem, block: SelectBlock, taken: set[str], *, is_needed: bool
    ) -> str | None:
        """Return the user's name for a relation of FROM, preferably one that is free, None if there is none.

        The operations between the relation and the end of the SELECT may have been named, too. If an alias
        ``is_needed``, the relation's name elsewhere counts as well.
        """
        relation = item.relation
        found: list[str | None] = []
        reader: QueryOperation | None
        if item.operation is not None:
            found.append(self._given.aliases.get((item.operation, 1)))
            reader = item.operation.inputs[1] if isinstance(relation, QueryOperation) else None
        else:
            reader = next((other.operation for other in block.sources[1:]), None) or block.operation
        while reader is not None and reader is not relation and reader.inputs:
            found.append(self._given.aliases.get((reader, 0)))
            reader = reader.inputs[0]
            if reader in self._plan.blocks:
                break
        if len(block.sources) == 1:
            # The alias of the table itself says more than that of a query around it.
            found.reverse()
        if is_needed and isinstance(relation, QueryOperation):
            found.append(self._given.relations.get(relation))
        names = [name for name in found if name is not None and fold(name) not in self._hidden]
        return next((name for name in names if fold(name) not in taken), names[0] if names else None)

    def _natural_alias(self, item: FromItem) -> str:
        if not isinstance(item.relation, QueryOperation):
            return _LATERAL
        return self._choose_own_alias(item.relation) or self._base_of(item.relation)

    def _quoted_names(self, item: FromItem) -> Sequence[str]:
        if isinstance(item.relation, QueryOperation):
            return column_texts(item.relation.schema, self._notation)
        return [name_text(name, self._notation) for name in item.names]

    def _column_texts(self, sources: list[FromItem], aliases: list[str | None]) -> Sequence[str]:
        """Return the written form of FROM's columns.

        It is qualified if there are several relations, or if a relation has the name of a column.
        """
        if len(sources) == 1:
            relation, texts = sources[0].relation, self._quoted_names(sources[0])
            own = aliases[0] or (self._choose_own_alias(relation) if isinstance(relation, QueryOperation) else _LATERAL)
            # A field of such a column would be read as a column of the relation.
            alike = None if own is None else _place_of_name(own, sources[0])
            if own is None or alike is None:
                return texts
            alone = write_qualified_name(own, _list_names(sources[0])[alike], self._notation)
            return [*texts[:alike], alone, *texts[alike + 1 :]]
        every: list[str] = []
        for item, alias in zip(sources, aliases, strict=True):
            every += write_qualified_names(alias or "", _list_names(item), self._notation)
        return every

    def _resolve_outer_names(
        self, lines: list[Item], block: SelectBlock, scope: Scope | None, aliases: list[str | None]
    ) -> list[Item]:
        """Write the names of outer queries in some lines, and give the subqueries their scopes."""
        if not self._has_queries or not _has_queries(lines):
            return lines
        taken = (frozenset() if scope is None else scope.taken) | {fold(a) for a in aliases if a is not None}
        place = [(alias, name) for item, alias in zip(block.sources, aliases, strict=True) for name in item.own_names]
        level = 0 if scope is None else scope.level + 1

        def own(query: QueryOperation) -> Scope:
            fields = block.outer.get(query, {})
            found = {name: place[field.index] for name, field in fields.items()}
            qualifiers = {name: alias for name, (alias, _) in found.items() if alias is not None}
            return Scope(qualifiers, level, {name: real for name, (_, real) in found.items()}, taken)

        def piece(part: Piece) -> Piece:
            return resolve_outer_names(
                part, scope, own(part.operation) if isinstance(part, Subquery) else None, self._notation
            )

        def placed_in(item: Item) -> Item:
            if isinstance(item, Part):
                return Part(item.operation, [line_in(line) for line in item.items])
            return line_in(item) if isinstance(item, Line) else item

        def line_in(line: Line) -> Line:
            if len(line.pieces) == 1 and isinstance(line.pieces[0], str):
                return line
            return Line(line.depth, tuple([piece(part) for part in line.pieces]))

        return [placed_in(line) for line in lines]

    def _part(self, operation: QueryOperation | None, items: list[Item]) -> list[Item]:
        """Attribute lines to an operation, if spans are wanted."""
        if operation is None or not self._has_spans:
            return items
        lines = [item for item in items if isinstance(item, Line)]
        return items if not lines or len(lines) < len(items) else [Part(operation, lines)]

    def _condition_lines(
        self, keyword: str, conditions: list[ResolvedExpression], columns: ColumnNames, depth: int
    ) -> list[Line]:
        least = Precedence.AND if len(conditions) > 1 else Precedence.ANY
        lines = []
        for number, condition in enumerate(conditions):
            first, *others = expression_pieces(condition, self._notation, least, columns=columns)
            lines.append(Line(depth + bool(number), (f"{'AND' if number else keyword} {first}", *others)))
        return lines

    def _conditions(self, keyword: str, conditions: list[Condition], columns: ColumnNames, depth: int) -> list[Item]:
        """Write WHERE or HAVING, with each condition on a line of its own."""
        lines = self._condition_lines(keyword, [condition.expression for condition in conditions], columns, depth)
        if not self._has_spans:
            return [*lines]
        written: list[Item] = []
        for condition, line in zip(conditions, lines, strict=True):
            written += self._part(condition.operation, [line])
        return written

    # --- set operations ----------------------------------------------------------------------------------------------

    def _write_set(self, block: SetBlock, at: Block) -> list[Item]:
        lines: list[Item] = []
        for number, operand in enumerate(block.operands):
            if number:
                lines.append(Line(at.depth, (choose_set_keyword(block.kind, block.all),)))
            if self._stands_alone(operand):
                lines.append(Block(at.depth, operand, at.scope))
            else:
                lines += [Line(at.depth, ("(",)), Block(at.depth + 1, operand, at.scope), Line(at.depth, (")",))]
        lines += order_lines(block.order, at.depth, self._notation)
        return [*lines, *limit_lines(block.offset, block.fetch, at.depth, self._notation)]

    def _stands_alone(self, operand: QueryOperation) -> bool:
        """Whether a query needs no parentheses beside another."""
        block: PlannedBlock = self._plan.block(operand)
        return operand in self._steps or (isinstance(block, SelectBlock) and not block.is_cut_or_sorted)


def _list_names(item: FromItem) -> Sequence[str]:
    return item.relation.schema.names if isinstance(item.relation, QueryOperation) else item.names


def _place_of_name(name: str, item: FromItem) -> int | None:
    """Return the index of the relation's column with a name, or None."""
    if isinstance(item.relation, QueryOperation):
        return item.relation.schema.index_of(name)
    return next((place for place, own in enumerate(item.names) if fold(own) == fold(name)), None)


def _texts_of(item: Item) -> Iterator[str]:
    """Yield the text of an item's lines, without the subqueries."""
    for line in _lines_of(item):
        yield from [piece for piece in line.pieces if isinstance(piece, str)]


def _lines_of(item: Item) -> Sequence[Line]:
    """Return the lines of an item."""
    if isinstance(item, Part):
        return item.items
    return (item,) if isinstance(item, Line) else ()


def _has_queries(items: list[Item]) -> bool:
    """Whether lines contain subqueries or outer columns."""
    for item in items:
        for line in (item,) if isinstance(item, Line) else _lines_of(item):
            for piece in line.pieces:
                if not isinstance(piece, str):
                    return True
    return False


def _rewrite_over_rows(expression: ResolvedExpression, block: SelectBlock) -> ResolvedExpression:
    """Rewrite an expression over the groups of a block as one over its input rows."""
    grouping = block.grouping
    if grouping is None:
        return expression
    below = grouping.expressions
    if isinstance(expression, FieldReference):
        return below[expression.index]
    return replace(expression, lambda part: below[part.index] if isinstance(part, FieldReference) else None)


def _is_in_parentheses(operation: QueryOperation) -> bool:
    """Whether nothing but an alias can follow the text of a relation in FROM."""
    if isinstance(operation, Source):
        return operation.changes is not None
    return isinstance(operation, (Values, Watermark))
