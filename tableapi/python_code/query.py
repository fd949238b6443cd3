"""Write the operations of a query, and decide which of them get variables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Protocol

from ir.contents import OUTER
from ir.errors import TableException, ValidationException
from ir.expressions import OuterReference, ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation, TableReference
from ir.operations.outer_references import outer_references
from ir.relation_names import NO_NAMES, RelationNames
from ir.rendering import Layout
from ir.resolution.naming import derive_name
from tableapi.python_code.code import Code, Invocation, Name, Variable, attribute, method, name, variable
from tableapi.python_code.expressions import ExpressionWriter
from tableapi.python_code.literals import lines_of_text, text
from tableapi.python_code.origins import origin
from tableapi.python_code.suggestions import suggest_names

Candidate = Callable[[], Code]
Writer = Callable[["QueryWriter", QueryOperation], Iterator[Candidate]]
ViewFunctions = Callable[[ObjectIdentifier], "tuple[str, str] | None"]
"""Returns the function that declares a view, and its module; None if the view is read by its name."""


def no_view_functions(identifier: ObjectIdentifier) -> None:
    """Return no function: every view is read by its name."""


def write_as_sql(writer: QueryWriter, operation: QueryOperation) -> Iterator[Candidate]:
    """Yield an operation as SQL, for which the fluent API has no method."""
    yield lambda: writer.in_sql(operation)


# A table that is an argument gets a variable if its code is longer than this.
_LONG = 70
# Python's parser and compiler recurse, so a longer chain of methods continues from a variable.
_MAX_DEPTH = 80
# A name that the API may have generated; trying the code shows whether the API generates it again.
_GENERATED = re.compile(r"(_c|EXPR\$)\d+(_\d+)*")


class Environment(Protocol):
    """The parts of a query's environment that generated code needs."""

    @property
    def runtime(self) -> Any:
        """The catalogs and the session."""

    @property
    def fluent(self) -> Any:
        """The environment as the variable of the code has it."""


class Unwritable(TableException):
    """An operation has no code; operations that read it have none either, unless SQL can express them."""


class Unserialisable(Unwritable):
    """An operation has neither code nor SQL, so that the operations that read it have neither."""


class QueryWriter:
    """Writes the operations of a query, each once, inputs first."""

    def __init__(
        self,
        environment: Environment,
        environment_name: str,
        writers: dict[type, Writer],
        view_functions: ViewFunctions = no_view_functions,
    ) -> None:
        self.environment = environment
        self.view_functions = view_functions
        self.environment_code = name(environment_name, environment.fluent)
        self._writers = writers
        self._codes: dict[QueryOperation, Code | Unwritable] = {}
        self._variables: dict[QueryOperation, Variable] = {}
        self._uses: Counter[QueryOperation] = Counter()
        self._around: dict[QueryOperation, list[QueryOperation]] = {}
        self._places: dict[QueryOperation, int] = {}
        self._suggestions: dict[QueryOperation, str] = {}
        self._referred: set[QueryOperation | None] = set()
        self._steps: Collection[QueryOperation] = ()

    def query(self, root: QueryOperation, names: RelationNames = NO_NAMES) -> Code:
        """Return the code of a query, with variables named by the ``names`` that its relations have.

        A query that has a name in WITH gets a variable, even if it is used once.

        Raises:
            TableException: the API cannot build the query; the message names the operation.
        """
        operations = list(root.walk_with_subqueries())
        self._suggestions = suggest_names(operations, names)
        self._steps = names.flattened().steps
        self._places = {operation: place for place, operation in enumerate(operations)}
        for operation in operations:
            self._uses.update(operation.inputs)
            subqueries = operation.subqueries
            self._uses.update(subqueries)
            self._enclose(operation, subqueries)
        for operation in operations:
            for expression in operation.expressions:
                for part in expression.walk():
                    if isinstance(part, OuterReference):
                        self._referred.add(self._table_around(operation, part))
        for operation in operations:
            try:
                self._codes[operation] = self._write(operation)
            except Unwritable as error:
                self._codes[operation] = error
        return self._code(root)

    def _enclose(self, operation: QueryOperation, subqueries: Iterable[QueryOperation]) -> None:
        """Record the operation that contains the correlated operations of its subqueries.

        Equal parts of several subqueries are one operation, which several operations then contain.
        """
        stack = list(subqueries)
        while stack:
            current = stack.pop()
            if current.contents & OUTER:
                around = self._around.setdefault(current, [])
                if operation not in around:
                    around.append(operation)
                    stack.extend(current.inputs)

    def _write(self, operation: QueryOperation) -> Code:
        reason = "the fluent API gives another operation for what it holds."
        below: Unwritable | None = None
        for candidate in self._writers.get(type(operation), write_as_sql)(self, operation):
            try:
                code = candidate()
            except Unwritable as error:
                below = error
                continue
            except (ValidationException, TableException) as error:
                reason = str(error)
                continue
            if code.value.query_operation is operation:
                return code
        missing = below or Unwritable(f"There is no Python code for {operation.title}{operation.describe()}: {reason}")
        if isinstance(missing, Unserialisable):
            raise missing
        return self._write_last_resort(operation, missing)

    def _write_last_resort(self, operation: QueryOperation, missing: Unwritable) -> Code:
        """Return the SQL query of an operation that the fluent API cannot build.

        A correlated operation has no SQL of its own, but the operation that contains the subquery has.
        """
        if outer_references(operation):
            raise missing
        try:
            code = self.in_sql(operation)
        except (ValidationException, TableException):
            raise Unserialisable(str(missing)) from None
        if code.value.query_operation is not operation:
            raise missing
        return code

    def _code(self, operation: QueryOperation) -> Code:
        code = self._codes[operation]
        if isinstance(code, Unwritable):
            raise code
        return code

    # --- tables ------------------------------------------------------------------------------------------------------

    def table(self, operation: QueryOperation) -> Code:
        """Return the code of a table whose methods are called."""
        code = self._code(operation)
        is_step = operation in self._steps and bool(operation.inputs)
        is_inlined = self.is_single(operation) and not is_step and code.depth <= _MAX_DEPTH
        return code if is_inlined else self._variable(operation)

    def other(self, operation: QueryOperation) -> Code:
        """Return the code of a table that is an argument."""
        code = self.table(operation)
        return self._variable(operation) if code.weight > _LONG else code

    def _variable(self, operation: QueryOperation) -> Variable:
        found = self._variables.get(operation)
        if found is None:
            made = variable(self._suggestions[operation], self._code(operation))
            found = self._variables[operation] = made
        return found

    def is_single(self, operation: QueryOperation) -> bool:
        """Whether an operation is used once, so that it can be written as part of the operation that uses it."""
        return self._uses[operation] == 1 and operation not in self._referred and operation not in self._variables

    def source(self, function_name: str, *arguments: Code, value: object, **named: Code) -> Code:
        """Return a call of the environment with a known value, since calling it again could need a catalog."""
        function = attribute(self.environment_code, function_name)
        return self._known_call(function, (*[(None, argument) for argument in arguments], *named.items()), value)

    def view(self, function: tuple[str, str], value: object) -> Code:
        """Return a call of the function that declares a view."""
        text, module = function
        return self._known_call(Name(None, len(text), 0, text, module), ((None, self.environment_code),), value)

    def _known_call(self, function: Code, given: tuple[tuple[str | None, Code], ...], value: object) -> Code:
        weight = function.weight + sum([argument.weight + 2 for _, argument in given])
        depth = 2 + max([argument.depth for _, argument in given], default=0)
        return Invocation(value, weight, depth, function, given)

    def in_sql(self, operation: QueryOperation) -> Code:
        """Return an operation as a SQL query, in the merged layout if that is parsed back to the same operation."""
        for layout in (Layout.MERGED, Layout.NESTED):
            written = operation.as_serializable_string(layout=layout)
            table = self.environment.fluent.sql_query(written)
            if table.query_operation is operation:
                break
        return self.source("sql_query", lines_of_text(written), value=table)

    # --- expressions -------------------------------------------------------------------------------------------------

    def expressions(
        self, operation: QueryOperation, roots: Sequence[ResolvedExpression], names: Sequence[str | None] = ()
    ) -> ExpressionWriter:
        """Return a writer for the expressions of an operation."""
        return ExpressionWriter(self.other, lambda reference: self._outer(operation, reference), roots, names)

    def _outer(self, operation: QueryOperation, reference: OuterReference) -> Code:
        """Return the variable of the outer table of a reference, for ``outer``."""
        table = self._table_around(operation, reference)
        if table is None:
            raise TableException(
                f"it refers to the column {reference.name!r} of type {reference.type_.as_summary_string()} of a query "
                "around it, of which no table has such a column."
            )
        return self._variable(table)

    def _table_around(self, operation: QueryOperation, reference: OuterReference) -> QueryOperation | None:
        """Return the table to which a reference refers; among the tables of several outer queries, the first one."""
        found = []
        for around in self._around.get(operation, ()):
            tables = (origin(side, reference) for side in around.inputs)
            found += [table for table in tables if table is not None][:1]
        return min(found, key=self._places.__getitem__, default=None)

    def named(self, code: Code, expression: ResolvedExpression, column: str, given: int) -> Code:
        """Return an expression with the name of its column.

        With ``given`` 0, omit the alias if the API may derive the same name; with 1, only if the expression is a column
        of this name; with 2, never.
        """
        own = getattr(expression, "name", None) == column and not isinstance(expression, TableReference)
        derived = own or derive_name(expression) == column
        if (given < 2 and own) or (given < 1 and (derived or _GENERATED.fullmatch(column))):
            return code
        return method(code, "alias", text(column))
