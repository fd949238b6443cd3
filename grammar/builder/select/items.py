"""Builds the columns of a SELECT in an order in which each can be resolved."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import AMBIGUOUS, ClauseNames
from grammar.builder.column_names.collated_names import collations_in_name
from grammar.builder.expressions import calls
from grammar.builder.query_parts import Attempt, Steps, Tables
from grammar.builder.scopes import Column, Scope, column_of
from grammar.builder.select.generators import Generators, GroupedTableFunction, Item, is_generator
from grammar.builder.select.grouping import contains_part, is_aggregate
from grammar.builder.select.sort_keys import walk_other_parts
from grammar.builder.select.stars import star_of
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.errors import TableException
from ir.expressions import Expression, FieldReference
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.operation import QueryOperation
from ir.unresolved import UnresolvedCall


@attrs.define(eq=False)
class _Reading:
    """The state of reading the columns of a SELECT.

    Attributes:
        operation: The input rows, joined with the table functions read so far.
        items: The columns of each item of the SELECT list.
        late: The table functions that are computed from groups.
        given: The columns of table functions, which other columns may use.
    """

    operation: QueryOperation
    items: list[list[Item]]
    late: list[GroupedTableFunction] = attrs.field(factory=list)
    given: list[Column] = attrs.field(factory=list)


@attrs.frozen(eq=False)
class _Postponed:
    """A column with an unknown name, to be retried because a table function may define the name."""

    index: int
    names: ClauseNames
    error: Misread


class SelectItems(Generators):
    """Builds the columns of a SELECT."""

    def items(
        self, node: s.Select, operation: QueryOperation, names: ClauseNames, tables: Tables, grouped: bool
    ) -> Steps:
        """Build the columns of a SELECT, and join its table functions to the operation.

        The table functions of a grouped SELECT are joined later, to the groups. They are returned as the third value.
        """
        read = _Reading(operation, [[] for _ in node.items])
        aliases, generated = dict(names.aliases), dict(names.generated)
        # In Spark, any column of the SELECT may use the output of a table function, whatever their order.
        may_wait = not grouped and len(node.items) > 1 and any(map(self._gives_rows, node.items))
        postponed: list[_Postponed] = []
        # ``aliases`` and ``generated`` grow while columns are read, so that later columns see earlier names.
        before = attrs.evolve(names, aliases=aliases, generated=generated, by_alias=[])
        written: set[str] = set()
        for index, item in enumerate(node.items):
            steps = self._item(index, item, read, before, tables, grouped)
            made = yield Attempt(steps) if may_wait else steps
            if isinstance(made, Misread):
                if not (made.condition or "").startswith("UNRESOLVED_COLUMN"):
                    raise postponed[0].error if postponed else made
                then = attrs.evolve(names, aliases=dict(aliases), generated=dict(generated))
                postponed.append(_Postponed(index, then, made))
                continue
            for name, expression, is_generated in made:
                bind_name(generated if is_generated else aliases, name, expression)
                if type(item) is s.Aliased and fold(name) in written:
                    # Spark reports two equal aliases as ambiguous, even of the same column.
                    aliases[fold(name)] = AMBIGUOUS
            written |= {fold(name) for name, _, _ in made} if type(item) is s.Aliased else set()
        if postponed:
            yield self._read_postponed(node, postponed, read, tables)
        items = [item for of_one in read.items for item in of_one]
        if node.items and not items and not read.late:
            items.append(_make_placeholder(node.items[0].position))
        return items, read.operation, read.late

    def _read_postponed(self, node: s.Select, postponed: list[_Postponed], read: _Reading, tables: Tables) -> Steps:
        """Retry the postponed columns until none remains or no more can be read.

        Raises:
            Misread: a name is still unknown.
        """
        first = postponed[0].error
        aliases: list[tuple[int, str, Expression]] = []
        while postponed:
            waiting: list[_Postponed] = []
            for one in postponed:
                scope = one.names.scope
                known = {fold(column.name) for column in scope.columns}
                given = [column for column in read.given if fold(column.name) not in known]
                before = dict(one.names.aliases)
                for index, name, expression in aliases:
                    if index < one.index:
                        bind_name(before, name, expression)
                names = attrs.evolve(one.names, scope=Scope([*scope.columns, *given], scope.parent), aliases=before)
                made = yield Attempt(self._item(one.index, node.items[one.index], read, names, tables, False))
                if isinstance(made, Misread):
                    waiting.append(one)
                else:
                    aliases += [(one.index, name, expression) for name, expression, _ in made]
            if len(waiting) == len(postponed) or read.late:
                raise first
            postponed = waiting

    def _gives_rows(self, item: Any) -> bool:
        """Whether a column is a call of a table function."""
        call = item.expression if type(item) is s.Aliased else item
        if not self.language.clauses.table_functions or type(call) is not s.Call:
            return False
        try:
            return self.lookup.find(calls.function_name(call)).kind is FunctionKind.TABLE
        except TableException:
            return False

    def _item(self, index: int, item: Any, read: _Reading, names: ClauseNames, tables: Tables, grouped: bool) -> Steps:
        """Build one item of the SELECT list, and return the names that it defines for later columns.

        Each name is returned with its expression and whether Spark generated the name.
        """
        items = read.items[index]
        written = calls.read_unit_as_alias(item, self.language)
        inner, given = written, None
        if type(written) is s.Aliased:
            inner, given = written.expression, written.names
        if type(inner) is s.Star:
            if given is not None:
                raise Misread(given[0].position, "The star stands for several columns and has no alias.")
            items += [Item(c.field, c.name, inner.position, False, None, True) for c in star_of(inner, names)]
            return ()
        position = inner.position if isinstance(inner, s.Syntax) else written.position
        found = names.by_alias
        found.clear()
        names.stars.clear()
        expression = yield self.expression(inner, names, tables)
        by_alias, aggregates, of_star = None, False, bool(names.stars)
        if found:
            by_alias = found[0][0]
            own = walk_other_parts(expression, [alias for _, alias in found])
            aggregates = any(map(is_aggregate, own))
        if is_generator(expression):
            _require_generator(expression, position)
            if grouped or contains_part(expression.arguments, is_aggregate):
                read.late.append(GroupedTableFunction(expression, given, position, sum(map(len, read.items))))
                items += read.late[-1].inputs
                return ()
            read.operation, columns = self.join_table_function(read.operation, expression, given, position)
            items += columns
            if not self.language.names.lateral_aliases:
                return ()
            read.given += [column_of(column.name, (), column.expression) for column in columns]
            return [(column.name, column.expression, False) for column in columns]
        if given is None:
            collations = collations_in_name(expression, read.operation, self.lookup, position)
            shown = self.output_names.of(inner, names, collations)
            items.append(Item(expression, shown, position, False, by_alias, of_star, aggregates))
            # A variable keeps its own name, which must not hide the variable.
            is_variable = type(inner) is s.Path and self.expressions.is_variable(inner)
            if not self.language.names.lateral_aliases or isinstance(expression, FieldReference) or is_variable:
                return ()
            # A field of a column defines its name as an alias does; a generated name only applies if nothing else has
            # it.
            return [(shown, expression, type(inner) is not s.Path)]
        if len(given) > 1:
            message = "Several names are for functions that give several columns."
            raise Misread(given[1].position, message, "PARSE_SYNTAX_ERROR")
        items.append(Item(expression, given[0].text, position, True, by_alias, of_star, aggregates))
        return [(given[0].text, expression, False)] if self.language.names.lateral_aliases else ()


def _require_generator(call: UnresolvedCall, position: int) -> None:
    """Reject a user's table function in a SELECT list, because Spark accepts it only in FROM.

    Raises:
        Misread: the function is user-defined.
    """
    function = call.function
    if isinstance(function, FunctionDefinition) and not function.is_built_in:
        message = (
            f"{function.name} is a table function, which stands in FROM: FROM {function.name}(…), or "
            f"FROM t, LATERAL {function.name}(…) for each row of t."
        )
        raise Misread(position, message, "NOT_A_SCALAR_FUNCTION")


def bind_name(names: dict[str, Expression], name: str, expression: Expression) -> None:
    """Bind a name to an expression; a name with two different expressions is ambiguous."""
    if names.setdefault(fold(name), expression) is not expression:
        names[fold(name)] = AMBIGUOUS


def _make_placeholder(position: int) -> Item:
    """Return the placeholder column of a SELECT without columns."""
    return Item(literal(1), "EXPR$0", position, True, is_nothing=True)
