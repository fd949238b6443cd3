"""Builds operations from queries, with the same functions as the fluent API.

Every method that may build a subquery is a generator, which yields the generator of the subquery. ``run`` keeps these
on a list, so that queries may be nested thousands of levels deep without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.column_names.output_names import OutputNames
from grammar.builder.context import Checking, Places, Surroundings
from grammar.builder.error_origins import ErrorOrigins
from grammar.builder.expected_columns import ExpectedColumns
from grammar.builder.expressions.builder import ExpressionBuilder
from grammar.builder.expressions.computed_identifiers import identifier_path
from grammar.builder.expressions.joined_strings import display_parameter
from grammar.builder.from_clause.relation_names import NotedNames
from grammar.builder.from_clause.values import inline_values
from grammar.builder.limit_all import build_table_reference, find_reached_tables, has_limit_all
from grammar.builder.query_parts import Attempt, Steps, Tables
from grammar.builder.scopes import Relation, Scope, wrong_count
from grammar.builder.select.pipes import PipeSteps
from grammar.errors import Misread
from grammar.language import Language
from grammar.parser import Parser
from ir import light_attrs as attrs
from ir.contents import OUTER, UNBOUNDED
from ir.equal_names import give_equal_names
from ir.errors import TableException, listing
from ir.expressions import OuterReference
from ir.identifiers import fold
from ir.implicit_notices import add_positions
from ir.names import make_distinct
from ir.operations.no_columns import drop_columns
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperationType
from ir.resolution.operations import distinct_rows
from ir.resolution.set_operations import combine_sets

_T = TypeVar("_T")


def run(steps: Steps) -> Any:
    """Run a generator that yields further generators, to any depth, and return its result."""
    stack = [steps]
    value: Any = None
    # The stack depths of the pending Attempts.
    attempts: list[int] = []
    while True:
        try:
            following = stack[-1].send(value)
        except StopIteration as done:
            stack.pop()
            value = done.value
            if not stack:
                return value
            if attempts and attempts[-1] == len(stack):
                attempts.pop()
        except Misread as error:
            if not attempts:
                raise
            del stack[attempts.pop() :]
            value = error
        else:
            if type(following) is Attempt:
                attempts.append(len(stack))
                following = following.steps
            stack.append(following)
            value = None


class QueryBuilder(PipeSteps):
    """Builds the queries of one text."""

    def __init__(self, surroundings: Surroundings, language: Language, reader: Parser, places: Places) -> None:
        self._target = surroundings.lookup if isinstance(surroundings.lookup, Checking) else None
        self._positions: dict[QueryOperation, int] = {}
        self.recognition = language.recognition()
        lookup = self.recognition.wrap_lookup(surroundings.lookup)
        if lookup is not surroundings.lookup:
            surroundings = attrs.evolve(surroundings, lookup=lookup)
        self.surroundings = surroundings
        self.language = language
        self.lookup = lookup
        self.places = places
        written = places.text.lower()
        self.has_windows = "window" in written
        self.has_several_overs = written.count("over") > 1
        self.expressions = ExpressionBuilder(surroundings, language, reader, places)
        self.recursive_names: set[str] = set()
        self.has_recursions = "recursive" in written
        self.reached_by_limit_all: dict[int, Any] = {}
        self.noted = NotedNames()
        self.mentioned = None
        self.read_before: dict[int, tuple[Relation, s.Path]] = {}
        self.expected = ExpectedColumns(surroundings.expected, self.lookup)
        self.output_names = OutputNames(
            language,
            self.expressions.constant,
            partial(display_parameter, self.expressions),
            lambda call: identifier_path(self.expressions, call),
            self.expressions.queries,
            self.expressions.written_functions,
            self.expressions.shown_variables,
            self.expressions.separate_patterns,
            places.text,
            surroundings.time_zone,
        )

    # --- shared by all parts -----------------------------------------------------------------------------------------

    def expression(self, node: Any, names: ClauseNames, tables: Tables) -> Steps:
        """Build an expression. Its subqueries see the scope of ``names`` and the tables."""
        steps = self.expressions.build(node, names)
        value: Any = None
        while True:
            try:
                query, scope = steps.send(value)
            except StopIteration as done:
                return done.value
            value = yield self.query(query, scope, tables)

    def call_resolver(
        self, position: int, make: Callable[..., _T], *arguments: Any, near: ErrorOrigins | None = None
    ) -> _T:
        """Call a function of the resolver, and locate its errors at the part that caused them.

        ``near`` is searched for the part that an error names, if the part has no known position.
        """
        try:
            found = make(*arguments)
        except TableException as error:
            if error.is_located:
                raise
            if isinstance(error.part, OuterReference) and self.places.knows(error.part):
                error.written = error.part
            if near is not None:
                error.names = near.scope.names_in_text()
                if error.part is not None and self.places.of(error) is None:
                    position = near.place_of(error, self.lookup) or position
            located = self.places.error(error, position)
            located.is_located = True
            raise located from None
        add_positions(self.places.of, position, None if near is None else near.scope.names_in_text)
        if isinstance(found, QueryOperation) and (self._target is not None or found.contents & UNBOUNDED):
            # A clause may become several operations, as GROUP BY a grouping below a projection.
            waiting: list[QueryOperation] = [found]
            while waiting:
                made = waiting.pop()
                if made not in self._positions:
                    self._positions[made] = position
                    waiting += made.inputs
        return found

    def require_target(self, operation: QueryOperation) -> None:
        """Check that the engine, for which the surroundings' lookup is, has what a built query needs.

        Raises:
            TableException: the engine lacks something; the message has the position of the operation.
        """
        if self._target is not None:
            self._locate(self._target.check, operation)

    def require_output_mode(self, operation: QueryOperation) -> None:
        """Check that some output mode can run a built query if it is over a stream.

        Raises:
            ValidationException: no mode can; the message has the position of the operation.
        """
        if operation.contents & UNBOUNDED:
            from ir.streaming.rules import require_some_mode

            self._locate(require_some_mode, operation)

    def _locate(self, check: Callable[[QueryOperation], None], operation: QueryOperation) -> None:
        try:
            check(operation)
        except TableException as error:
            position = self._positions.get(error.part) if isinstance(error.part, QueryOperation) else None
            if error.is_located or position is None:
                raise
            raise self.places.error(error, position) from None

    # --- queries -----------------------------------------------------------------------------------------------------

    def query(self, node: Any, parent: Scope | None, tables: Tables) -> Steps:
        """Build the relation of a query."""
        kind = type(node)
        if kind is s.Select:
            return (yield self.select(node, [], parent, tables))
        if kind is s.Modified:
            self._note_limit_all(node, tables)
            if type(node.query) is s.Select:
                return (yield self.select(node.query, node.modifiers, parent, tables))
            if type(node.query) is s.FromFirst:
                return (yield self._from_first(node.query, node.modifiers, parent, tables))
            inner = yield self.query(node.query, parent, tables)
            return (yield self.apply(inner, node.modifiers, parent, tables))
        if kind is s.With:
            tables = yield self._with(node, parent, tables)
            return (yield self.query(node.query, parent, tables))
        if kind is s.SetOperation:
            return (yield self._set_operations(node, parent, tables))
        if kind is s.InlineValues:
            return (yield inline_values(self, node, parent, tables))
        if kind is s.TableQuery:
            return (
                yield self.table(build_table_reference(node, node.table, self.reached_by_limit_all), parent, tables)
            )
        if kind is s.FromFirst:
            return (yield self._from_first(node, [], parent, tables))
        if kind is s.Pipe:
            return (yield self.pipes(node, parent, tables))
        raise Misread(getattr(node, "position", 0), "A query is expected here.")

    def _note_limit_all(self, node: s.Modified, tables: Tables) -> None:
        if self.has_recursions and has_limit_all(node.modifiers):
            reached = find_reached_tables(node, is_in_with=bool(tables))
            self.reached_by_limit_all.update((id(table), table) for table in reached)

    def _from_first(self, node: s.FromFirst, modifiers: Sequence[Any], parent: Scope | None, tables: Tables) -> Steps:
        """Build the union of all SELECTs after one FROM. The modifiers belong to the last SELECT, as in Spark."""
        every = s.Select(node.position, [], None, [s.Star(node.position, None, None)], [])
        selects = node.selects or [every]
        relation: Relation | None = None
        for select in selects:
            if any(isinstance(clause, s.From) for clause in select.clauses):
                raise Misread(select.position, "The query has FROM before SELECT and after it.")
            clauses = [node.source, *select.clauses]
            whole = s.Select(select.position, select.hints, select.quantifier, select.items, clauses, select.script)
            own = modifiers if select is selects[-1] else []
            made = yield self.select(whole, own, parent, tables)
            relation = (
                made if relation is None else self.build_set_operation("UNION", "ALL", relation, made, select.position)
            )
        return relation

    def _with(self, node: s.With, parent: Scope | None, tables: Tables) -> Steps:
        known = dict(tables)
        own: set[str] = set()
        for table in node.tables:
            name = fold(table.name.text)
            if name in own:
                message = f"WITH has two queries named {table.name.text!r}."
                raise Misread(table.name.position, message, "DUPLICATED_CTE_NAMES")
            own.add(name)
            if node.recursive and reads(table.query, name):
                known[name] = yield self._recursive(table, parent, known)
                continue
            relation = yield self.query(table.query, parent, known)
            made = self.with_columns(relation, table.columns, table.name.position)
            self.noted.note_step(made.operation, table.name.text)
            made.around = parent if made.operation.contents & OUTER else None
            known[name] = made
        return known

    def with_columns(self, relation: Relation, columns: Sequence[s.Name] | None, position: int) -> Relation:
        """Rename the columns of a relation to the names of a column list."""
        if columns is None:
            return relation
        if len(columns) != len(relation.names):
            raise Misread(position, *wrong_count(len(columns), relation.names))
        return relation.renamed((), [column.text for column in columns])

    # --- recursion ---------------------------------------------------------------------------------------------------

    def _recursive(self, table: s.CommonTable, parent: Scope | None, tables: Tables) -> Steps:
        """Build a recursive query: its base query, and its step, which reads the recursive name."""
        query, known = table.query, dict(tables)
        if type(query) is s.With:
            known = yield self._with(query, parent, known)
            query = query.query
        wanted = fold(table.name.text)
        if type(query) is s.Modified and len(query.modifiers) == 1 and has_limit_all(query.modifiers):
            # Outside the recursive query as a whole, LIMIT ALL applies to the other recursive queries that it reads.
            self._note_limit_all(query, known)
            query = query.query
        if type(query) is not s.SetOperation or query.operator != "UNION" or reads(query.left, wanted):
            raise Misread(
                table.name.position,
                f"The recursive query {table.name.text!r} must be a first query, which does not read it, UNION ALL a "
                "second one.",
                "INVALID_RECURSIVE_CTE",
            )
        if query.quantifier != "ALL":
            message = "A recursive query takes UNION ALL; Spark has no UNION there."
            raise Misread(query.position, message, "UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE")
        base = self.visible((yield self.query(query.left, parent, known)))
        names = base.names if table.columns is None else [column.text for column in table.columns]
        if len(names) != len(base.names):
            self.with_columns(base, table.columns, table.name.position)
        position = table.name.position
        # An outer recursive query of the same name may be read within this one, so that the reference gets a unique
        # name.
        name = table.name.text
        while fold(name) in self.recursive_names:
            name += "_"
        self.recursive_names.add(fold(name))
        from ir.operations.recursion import Recursion
        from ir.resolution.recursion import recursion, reference_to

        reference = self.call_resolver(position, reference_to, name, base.operation, make_distinct(names, ()))
        step_tables = {**known, wanted: Relation.of(reference, names)}
        step = self.visible((yield self.query(query.right, parent, step_tables)))
        self.recursive_names.discard(fold(name))
        limit = None if table.level is None else int(table.level.text)
        made = self.call_resolver(
            position, recursion, name, base.operation, step.operation, reference.schema.names, limit
        )
        relation = Relation.of(made, names)
        if isinstance(made, Recursion):
            relation.without_limit = Relation.of(made.evolve(is_unlimited=True), names)
        return relation

    # --- set operations ----------------------------------------------------------------------------------------------

    def _set_operations(self, node: s.SetOperation, parent: Scope | None, tables: Tables) -> Steps:
        """Build a left-deep chain of set operations, beginning with its first query."""
        chain: list[s.SetOperation] = []
        current: Any = node
        while type(current) is s.SetOperation:
            chain.append(current)
            current = current.left
        left = yield self.query(current, parent, tables)
        for operation in reversed(chain):
            right = yield self.query(operation.right, parent, tables)
            left = self.build_set_operation(operation.operator, operation.quantifier, left, right, operation.position)
        return left

    def build_set_operation(
        self, operator: str, quantifier: str | None, left: Relation, right: Relation, position: int
    ) -> Relation:
        """Build the set operation of two relations."""
        kind = SetOperationType.MINUS if operator == "EXCEPT" else SetOperationType[operator]
        sides = (self.visible(left).operation, self.visible(right).operation)
        widths = [len(side.names) for side in (left, right)]
        if widths[0] != widths[1]:
            columns = [f"{width} column{'' if width == 1 else 's'}" for width in widths]
            raise Misread(
                position,
                f"Both sides of {operator} must have the same number of columns, but the left has {columns[0]}, "
                f"[{listing(left.names)}], and the right {columns[1]}, [{listing(right.names)}].",
                "NUM_COLUMNS_MISMATCH",
            )
        combined = self.call_resolver(position, combine_sets, *sides, kind, quantifier == "ALL")
        made: QueryOperation = combined
        if left.is_cast or right.is_cast:
            made = self.recognition.recover_set_operation(combined, (left.is_cast, right.is_cast))
        if not widths[0]:
            return Relation(made, [])
        relation = Relation.of(made, left.names)
        # Spark casts a left column to a wider type, which makes it another column without a qualifier.
        types = zip(sides[0].schema.columns, made.schema.columns, strict=True)
        is_same = [ours.data_type.as_nullable() is both.data_type.as_nullable() for ours, both in types]
        shown = [column for column in left.columns if not column.hidden]
        for column, ours, same in zip(relation.columns, shown, is_same, strict=True):
            column.origin = ours.origin if same else None
        relation.sources = [q if same else () for q, same in zip(left.sources, is_same, strict=False)]
        for column, qualifier in zip(relation.columns, relation.sources, strict=False):
            column.qualifier = qualifier
        return relation

    def visible(self, relation: Relation) -> Relation:
        """Project a relation to the columns of its star."""
        fields = [column.field for column in relation.columns if not column.hidden]
        if not fields:
            return Relation(drop_columns(relation.operation), [])
        if [f.index for f in fields] == list(range(len(relation.operation.schema))):
            return relation
        return self.build_projection(relation.operation, fields, relation.names)

    def output(self, relation: Relation) -> Relation:
        """Return the relation of the outermost query, with its column names in the operation, too.

        A query of WITH or an aliased table may rename columns without a projection, so that one is added here.
        """
        relation = self.visible(relation)
        names = tuple(relation.names)
        if names == relation.operation.schema.names:
            return relation
        if len({fold(name) for name in names}) < len(names):
            return Relation(give_equal_names(relation.operation, names), relation.columns)
        return self.build_projection(relation.operation, [column.field for column in relation.columns], names)

    def distinct(self, relation: Relation, position: int) -> Relation:
        """Build the distinct rows of a relation."""
        return Relation(self.call_resolver(position, distinct_rows, relation.operation), relation.columns)


def reads(written: Any, name: str) -> bool:
    """Whether a query reads a table of a folded name, unless a WITH within the query defines that name."""
    stack = [written]
    while stack:
        part = stack.pop()
        if isinstance(part, (list, tuple)):
            stack += part
        elif isinstance(part, s.With):
            stack += _reading_outer(part, name)
        elif isinstance(part, s.Syntax):
            path = part.path if isinstance(part, s.Table) else part.table if isinstance(part, s.TableQuery) else None
            if path is not None and len(path.names) == 1 and fold(path.names[0].text) == name:
                return True
            stack += [getattr(part, field) for field in s.fields_of(part)]
    return False


def _reading_outer(node: s.With, name: str) -> list[Any]:
    """Return the parts of a query with WITH in which the WITH does not define the name."""
    parts: list[Any] = []
    for table in node.tables:
        if fold(table.name.text) == name:
            return parts if node.recursive else [*parts, table.query]
        parts.append(table.query)
    return [*parts, node.query]
