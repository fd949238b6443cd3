"""Builds unresolved expressions from syntax, the same as those of the fluent API.

An explicit stack replaces recursion, so that depth is unbounded. The builder yields each subquery to its caller, which
builds queries.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from grammar import syntax as s
from grammar.builder.clause_names import AMBIGUOUS, ClauseNames
from grammar.builder.column_names.display_functions import find_own_syntax
from grammar.builder.context import Places, Surroundings
from grammar.builder.expressions import calls, literals
from grammar.builder.expressions.chains import logical, operation
from grammar.builder.expressions.computed_identifiers import identifier_path, settle
from grammar.builder.expressions.extraction import comes_first, hides_elements, is_key_with_field
from grammar.builder.expressions.joined_strings import build_joined_text
from grammar.builder.expressions.named_windows import merge_base_windows, require_constants
from grammar.builder.expressions.operands import (
    Make,
    TableOf,
    build_order,
    build_over,
    build_scalar_subquery,
    exists_of,
    make_misplaced_error,
    minus_of,
    negation_of,
    operator,
    plus_of,
)
from grammar.builder.expressions.outer_aggregates import output_around, resolve_outer_aggregate
from grammar.builder.expressions.predicates import predicate
from grammar.builder.expressions.repeated_expressions import refuse_again
from grammar.builder.expressions.typed_literals import constant_of, moment_of_reading
from grammar.builder.expressions.variant_paths import path_of
from grammar.builder.paths import is_grouping_id, path_in_parentheses
from grammar.builder.recognition import CallReader, Recognition
from grammar.builder.scopes import Scope, fields_of, require_columns
from grammar.errors import Misread
from grammar.identifier_clause import is_identifier_clause
from grammar.language import Form, Language
from grammar.lexemes import Token
from grammar.parser import Parser
from grammar.type_names import build_plain_type, read_collation
from ir import light_attrs as attrs
from ir.errors import FunctionNotExistException, TableException, ValidationException, did_you_mean
from ir.expressions import Expression, TypeLiteral, ValueLiteral
from ir.functions import comparison as c
from ir.functions import logic as lg
from ir.functions.aggregate import GROUPING_ID, KEY_FUNCTIONS
from ir.functions.collations import COLLATE
from ir.functions.conversion import CAST
from ir.functions.definition import FunctionDefinition, FunctionKind
from ir.identifiers import fold
from ir.literals import literal
from ir.operations.operation import QueryOperation, TableReference
from ir.resolution.lookup import FunctionName, find_built_in, is_built_in_path
from ir.types import LogicalType
from ir.unresolved import UnresolvedCall, UnresolvedLambda, UnresolvedVariable

Query = tuple[Any, "Scope | None"]
"""A yielded subquery: its syntax, and the scope around it."""

Building = Generator[Any, Any, Expression]


@attrs.frozen(eq=False)
class _Leave:
    """Marks the end of a lambda's body, which restores the outer meaning of names."""

    names: ClauseNames


class ExpressionBuilder:
    """Builds the expressions of one text."""

    def __init__(self, surroundings: Surroundings, language: Language, reader: Parser, places: Places) -> None:
        self.language = language
        self._recognition = language.recognition()
        self.surroundings = surroundings
        self._reader = reader
        self.places = places
        self._markers: list[int] | None = None
        # The operations of the subqueries, by the identity of their syntax.
        self.queries: dict[int, QueryOperation] = {}
        # Spark's display form of session variables, by their folded names as written.
        self.shown_variables: dict[tuple[str, ...], str] = {}
        # The user-defined functions of calls, by the identity of their syntax.
        self.written_functions: dict[int, FunctionDefinition] = {}
        # The comparisons with several patterns that Spark makes one by one, by the identity of their syntax.
        self.separate_patterns: set[int] = set()
        # The calls with OVER, which are no group aggregates, by the identity of their syntax.
        self._over_windows: set[int] = set()

    # --- the walk ----------------------------------------------------------------------------------------------------

    def build(self, root: Any, names: ClauseNames) -> Building:
        """Build the unresolved expression; yield its subqueries.

        Raises:
            Misread: a name is unknown, or a part is misplaced.
        """
        kind = type(root)
        if kind is s.Path:
            return self._path(root, names, False)
        if kind is s.Number:
            return literals.number(root, self.language)
        work: list[tuple[Any, ...]] = [(root, False)]
        results: list[Any] = []
        while work:
            item = work.pop()
            node = item[0]
            if node is None:
                _, make, count, position = item
                if count:
                    made = make(results[-count:])
                    del results[-count:]
                else:
                    made = make([])
                results.append(made)
                if position is not None:
                    self.places.mark(made, *position)
                continue
            inside = item[1]
            kind = type(node)
            if kind is s.Path:
                results.append(self._path(node, names, inside))
            elif kind is TableOf:
                relation = yield node.query, names.scope
                if node.is_value:
                    require_columns(relation, node.query.position)
                self.queries[id(node.query)] = relation.operation
                results.append(TableReference(relation.operation))
            elif kind is s.Lambda:
                names = self._enter_lambda(node, inside, work, names)
            elif kind is _Leave:
                names = node.names
            elif kind is s.ScalarSubquery:
                work.append((None, build_scalar_subquery, 1, (node.position, ())))
                work.append((TableOf(node.query), inside))
            else:
                visit = _VISITS.get(kind)
                if visit is not None:
                    visit(self, node, inside, work, results, names)
                elif isinstance(node, Expression):
                    results.append(node)
                else:
                    raise make_misplaced_error(node)
        (result,) = results
        assert isinstance(result, Expression)
        return result

    def _enter_lambda(self, node: s.Lambda, inside: bool, work: list[Any], names: ClauseNames) -> ClauseNames:
        """Schedule the body of a lambda, and return the names of its scope."""
        self.language.refuse(Form.LAMBDA, node.position)
        parameters = tuple([UnresolvedVariable(name.text) for name in node.parameters])
        work.append((None, lambda o: UnresolvedLambda(parameters, o[0]), 1, (node.position, ())))
        work.append((_Leave(names), inside))
        work.append((node.body, inside))
        own = {fold(parameter.name): parameter for parameter in parameters}
        return attrs.evolve(names, variables={**names.variables, **own})

    def push(
        self,
        work: list[tuple[Any, ...]],
        make: Make,
        children: Sequence[Any],
        inside: bool,
        position: int | None = None,
    ) -> None:
        """Schedule the building of the children, then call ``make`` with their results."""
        work.append((None, make, len(children), None if position is None else (position, children)))
        for child in reversed(children):
            work.append((child, inside))

    # --- names -------------------------------------------------------------------------------------------------------

    def _path(self, path: s.Path, names: ClauseNames, inside: bool) -> Expression:
        word = calls.call_before_columns(path, self.language)
        if word is not None:
            return word
        if names.variables:
            variable = names.variables.get(fold(path.names[0].text))
            if variable is not None:
                made = fields_of(variable, path.names[1:])
                self._mark_fields(made, path)
                return made
        if names.outputs and (not inside or names.in_aggregates):
            found = names.outputs.get(fold(path.names[0].text))
            if names.grouped and found is not None and names.scope.is_among(path, names.grouped):
                found = None if is_key_with_field(path, names, self.surroundings.lookup) else found
            if found is not None and comes_first(found, path, names, self.surroundings.lookup):
                if found is not AMBIGUOUS:
                    if names.repeated:
                        refuse_again(found, path.position, path.names[0].text, of_groups=True)
                    return fields_of(found, path.names[1:])
                if names.scope.own(path) is None:
                    raise _ambiguous(path, "AMBIGUOUS_REFERENCE")
        own = names.own(path, inside)
        if own is not None:
            if type(own) is UnresolvedCall:
                self._mark_fields(own, path)
            return own
        before = self._lateral(path, names, names.aliases, inside)
        if before is not None:
            return before
        around = names.scope.parent
        if around is not None:
            found = names.scope.find(path)
            if found is None and around.outputs_of_groups:
                found = output_around(path, around, self.surroundings.lookup)
            if found is not None:
                self.places.mark(found, path.position)
                return found
        if len(path.names) == 1 and not path.names[0].quoted:
            niladic = calls.niladic(path.names[0].text, self.language)
            if niladic is not None:
                return UnresolvedCall(niladic, ())
        if is_grouping_id(path, self.language):
            return UnresolvedCall(GROUPING_ID, ())
        value = self.variable(path)
        if value is not None:
            return value
        before = self._lateral(path, names, names.generated, inside)
        if before is not None:
            return before
        raise names.unknown(path)

    def _lateral(
        self, path: s.Path, names: ClauseNames, called: Mapping[str, Expression], inside: bool
    ) -> Expression | None:
        """Return the expression of a lateral alias (an earlier column of the same SELECT), None if there is none."""
        alias = called.get(fold(path.names[0].text)) if called else None
        if alias is None:
            return None
        if alias is AMBIGUOUS:
            raise _ambiguous(path, "AMBIGUOUS_LATERAL_COLUMN_ALIAS")
        refuse_again(alias, path.position, path.names[0].text, of_groups=names.repeated)
        if fold(path.names[0].text) not in names.keys:
            if inside:
                raise _make_in_aggregate_error(path)
            names.by_alias.append((path, alias))
        return fields_of(alias, path.names[1:])

    def variable(self, path: s.Path) -> Expression | None:
        """Return the value of a session variable, or a field of it; None if no variable has the name."""
        if not self.language.names.variables:
            return None
        names = path.names
        before = [fold(name.text) for name in names[:2]]
        skipped = 2 if before == ["system", "session"] else 1 if before[:1] == ["session"] else 0
        if len(names) <= skipped:
            return None
        found = self.surroundings.find_variable(names[skipped].text)
        if found is None:
            return None
        self.shown_variables[tuple(map(fold, path.parts))] = ".".join([found.shown, *path.parts[skipped + 1 :]])
        return fields_of(found.value, names[skipped + 1 :])

    def is_variable(self, path: s.Path) -> bool:
        """Whether an already resolved name denotes a session variable or a field of one."""
        return tuple(map(fold, path.parts)) in self.shown_variables

    def _mark_fields(self, made: Expression, path: s.Path) -> None:
        for name in reversed(path.names):
            if type(made) is not UnresolvedCall:
                break
            self.places.mark(made, name.position)
            made = made.arguments[0]

    # --- leaves ------------------------------------------------------------------------------------------------------

    def _leaf(self, node: Any, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        moment = moment_of_reading(node, self.language) if type(node) is s.TypedText else None
        results.append(self.constant(node) if moment is None else moment[0])

    def constant(self, node: Any) -> ValueLiteral:
        """Return the constant that a literal denotes."""
        return constant_of(node, self.language, self.surroundings.time_zone)

    def _parameter(
        self, node: s.Parameter, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
    ) -> None:
        results.append(self.parameter(node))

    def parameter(self, node: s.Parameter) -> Expression:
        """Return the value of a parameter marker.

        Raises:
            Misread: the marker has no value.
        """
        given = self.surroundings.parameters
        if node.key is not None:
            if not isinstance(given, Mapping) or node.key not in given:
                known = list(given) if isinstance(given, Mapping) else []
                raise Misread(
                    node.position,
                    f"There is no value for the parameter :{node.key}; give it as params={{{node.key!r}: …}}."
                    + did_you_mean(node.key, known),
                    "UNBOUND_SQL_PARAMETER",
                )
            return given[node.key]
        if self._markers is None:
            self._markers = self._reader.positions_of(self.places.text, "QUESTION")
        number = self._markers.index(node.position)
        if isinstance(given, Mapping) or number >= len(given):
            count = 0 if isinstance(given, Mapping) else len(given)
            markers = "one marker" if len(self._markers) == 1 else f"{len(self._markers)} markers"
            raise Misread(
                node.position,
                f"The text has {markers}, and values were given for {count}: params=[…] in the order of the markers.",
                "UNBOUND_SQL_PARAMETER",
            )
        return given[number]

    def _not(self, node: s.Not, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        self.push(work, negation_of, [node.operand], inside, node.position)

    def _signed(self, node: s.Signed, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        if node.sign == "-" and type(node.operand) is s.Number:
            results.append(literals.number(node.operand, self.language, negative=True))
        elif node.sign == "~":
            definition = operator("~")
            self.push(work, lambda o: UnresolvedCall(definition, tuple(o)), [node.operand], inside, node.position)
        elif node.sign == "-":
            self.push(work, minus_of, [node.operand], inside, node.position)
        elif type(node.operand) is s.Number:
            work.append((node.operand, inside))
        else:
            self.push(work, plus_of, [node.operand], inside, node.position)

    def _parenthesised(
        self, node: s.Parenthesised, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
    ) -> None:
        mark = self._recognition.mark
        if mark is not None and type(node.inner) is s.Parenthesised:
            self.push(work, lambda o: UnresolvedCall(mark, tuple(o)), [node.inner.inner], inside, node.position)
            return
        work.append((node.inner, inside))

    # --- calls -------------------------------------------------------------------------------------------------------

    def definition(self, name: FunctionName, position: int) -> FunctionDefinition:
        """Return the function of a name.

        Raises:
            Misread: no function has the name.
        """
        try:
            return self.surroundings.lookup.find(name)
        except ValidationException as error:
            message = calls.explain_table_function(name) or error.in_sql
            raise Misread(position, message, error.condition, type(error)) from None
        except TableException as error:
            raise Misread(position, str(error), error.condition, type(error)) from None

    def _call(self, node: s.Call, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        settle(self, node)
        name = fold(node.function.names[-1].text)
        is_named_alone = len(node.function.names) == 1
        if is_named_alone or is_built_in_path(node.function.parts):
            if name == "identifier" and is_named_alone and is_identifier_clause(node):
                # Spark resolves lambda parameters before it evaluates IDENTIFIER, so they are out of scope here.
                results.append(self._path(identifier_path(self, node), attrs.evolve(names, variables={}), inside))
                return
            window_of = self._recognition.read_group_window(node)
            if window_of is not None:
                self.push(work, window_of, node.arguments, inside, node.position)
                return
            special = _find_special_reader(name, self._recognition)
            if special is not None and not (is_named_alone and self._is_users(node)):
                if name in ("struct", "row"):
                    node = calls.replace_arguments(node, calls.expand_stars(node.arguments, names))
                found = special(self, node)
                if isinstance(found, ValueLiteral):
                    results.append(found)
                    return
                if found is not None:
                    self._push_call(node, found[0], found[1], inside, work, names)
                    return
            if name == "exists" and node.form == "query":
                self.push(work, exists_of, [TableOf(node.arguments[0], is_value=False)], inside, node.position)
                return
        if node.form:
            raise calls.make_form_error(node)
        called = calls.function_name(node)
        if self.surroundings.resolves_functions_later and find_built_in(called) is None:
            distinct = node.quantifier == "DISTINCT"
            self.push(work, lambda o: UnresolvedCall(called, tuple(o), distinct), node.arguments, inside, node.position)
            return
        function = self.definition(called, node.position)
        self._push_call(node, function, node.arguments, inside, work, names)

    def _is_users(self, node: s.Call) -> bool:
        """Whether a name with a special call syntax denotes a user-defined function."""
        is_keyword = self.language.calls.are_keywords and not node.function.names[0].quoted
        if is_keyword or calls.has_own_form(node):
            return False
        try:
            return not self.surroundings.lookup.find(calls.function_name(node)).is_built_in
        except FunctionNotExistException:
            return False

    def _push_call(
        self,
        node: s.Call,
        function: FunctionDefinition,
        arguments: Sequence[Any],
        inside: bool,
        work: list[Any],
        names: ClauseNames,
    ) -> None:
        if not function.is_built_in:
            self.written_functions[id(node)] = function
        aggregates = function.kind is FunctionKind.AGGREGATE and function not in KEY_FUNCTIONS
        around = names.scope.parent if aggregates and names.is_where else None
        if around is not None and around.outputs_of_groups is None:
            around = None
        children = calls.order_call_arguments(self, node, function, arguments, names)
        calls.check_clauses(node, function)
        distinct, ignore, respect = node.quantifier == "DISTINCT", node.nulls == "IGNORE", node.nulls == "RESPECT"
        count = len(children)
        orders = node.within_group or []
        children = [*children, *[item.expression for item in orders]]
        has_filter = node.filter is not None
        if has_filter:
            children = [*children, node.filter]

        def make(operands: list[Expression]) -> Expression:
            condition = operands[-1] if has_filter else None
            ordering = tuple(
                [build_order(i, e) for i, e in zip(orders, operands[count : count + len(orders)], strict=True)]
            )
            call = UnresolvedCall(function, tuple(operands[:count]), distinct, condition, ignore, ordering, respect)
            if around is not None and id(node) not in self._over_windows:
                return resolve_outer_aggregate(call, around, self.surroundings.lookup)
            return call

        self.push(work, make, children, inside or aggregates, node.position)

    def _case(self, node: s.Case, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        children: list[Any] = [] if node.operand is None else [node.operand]
        for condition, result in node.branches:
            children += [condition, result]
        if node.otherwise is not None:
            children.append(node.otherwise)
        simple = node.operand is not None

        def make(operands: list[Expression]) -> Expression:
            if not simple:
                return UnresolvedCall(lg.CASE, tuple(operands))
            value, *rest = operands
            pairs = len(node.branches)
            for position in range(0, 2 * pairs, 2):
                rest[position] = UnresolvedCall(c.EQUALS, (value, rest[position]))
            return UnresolvedCall(lg.CASE, tuple(rest))

        self.push(work, make, children, inside, node.position)

    def _cast(self, node: s.Cast, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        self._push_cast(CAST, node.value, node.target, inside, work, node.position)

    def _collate(self, node: s.Collate, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        self.language.refuse(Form.COLLATION, node.position)
        collation = literal(read_collation(node.collation))
        self.push(work, lambda o: UnresolvedCall(COLLATE, (o[0], collation)), [node.value], inside, node.position)

    def _push_cast(
        self, function: FunctionDefinition, value: Any, target: Any, inside: bool, work: list[Any], position: int
    ) -> None:
        data_type = TypeLiteral(self.type_of(target))
        self.push(work, lambda o: UnresolvedCall(function, (o[0], data_type)), [value], inside, position)

    def type_of(self, target: s.TypeName | LogicalType) -> LogicalType:
        """Return the logical type of a written type."""
        if isinstance(target, LogicalType):
            return target
        return build_plain_type(Token(target.text, target.position), [], None, self.language)

    def _member(self, node: s.Member, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        path = path_in_parentheses(node, self.language)
        if path is not None:
            results.append(self._path(path, names, inside))
            return
        name = literal(node.name.text)
        self.push(work, lambda o: UnresolvedCall(calls.GET, (o[0], name)), [node.base], inside, node.position)

    def _variant_path(
        self, node: s.VariantPath, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
    ) -> None:
        from ir.functions.variant import VARIANT_GET

        path = literal(path_of(node, self.language))
        self.push(work, lambda o: UnresolvedCall(VARIANT_GET, (o[0], path)), [node.base], inside, node.position)

    def _subscript(
        self, node: s.Subscript, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
    ) -> None:
        constructor = calls.constructor(node)
        if constructor is not None and self.language.calls.bracket_constructors:
            self.push(work, lambda o: UnresolvedCall(constructor, tuple(o)), node.indices, inside, node.position)
            return
        if len(node.indices) != 1:
            if constructor is not None:
                name = calls.function_of(node)
                self.language.refuse(Form.BRACKET_CONSTRUCTOR, node.position, name=name.upper(), word=name.lower())
            raise Misread(node.position, "In brackets after an expression stands one index or key.")
        function = self.language.calls.element
        children = [node.base, node.indices[0]]
        self.push(work, lambda o: UnresolvedCall(function, tuple(o)), children, inside, node.position)
        if not inside and type(node.base) is s.Path and hides_elements(node.base, names, self.surroundings.lookup):
            # Inside another expression, a name denotes a column of FROM.
            work[-1] = (node.base, True)

    def _row(self, node: s.Row, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        self.push(
            work,
            lambda o: UnresolvedCall(calls.ROW, tuple(o)),
            calls.row_fields(calls.expand_stars(node.items, names), self),
            inside,
            node.position,
        )

    def _qualified(
        self, node: s.Qualified, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
    ) -> None:
        function, operands = calls.difference(node, self._recognition)
        self.push(work, lambda o: UnresolvedCall(function, tuple(o)), operands, inside, node.position)

    # --- windows -----------------------------------------------------------------------------------------------------

    def _over(self, node: s.Over, inside: bool, work: list[Any], results: list[Any], names: ClauseNames) -> None:
        from grammar.builder.expressions.within import refuse_aliases

        window = merge_base_windows(node.window, names.windows, self.language)
        partition = window.partition_by or []
        orders = window.order_by or []
        frame = window.frame
        bounds = [] if frame is None else [b for b in (frame.lower, frame.upper) if b is not None]
        offsets = [bound.offset for bound in bounds if bound.offset is not None]
        children = [node.call, *partition, *[order.expression for order in orders], *offsets]

        is_constant = self.language.clauses.constant_distances

        def make(o: list[Expression]) -> Expression:
            return build_over(o, len(partition), orders, frame, is_constant)

        if not isinstance(node.call, s.Call):
            raise Misread(node.position, "OVER follows the call of a function.")
        refuse_aliases(node, children, names)
        if is_constant:
            require_constants(offsets)
        self._over_windows.add(id(node.call))
        self.push(work, make, children, inside, node.position)


_VISITS: dict[type, Callable[..., None]] = {
    **dict.fromkeys((s.Number, s.Text, s.TypedText, s.Null, s.Boolean, s.Interval), ExpressionBuilder._leaf),
    s.Parameter: ExpressionBuilder._parameter,
    s.JoinedText: build_joined_text,
    s.Operation: operation,
    s.Logical: logical,
    s.Not: ExpressionBuilder._not,
    s.Signed: ExpressionBuilder._signed,
    s.Parenthesised: ExpressionBuilder._parenthesised,
    s.Predicate: predicate,
    s.Call: ExpressionBuilder._call,
    s.Case: ExpressionBuilder._case,
    s.Cast: ExpressionBuilder._cast,
    s.Collate: ExpressionBuilder._collate,
    s.Member: ExpressionBuilder._member,
    s.Subscript: ExpressionBuilder._subscript,
    s.VariantPath: ExpressionBuilder._variant_path,
    s.Row: ExpressionBuilder._row,
    s.Qualified: ExpressionBuilder._qualified,
    s.Over: ExpressionBuilder._over,
}


def _make_in_aggregate_error(path: s.Path) -> Misread:
    name = path.names[0].text
    message = (
        f"No aggregate is of {name}, which is an alias of the same SELECT. Write what it is computed of, or select it "
        f"in a subquery: SELECT … FROM (SELECT … AS {name} FROM …)."
    )
    return Misread(path.position, message, "UNSUPPORTED_FEATURE.LATERAL_COLUMN_ALIAS_IN_AGGREGATE_FUNC")


def _ambiguous(path: s.Path, condition: str) -> Misread:
    name = path.names[0].text
    message = f"Ambiguous column name: {name}; several columns of the SELECT are called so. Give them other aliases."
    return Misread(path.position, message, condition)


def _find_special_reader(name: str, recognition: Recognition) -> CallReader | None:
    """Return the reader of a function with special syntax by its folded name, None if it has the usual syntax."""
    read_as = find_own_syntax(name)
    if read_as is None:
        return None
    from grammar.builder.expressions.special_calls import SPECIAL

    return recognition.readers.get(read_as) or SPECIAL.get(read_as)
