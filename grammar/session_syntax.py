"""Syntax nodes of the statements about variables, cached data and global temporary views of a session."""

from __future__ import annotations

from typing import Any, ClassVar

from grammar.statements import ViewColumn
from grammar.syntax import Path, Statement, Syntax, node


@node
class DeclareVariables(Statement):
    """DECLARE VARIABLE; ``data_type`` and ``default`` are None if unwritten."""

    position: int
    replaces: bool
    names: list[Path]
    data_type: Any
    default: Any
    called: ClassVar[str] = "a DECLARE VARIABLE statement"


@node
class VariableValue(Syntax):
    """A variable with its new value; the value is None for DEFAULT."""

    position: int
    name: Path
    value: Any


@node
class SetVariables(Statement):
    """SET VARIABLE with a value for each variable."""

    position: int
    values: list[VariableValue]
    called: ClassVar[str] = "a SET VARIABLE statement"


@node
class SetVariablesFromQuery(Statement):
    """SET VARIABLE with a query for all variables."""

    position: int
    names: list[Path]
    query: Any
    called: ClassVar[str] = "a SET VARIABLE statement"


@node
class DropVariable(Statement):
    """DROP TEMPORARY VARIABLE."""

    position: int
    if_exists: bool
    name: Path
    called: ClassVar[str] = "a DROP VARIABLE statement"


@node
class ClearCache(Statement):
    """CLEAR CACHE."""

    position: int
    called: ClassVar[str] = "a CLEAR CACHE statement"


@node
class RefreshPath(Statement):
    """REFRESH with a path."""

    position: int
    path: str
    called: ClassVar[str] = "a REFRESH statement"


@node
class RefreshFunction(Statement):
    """REFRESH FUNCTION."""

    position: int
    name: Path
    called: ClassVar[str] = "a REFRESH FUNCTION statement"


@node
class CreateGlobalView(Statement):
    """CREATE GLOBAL TEMPORARY VIEW … AS; ``options`` are as those of CREATE VIEW."""

    position: int
    replaces: bool
    name: Path
    columns: list[ViewColumn] | None
    options: dict[str, Any]
    query: Any
    called: ClassVar[str] = "a CREATE GLOBAL TEMPORARY VIEW statement"


@node
class AlterViewSchema(Statement):
    """ALTER VIEW … WITH SCHEMA; ``mode`` is in capital letters."""

    position: int
    name: Path
    mode: str
    called: ClassVar[str] = "an ALTER VIEW … WITH SCHEMA statement"
