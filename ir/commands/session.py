"""Commands about what one session of the engine has: variables, cached data, global temporary views."""

from __future__ import annotations

from typing import ClassVar, Final

from ir.commands.command import Command, CommandPart
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier
from ir.nodes import node
from ir.operations.operation import QueryOperation
from ir.types import LogicalType

_SESSION: Final = ObjectIdentifier("session")


@node
class DeclareVariables(Command):
    """Create variables of the session, all of one type and with one value.

    Attributes:
        names: the names, without the schema ``system.session``.
        data_type: the type; None for that of the default.
        default: the first value, and that of DEFAULT; None for NULL.
        replaces: whether variables of these names are replaced.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-declare-variable.html
    """

    names: tuple[str, ...]
    data_type: LogicalType | None = None
    default: ResolvedExpression | None = None
    replaces: bool = False

    title: ClassVar[str] = "DeclareVariables"
    called: ClassVar[str] = "a DECLARE VARIABLE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The name of the first variable."""
        return ObjectIdentifier(self.names[0])

    def describe(self) -> str:
        facts = [f"variables: [{', '.join(self.names)}]"]
        if self.data_type is not None:
            facts.append(f"type: [{self.data_type.as_summary_string()}]")
        if self.default is not None:
            facts.append(f"default: [{self.default.as_summary_string()}]")
        return f"({', '.join([*facts, *['replace'] * self.replaces])})"


@node
class VariableValue(CommandPart):
    """The new value of a variable; None for its default."""

    name: str
    value: ResolvedExpression | None

    def describe(self) -> str:
        """Return a description: ``total = sum(amount)``."""
        return f"{self.name} = {'DEFAULT' if self.value is None else self.value.as_summary_string()}"


@node
class SetVariables(Command):
    """Give variables of the session new values, which are all computed first.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-set-var.html
    """

    values: tuple[VariableValue, ...]

    title: ClassVar[str] = "SetVariables"
    called: ClassVar[str] = "a SET VARIABLE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The name of the first variable."""
        return ObjectIdentifier(self.values[0].name)

    def describe(self) -> str:
        return f"(set: [{', '.join(value.describe() for value in self.values)}])"


@node
class SetVariablesFromQuery(Command):
    """Give variables of the session the values of the only row of a query, NULL if it has no row.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-set-var.html
    """

    names: tuple[str, ...]
    query: QueryOperation

    title: ClassVar[str] = "SetVariablesFromQuery"
    called: ClassVar[str] = "a SET VARIABLE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The name of the first variable."""
        return ObjectIdentifier(self.names[0])

    def describe(self) -> str:
        return f"(variables: [{', '.join(self.names)}])"


@node
class DropVariable(Command):
    """Drop a variable of the session; ``if_exists`` accepts that there is none.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-drop-variable.html
    """

    name: str
    if_exists: bool = False

    title: ClassVar[str] = "DropVariable"
    called: ClassVar[str] = "a DROP VARIABLE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The name of the variable."""
        return ObjectIdentifier(self.name)

    def describe(self) -> str:
        return f"(variable: [{self.name}])"


@node
class ClearCache(Command):
    """Forget the rows of all tables and views that the engine keeps in memory.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-clear-cache.html
    """

    title: ClassVar[str] = "ClearCache"
    called: ClassVar[str] = "a CLEAR CACHE statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The session, because no object of a catalog is changed."""
        return _SESSION

    def describe(self) -> str:
        return "()"


@node
class RefreshPath(Command):
    """Invalidate the data and metadata that the engine has cached for the files below a path.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-refresh.html
    """

    path: str

    title: ClassVar[str] = "RefreshPath"
    called: ClassVar[str] = "a REFRESH statement"

    @property
    def target(self) -> ObjectIdentifier:
        """The session, because no object of a catalog is changed."""
        return _SESSION

    def describe(self) -> str:
        return f"(path: [{self.path}])"


@node
class RefreshFunction(Command):
    """Load a stored function again, whose class may have changed.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-aux-cache-refresh-function.html
    """

    target: ObjectIdentifier

    title: ClassVar[str] = "RefreshFunction"
    called: ClassVar[str] = "a REFRESH FUNCTION statement"

    def describe(self) -> str:
        return f"(function: [{self.target.as_summary_string()}])"


@node
class GlobalViewColumn(CommandPart):
    """The name of a column of a view, with an optional comment."""

    name: str
    comment: str | None = None

    def describe(self) -> str:
        """Return the name."""
        return self.name


@node
class CreateGlobalView(Command):
    """Create a view of a query that all sessions of the Spark application see, in the database ``global_temp``.

    Attributes:
        target: the name of the view, without a catalog and a database.
        query: the query.
        columns: the names of its columns; none for those of the query.
        comment: the comment of the view.
        replaces: whether a view of the name is replaced.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-view.html
    """

    target: ObjectIdentifier
    query: QueryOperation
    columns: tuple[GlobalViewColumn, ...] = ()
    comment: str | None = None
    replaces: bool = False

    title: ClassVar[str] = "CreateGlobalView"
    called: ClassVar[str] = "a CREATE GLOBAL TEMPORARY VIEW statement"

    def describe(self) -> str:
        facts = [f"view: [{self.target.as_summary_string()}]"]
        if self.columns:
            facts.append(f"columns: [{', '.join(column.name for column in self.columns)}]")
        return f"({', '.join([*facts, *['replace'] * self.replaces])})"


@node
class ChangeViewSchema(Command):
    """Change how a view follows changes of the tables below it: BINDING, COMPENSATION, TYPE EVOLUTION or EVOLUTION.

    Source: https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-alter-view.html
    """

    target: ObjectIdentifier
    mode: str

    title: ClassVar[str] = "ChangeViewSchema"
    called: ClassVar[str] = "an ALTER VIEW … WITH SCHEMA statement"

    def describe(self) -> str:
        return f"(view: [{self.target.as_summary_string()}], mode: [{self.mode}])"
