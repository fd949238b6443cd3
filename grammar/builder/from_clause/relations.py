"""Builds FROM: tables, subqueries and functions, and their joins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.context import ReadVersion
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.expressions.computed_identifiers import identifier_path, settle
from grammar.builder.expressions.joined_strings import build_read_options
from grammar.builder.from_clause.joins_by_names import find_shared_keys, join_by_names, put_keys_first
from grammar.builder.from_clause.pivots import Pivots
from grammar.builder.from_clause.unnest import build_unnest, is_unnest, name_unnested_columns, require_plain
from grammar.builder.from_clause.values import inline_values
from grammar.builder.from_clause.window_functions import is_window_function, windowed_relation
from grammar.builder.limit_all import build_table_reference
from grammar.builder.query_parts import Hints, Steps, Tables
from grammar.builder.scopes import (
    Column,
    Relation,
    Scope,
    column_of,
    list_join_columns,
    prepare_join_sides,
    wrong_count,
)
from grammar.builder.select.sort_keys import refuse_queries
from grammar.errors import Misread
from grammar.identifier_clause import is_identifier_clause
from grammar.language import Form
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.calls import call
from ir.contents import CHANGING
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, OuterReference, ResolvedExpression, TypeLiteral
from ir.functions.arithmetic import PLUS
from ir.functions.collection import GET
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.functions.table import EXPLODE, INLINE, POSEXPLODE
from ir.identifiers import fold
from ir.literals import literal
from ir.names import make_distinct
from ir.operations.filter import Filter
from ir.operations.hint import Hint
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.project import project
from ir.operations.source import SINGLE_ROW, Source, StreamRead
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as ResolverScope
from ir.resolution.joins import join_tables
from ir.resolution.operations import field
from ir.types import RowType
from ir.unresolved import UnresolvedAlias, UnresolvedCall, walk_written_parts

_ARITY = "ASSIGNMENT_ARITY_MISMATCH"
_LATERAL_TYPES = frozenset({"INNER", "CROSS", "LEFT", "OUTER", "NATURAL", "JOIN"})
_WITHOUT_LATERAL = " A function in FROM sees the columns of the relations before it where LATERAL stands before it."
_TEMPORAL_JOIN = (
    "AS OF takes a constant here: Spark reads one version of a table. {0} For the newest version, leave FOR "
    "SYSTEM_TIME out: a stream that is joined with a table reads it anew in each batch."
)
_IN_SPARK = (
    "To join each row with the version of its time, keep the time from which a version holds as a column: "
    "t ASOF JOIN u MATCH_CONDITION (t.at >= u.since) ON t.k = u.k, on Spark 4.3. The dialect FLINK reads FOR "
    "SYSTEM_TIME AS OF t.at so."
)
_IN_FLINK = (
    "A temporal join reads the version of each row's time, and is written with JOIN and with a column of the relation "
    "before it: t JOIN u FOR SYSTEM_TIME AS OF t.at ON t.k = u.k."
)
# Spark's analyzer accepts such a query. It can only run a single row that is computed from outer columns; anything
# else fails with an internal error at run time, because a plan can only refer to the directly enclosing query.
_CORRELATED = (
    "The query {0} of WITH refers to columns of the query around, and is read in a subquery further in. Spark can run "
    "no reference over two queries. Read it where its own references reach: FROM {0} in the query that WITH begins. "
    "The subquery can refer to its columns then."
)
_STREAM_OF_QUERY = (
    "STREAM reads a table, and {0} is a query of WITH. Write STREAM before the table that the query reads. Then the "
    "query is a stream, and FROM names it alone."
)
_RELATIONS = (s.Table, s.Derived, s.TableFunction, s.Lateral, s.Join, s.Extended)


@attrs.frozen(eq=False)
class _Lateral:
    """A lateral join without its right side.

    Attributes:
        left: The relation before it, whose columns the right side may name.
        join_type: The type of the join.
        condition: The syntax of the condition, or None.
        position: Where the right side begins.
        parent: The scope of the outer query.
        tables: The queries of WITH.
        seen: Maps the columns of a table function to those that the condition may name.
    """

    left: Relation
    join_type: JoinType
    condition: Any
    position: int
    parent: Scope | None
    tables: Tables
    seen: Callable[[Sequence[Column]], list[Column]] | None = None


class Relations(Pivots):
    """Builds the relations of FROM."""

    def from_clause(self, node: s.From, parent: Scope | None, tables: Tables, hints: Hints | None = None) -> Steps:
        """Build the relation of FROM: the cross join of its relations, then the lateral views."""
        relation: Relation | None = None
        for written in node.relations:
            relation = yield self.relation(written, relation, parent, tables, hints or {})
        assert relation is not None
        for view in node.views:
            relation = yield self.lateral_view(relation, view, parent, tables)
        return relation

    def _choose_unnest(self, function: Expression, input: QueryOperation, node: s.TableFunction) -> Expression:
        """Choose the function of an UNNEST by the element type in ``input``; return other calls unchanged."""
        function = self.recognition.choose_unnest(function, input, self.lookup)
        return build_unnest(function, input, self.lookup, node) if is_unnest(node) else function

    def relation(self, node: Any, before: Relation | None, parent: Scope | None, tables: Tables, hints: Hints) -> Steps:
        """Build a relation and join it with the relations before it, which a lateral relation may refer to.

        In Spark, a join or pivot after a relation applies to all relations before it; in Flink, to that relation only.
        """
        chain: list[Any] = []
        current = node
        while type(current) in (s.Join, s.Extended):
            chain.append(current)
            current = current.left if type(current) is s.Join else current.relation
        current = self.recognition.wrap_lateral(current)
        if type(current) is s.Lateral and before is not None:
            relation = yield self.lateral(before, current.relation, JoinType.INNER, None, parent, tables)
            before = None
        else:
            inner = current.relation if type(current) is s.Lateral else current
            relation = yield self.primary(inner, parent, tables, hints)
            if before is not None and self.language.from_clause.joins_all_before:
                relation = self.build_join(before, relation, JoinType.INNER, None, current.position)
                before = None
        for step in reversed(chain):
            if type(step) is s.Join:
                relation = yield self.join(relation, step, parent, tables, hints)
            else:
                relation = yield self.build_extension(relation, step.extension, parent, tables)
        if before is not None:
            relation = self.build_join(before, relation, JoinType.INNER, None, node.position)
        return relation

    # --- single relations --------------------------------------------------------------------------------------------

    def primary(self, node: Any, parent: Scope | None, tables: Tables, hints: Hints) -> Steps:
        """Build a relation other than a join."""
        kind = type(node)
        relation: Relation
        if kind is s.Table:
            relation = yield self.table(node, parent, tables)
        elif kind is s.TableFunction:
            relation = yield self.table_function(node, parent, tables)
            if not all(isinstance(column.field, FieldReference) for column in relation.columns):
                return relation
        elif kind is s.Derived:
            if type(node.inner) in _RELATIONS:
                relation = yield self.relation(node.inner, None, parent, tables, hints)
            elif type(node.inner) is s.InlineValues:
                names = node.alias.columns if node.alias is not None else None
                shown = [name.text for name in names] if names else None
                relation = yield inline_values(self, node.inner, parent, tables, shown)
            else:
                relation = yield self.query(node.inner, parent, tables)
                relation = relation.renamed(())
        else:
            relation = yield self.primary(node.relation, parent, tables, hints)
            return relation
        watermark = node.sample if isinstance(node.sample, s.Watermark) else None
        sample = node.sample if watermark is None else watermark.sample
        if sample is not None:
            from grammar.builder.from_clause.samples import build_sample

            relation = yield build_sample(self, relation, sample)
        alias = node.alias
        if alias is not None:
            relation = self.apply_alias(relation, alias)
        elif relation.alias is None and kind is s.Table:
            self.noted.note_table(relation.operation)
        hint = hints.get(fold(alias.name.text)) if alias is not None else None
        if hint is None and kind is s.Table and alias is None:
            hint = hints.get(fold(node.path.names[-1].text))
        if hint is not None:
            relation = attrs.evolve(relation, operation=Hint(relation.operation, hint))
        # In Spark, too, the watermark is above the alias, although the alias follows it in the text.
        if watermark is None:
            return relation
        from grammar.builder.from_clause.watermarks import build_watermark

        return (yield build_watermark(self, relation, watermark))

    def apply_alias(self, relation: Relation, alias: s.Alias) -> Relation:
        """Return a relation under its alias."""
        names = alias.columns
        if names is not None and len(names) != len(relation.names):
            raise Misread(names[0].position, *wrong_count(len(names), relation.names))
        given = None if names is None else [name.text for name in names]
        return self.noted.note_alias(relation.renamed((fold(alias.name.text),), given), alias.name.text)

    def _reject_second_read(self, query: Relation, path: s.Path) -> None:
        """Reject a second reference to a nondeterministic query of WITH.

        Spark would compute its rows once, but this tree would compute them twice.
        """
        _, before = self.read_before.setdefault(id(query), (query, path))
        if before is not path:
            self.language.refuse(Form.NONDETERMINISTIC_QUERY_AGAIN, path.position, name=path.parts[0])

    def table(self, node: s.Table, parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a table, a view, or a query of WITH."""
        names = node.path.parts
        if len(names) == 1 and node.temporal is None:
            found = tables.get(fold(names[0]))
            if found is not None:
                if node.stream is not None:
                    raise Misread(node.path.position, _STREAM_OF_QUERY.format(names[0]))
                if found.around is not None and found.around is not parent:
                    raise Misread(node.path.position, _CORRELATED.format(names[0]))
                if found.operation.contents & CHANGING:
                    self._reject_second_read(found, node.path)
                if found.without_limit is not None and id(node) in self.reached_by_limit_all:
                    found = found.without_limit
                return self.noted.note_alias(found.renamed((fold(names[0]),)), names[0])
        version: ReadVersion = None
        timestamp = None
        stream = None
        if node.stream is not None:
            version = stream = StreamRead(None if node.stream.name is None else node.stream.name.text)
        if isinstance(node.temporal, s.Changes):
            from grammar.builder.from_clause.table_changes import build_change_range

            version = yield build_change_range(self, node.temporal, tables)
        elif node.temporal is not None:
            if node.temporal.is_version:
                from grammar.builder.from_clause.table_changes import read_version

                version = read_version(node.temporal.value, self.language)
            elif _is_read_at_column(node):
                advice = _IN_FLINK if self.language.from_clause.joins_versions else _IN_SPARK
                raise Misread(node.temporal.position, _TEMPORAL_JOIN.format(advice))
            else:
                timestamp = yield self.expression(node.temporal.value, ClauseNames(Scope([])), tables)
                if isinstance(timestamp, UnresolvedCall):
                    timestamp = ExpressionResolver(ResolverScope(()), self.lookup).resolve(timestamp)
        options = build_read_options(self.expressions, node.options)
        operation = self.call_resolver(
            node.path.position, self.surroundings.find_table, names, version, timestamp, options
        )
        if stream is not None and node.temporal is not None:
            operation = operation.evolve(stream=stream)
        qualifier = names
        if isinstance(operation, Source) and operation.identifier.catalog is not None:
            qualifier = tuple([part for part in operation.identifier.parts if part])
        return Relation.of(operation, None, tuple([fold(part) for part in qualifier]))

    # --- joins -------------------------------------------------------------------------------------------------------

    def join(
        self,
        left: Relation,
        node: s.Join,
        parent: Scope | None,
        tables: Tables,
        hints: Hints | None = None,
    ) -> Steps:
        """Build the join of a relation with another one."""
        words = [word.text.upper() for word in node.words]
        natural = "NATURAL" in words
        kind = next((word for word in words if word in _JOIN_TYPES), "INNER")
        node.right = self.recognition.wrap_lateral(node.right)
        if node.match is not None:
            from grammar.builder.from_clause.as_of import build_as_of_join

            return (yield build_as_of_join(self, left, node, parent, tables, hints or {}))
        if self.language.from_clause.joins_versions and _is_read_at_column(node.right, left):
            from grammar.builder.from_clause.temporal_joins import build_temporal_join

            return (yield build_temporal_join(self, left, node, parent, tables, hints or {}))
        if type(node.condition) is s.Nearest:
            from grammar.builder.from_clause.nearest import nearest_joined, require_nearest

            nearest_type = require_nearest(node, words, self.language)
            right = yield self.primary(node.right, parent, tables, hints or {})
            return (yield nearest_joined(self, left, right, nearest_type, node.condition, parent, tables))
        if natural and (node.condition is not None or node.using is not None):
            message = "NATURAL joins by the columns of one name: there is neither ON nor USING beside it."
            raise Misread(node.position, message, "PARSE_SYNTAX_ERROR")
        if type(node.right) is s.Lateral and not _LATERAL_TYPES.issuperset(words):
            raise Misread(
                node.right.position,
                "A relation that refers to the one before it, with LATERAL, is joined with [INNER] JOIN, CROSS JOIN or "
                "LEFT JOIN alone.",
                "INVALID_LATERAL_JOIN_TYPE",
            )
        if "SEMI" in words or "ANTI" in words:
            if natural:
                raise Misread(
                    node.position, "Spark has no NATURAL join that is SEMI or ANTI; name the columns with USING (…)."
                )
            right = yield self.primary(node.right, parent, tables, hints or {})
            shared = find_shared_keys(left, right, node, is_natural=natural)
            from grammar.builder.from_clause.semi_joins import semi_joined

            relation = yield semi_joined(self, left, node, right, shared, "ANTI" in words, parent, tables)
            relation = put_keys_first(relation, [ours for ours, _ in shared or ()])
            relation.tested = left.tested | {c.qualifier[-1] for c in right.columns if c.qualifier}
            return relation
        join_type = _JOIN_TYPES[kind]
        if type(node.right) is s.Lateral:
            if natural or node.using is not None:
                raise Misread(
                    node.position, "A lateral join has neither NATURAL nor USING; write its condition with ON."
                )
            return (yield self.lateral(left, node.right.relation, join_type, node.condition, parent, tables))
        right = yield self.primary(node.right, parent, tables, hints or {})
        shared = find_shared_keys(left, right, node, is_natural=natural)
        if shared is not None:
            return join_by_names(self, left, right, join_type, shared, node.position)
        if node.condition is None:
            return self.build_join(left, right, join_type, None, node.position)
        ours, columns, theirs = prepare_join_sides(left, right)
        self.noted.note_same(right.operation, theirs.operation)
        condition = yield self.expression(node.condition, ClauseNames(Scope(columns, parent)), tables)
        near = ErrorOrigins({"ON": [node.condition]}, [condition], Scope(columns, parent), ours.operation, self.places)
        return self.build_join(ours, theirs, join_type, condition, node.condition.position, near)

    def build_join(
        self,
        left: Relation,
        right: Relation,
        join_type: JoinType,
        condition: Expression | None,
        position: int,
        near: ErrorOrigins | None = None,
    ) -> Relation:
        """Build a join. Fields of the right side that equal fields of the left side are renamed."""
        right = self.noted.keep_apart(left, right)
        if left.operation is SINGLE_ROW:
            return right
        sides = (left.operation, right.operation)
        made = self.call_resolver(position, join_tables, *sides, join_type, condition, self.lookup, near=near)
        self.noted.note_sides(made, left, right)
        return Relation(made, list_join_columns(left, right, made), tested=left.tested | right.tested)

    # --- lateral joins -----------------------------------------------------------------------------------------------

    def lateral(
        self,
        left: Relation,
        node: Any,
        join_type: JoinType,
        condition: Any,
        parent: Scope | None,
        tables: Tables,
    ) -> Steps:
        """Build a lateral join: each row of a relation with the rows of a function or query computed from it."""
        scope, join = Scope(left.columns, parent), _Lateral(left, join_type, condition, node.position, parent, tables)
        if isinstance(node, s.TableFunction):
            from grammar.builder.from_clause.process_calls import process_function

            process = process_function(self.lookup, node.call)
            if process is not None:
                raise Misread(
                    node.position,
                    f"The process table function {process.sql_name} sees tables, and not a row of another relation; it "
                    "stands in FROM without LATERAL.",
                )
            require_plain(node, self.language)
            function = yield self.expression(node.call, ClauseNames(scope), tables)
            function = self._choose_unnest(function, left.operation, node)
            if node.ordinality is not None:
                return (yield self._join_with_ordinality(join, function, node))
            names = name_unnested_columns(node, self.language)
            return (yield self._join_function(join, function, node.alias, names, _mismatch(node)))
        inner = yield self.primary(node, scope, tables, {})
        shown = self.visible(inner).renamed(inner.columns[0].qualifier if inner.columns else ())
        unique = attrs.evolve(shown.without(left.operation.schema.names), alias=inner.alias)
        right: Expression = TableReference(unique.operation)
        return (yield self._join_lateral(join, right, unique))

    def lateral_view(self, relation: Relation, view: s.LateralView, parent: Scope | None, tables: Tables) -> Steps:
        """Apply a lateral view to a relation."""
        function = yield self.expression(view.call, ClauseNames(Scope(relation.columns, parent)), tables)
        join_type = JoinType.LEFT_OUTER if view.outer else JoinType.INNER
        alias = s.Alias(view.name.position, view.name, view.columns or None)
        join = _Lateral(relation, join_type, None, view.position, parent, tables)
        return (yield self._join_function(join, function, alias, None, "UDTF_ALIAS_NUMBER_MISMATCH"))

    def _join_function(
        self,
        join: _Lateral,
        function: Expression,
        alias: s.Alias | None,
        names: Sequence[str] | None,
        mismatch: str = _ARITY,
    ) -> Steps:
        """Join each row with the rows of a table function.

        Args:
            join: the lateral join.
            function: the call of the table function.
            alias: the alias of its rows.
            names: the names of its columns, if they are not its own and the alias gives none.
            mismatch: Spark's error condition for a wrong number of names in the alias.
        """
        left, position = join.left, join.position
        resolver = ExpressionResolver(ResolverScope((left.operation.schema,)), self.lookup, table_function=function)
        resolved = self.call_resolver(position, resolver.resolve, function)
        if isinstance(resolved, Call) and resolved.function.kind in (FunctionKind.SCALAR, FunctionKind.AGGREGATE):
            message = f"{resolved.function.sql_name} gives one value, and no rows. A table function is expected here, "
            raise Misread(position, message + "such as EXPLODE(…).", "NOT_A_TABLE_FUNCTION")
        if not isinstance(resolved, Call) or not hasattr(resolved.data_type, "fields"):
            raise Misread(position, "A table function is expected here, such as EXPLODE(…).", "NOT_A_TABLE_FUNCTION")
        from ir.operations.lateral import right_columns

        given = right_columns(resolved)
        shown = [column.name for column in given] if names is None else list(names)
        if alias is not None and alias.columns is not None:
            shown = [name.text for name in alias.columns]
            if len(shown) != len(given):
                message, _ = wrong_count(len(shown), [column.name for column in given])
                raise Misread(alias.columns[0].position, message, mismatch)
        unique = make_distinct(shown, left.operation.schema.names)
        qualifier = _default_qualifier(resolved.function) if alias is None else (fold(alias.name.text),)
        fields = [FieldReference(n, c.data_type, 0, i) for i, (n, c) in enumerate(zip(unique, given, strict=True))]
        columns = [Column(name, qualifier, field) for name, field in zip(shown, fields, strict=True)]
        right = UnresolvedAlias(function, unique[0], tuple(unique[1:]))
        rows = Relation(left.operation, columns, alias=None if alias is None else alias.name.text)
        return (yield self._join_lateral(join, right, rows))

    def _join_with_ordinality(self, join: _Lateral, function: Expression, node: s.TableFunction) -> Steps:
        """Join each row with the elements of a collection and their numbers from 1 in the last column."""
        assert node.ordinality is not None
        if not isinstance(function, UnresolvedCall) or function.function not in (EXPLODE, INLINE):
            message = "WITH ORDINALITY is for UNNEST; POSEXPLODE gives elements with their positions."
            raise Misread(node.ordinality, message)
        from_clause = self.language.from_clause
        of_rows = function.function is INLINE
        names = None if node.alias is None else node.alias.columns
        several = name_unnested_columns(node, self.language)
        alias = node.alias
        if alias is not None and names is not None:
            # In POSEXPLODE the number comes first; the fields of rows become columns below.
            element = [s.Name(alias.position, "element", True)] if of_rows else names[:-1]
            alias = s.Alias(alias.position, alias.name, [names[-1], *element])

        def numbered(columns: Sequence[Column]) -> list[Column]:
            """Move the position of POSEXPLODE behind the elements, and count it from 1."""
            number, *elements = columns
            given: list[tuple[str, ResolvedExpression]] = [(c.name, c.field) for c in elements]
            if of_rows:
                row = elements[0].field
                assert isinstance(row.data_type, RowType)
                fields = [f.name for f in row.data_type.fields]
                given = [(n, call(GET, (row, literal(f)))) for n, f in zip(several or fields, fields, strict=True)]
            counted: ResolvedExpression = number.field
            if counted.data_type.as_nullable() is not from_clause.ordinality_type:
                counted = call(CAST, (counted, TypeLiteral(from_clause.ordinality_type)))
            called = number.name if names is not None else from_clause.ordinality
            given.append((called, call(PLUS, (counted, literal(1)))))
            shown = [name for name, _ in given] if names is None else [name.text for name in names]
            if len(shown) != len(given):
                message, condition = wrong_count(len(shown), [name for name, _ in given])
                raise Misread(node.position, message, condition)
            found = [expression for _, expression in given]
            return [column_of(name, number.qualifier, e) for name, e in zip(shown, found, strict=True)]

        posexplode = attrs.evolve(function, function=POSEXPLODE)
        relation = yield self._join_function(attrs.evolve(join, seen=numbered), posexplode, alias, None)
        width = len(join.left.columns)
        own = relation.columns[:width]
        added = numbered(relation.columns[width:])
        unique = make_distinct([column.name for column in added], [column.field.name for column in own])
        made = project(
            relation.operation,
            (*[column.field for column in own], *[column.field for column in added]),
            (*[column.field.name for column in own], *unique),
        )
        places = [field(made, index) for index in range(len(made.schema))]
        columns = [c.moved(f) for c, f in zip([*own, *added], places, strict=True)]
        return Relation(made, columns)

    def _join_lateral(self, join: _Lateral, right: Expression, rows: Relation) -> Steps:
        """Build a lateral join with its right side, whose columns are those of ``rows``."""
        left, condition, predicate = join.left, join.condition, None
        if condition is not None:
            theirs = [c.moved(c.field.evolve(input_index=1)) for c in rows.columns]
            theirs = theirs if join.seen is None else join.seen(theirs)
            names = ClauseNames(Scope([*left.columns, *theirs], join.parent))
            predicate = yield self.expression(condition, names, join.tables)
            if self.language.from_clause.limits_lateral_conditions:
                refuse_queries(
                    walk_written_parts([predicate]), "ON of a lateral join", condition.position, "write it in WHERE"
                )
                self.call_resolver(condition.position, _refuse_outer_references, predicate)
        by = (left.operation, right, join.join_type, predicate, self.lookup, "A lateral join")
        from ir.resolution.lateral import join_lateral

        made = self.call_resolver(join.position, join_lateral, *by)
        # The condition of an inner join is a filter over it.
        joined = made.input if isinstance(made, Filter) else made
        self.noted.note_sides(joined, left, rows)
        columns = list_join_columns(left, Relation(left.operation, list(rows.columns)), made)
        return Relation(made, columns, left_widths=(len(left.columns), *left.left_widths), tested=left.tested)

    def table_function(self, node: s.TableFunction, parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a table function that is not lateral."""
        settle(self.expressions, node.call)
        if is_identifier_clause(node.call):
            path = identifier_path(self.expressions, node.call)
            return (
                yield self.table(
                    build_table_reference(node, path, self.reached_by_limit_all, node.options), parent, tables
                )
            )
        if node.options:
            message = "WITH (…) gives options to a table; a function that gives rows takes none."
            raise Misread(node.position, message, "PARSE_SYNTAX_ERROR")
        from grammar.builder.from_clause.changelogs import build_changelog, is_changelog_function
        from grammar.builder.from_clause.process_calls import process_function, process_relation
        from grammar.builder.from_clause.table_changes import build_table_changes, is_table_changes

        if is_table_changes(node.call):
            return (yield build_table_changes(self, node, tables))
        process = process_function(self.lookup, node.call)
        if process is not None:
            return (yield process_relation(self, node.call, process, tables))
        if is_window_function(node.call):
            return (yield windowed_relation(self, node, parent, tables))
        if is_changelog_function(node.call):
            return (yield build_changelog(self, node.call, tables))
        require_plain(node, self.language)
        function = yield self.expression(node.call, ClauseNames(Scope([], parent, _WITHOUT_LATERAL)), tables)
        function = self._choose_unnest(function, SINGLE_ROW, node)
        join = _Lateral(Relation(SINGLE_ROW, []), JoinType.INNER, None, node.position, parent, tables)
        if node.ordinality is not None:
            return (yield self._join_with_ordinality(join, function, node))
        names = name_unnested_columns(node, self.language)
        return (yield self._join_function(join, function, node.alias, names, _mismatch(node)))


def _is_read_at_column(node: Any, left: Relation | None = None) -> bool:
    """Whether AS OF of a table names a column, of the relation before it if it is one name alone."""
    if type(node) is not s.Table or type(node.temporal) is not s.Temporal:
        return False
    value = node.temporal.value
    if node.temporal.is_version or type(value) is not s.Path:
        return False
    return len(value.names) > 1 or (left is not None and Scope(left.columns).own(value) is not None)


def _refuse_outer_references(predicate: Expression) -> None:
    """Refuse a column of the query around in the condition of a lateral join, where Spark knows the two sides alone.

    Raises:
        ValidationException: the condition has such a column.
    """
    for part in walk_written_parts([predicate]):
        if isinstance(part, OuterReference):
            raise ValidationException(
                f"ON of a lateral join holds the column {part.name!r} of the query around it, and Spark takes only "
                "columns of the two sides there. Write the condition in WHERE.",
                condition="UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE",
                part=part,
            )


def _mismatch(node: s.TableFunction) -> str:
    """Return Spark's error condition for a wrong number of column aliases of a table function."""
    is_special = is_unnest(node) or node.call.form == "json_table"
    return _ARITY if is_special else "NUM_TABLE_VALUE_ALIASES_MISMATCH"


def _default_qualifier(function: FunctionDefinition) -> tuple[str, ...]:
    """Return the qualifier of the columns of a table function without an alias: the name of a user-defined function."""
    return () if function.user_code.identifier is None else (fold(function.user_code.identifier.name),)


_JOIN_TYPES = {
    "INNER": JoinType.INNER,
    "CROSS": JoinType.INNER,
    "LEFT": JoinType.LEFT_OUTER,
    "RIGHT": JoinType.RIGHT_OUTER,
    "FULL": JoinType.FULL_OUTER,
}
