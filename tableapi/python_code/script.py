"""Assemble scripts: the imports, the assignments of variables, and the query."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException
from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames
from tableapi.members.type_arguments import require_integer
from tableapi.python_code.code import Code, Definition, Lambda, Name, Variable
from tableapi.python_code.layout import statement_text
from tableapi.python_code.operations import WRITERS
from tableapi.python_code.python_names import is_python_name
from tableapi.python_code.query import Environment, QueryWriter, Unwritable, ViewFunctions, no_view_functions
from tableapi.python_code.suggestions import unique_name

_STANDARD_LIBRARY = ("datetime", "decimal")


class WrittenQuery(Protocol):
    """A query, with its environment and the names of its relations."""

    @property
    def operation(self) -> QueryOperation:
        """The tree of operations."""

    @property
    def environment(self) -> Environment:
        """Where the query runs."""

    @property
    def names(self) -> RelationNames:
        """The names that its relations have in SQL."""


@attrs.frozen
class QueryCode:
    """The code of a query in parts, for scripts and modules.

    Attributes:
        statements: the formatted assignments of variables, and last the statement that assigns or returns the table.
        imports: the imported names, each with its module.
    """

    statements: tuple[str, ...]
    imports: frozenset[tuple[str, str]]


def python_script(query: WrittenQuery, environment: str, name: str, line_length: int) -> str:
    """Return the script that builds the table of a query.

    Args:
        query: the query.
        environment: the name of the variable that holds the environment.
        name: the name of the variable for the table.
        line_length: the maximum length of lines that can be broken.

    Raises:
        ValidationException: a name is not a valid Python name.
        TableException: the fluent API cannot build a part of the query.
    """
    require_names(environment, name, line_length)
    made = query_code(query, environment, name, line_length)
    return script_of(made, line_length)


def require_names(environment: object, name: object, line_length: object) -> None:
    """Check the arguments of ``to_python``.

    Raises:
        ValidationException: a name is not a valid Python name, or the length is not an integer.
    """
    for given in (environment, name):
        if not isinstance(given, str) or not is_python_name(given):
            raise ValidationException(f"to_python takes names of Python variables, but was given {given!r}.")
    require_integer(line_length, "to_python")


def script_of(made: QueryCode, line_length: int) -> str:
    """Return the imports and the statements as one text."""
    return import_lines(made.imports, line_length) + "\n".join(made.statements) + "\n"


def query_code(
    query: WrittenQuery,
    environment: str,
    name: str | None,
    line_length: int,
    *,
    reserved: Iterable[str] = (),
    view_functions: ViewFunctions = no_view_functions,
) -> QueryCode:
    """Return the parts of the code that builds the table of a query.

    Args:
        query: the query.
        environment: the name of the variable that holds the environment.
        name: the name of the variable for the table; None if a function returns it.
        line_length: the maximum length of lines that can be broken.
        reserved: names that no variable may have.
        view_functions: returns the function that declares a view, by which the code reads it.

    Raises:
        ValidationException: the code imports the name of the environment.
        TableException: the fluent API cannot build a part of the query.
    """
    try:
        code = QueryWriter(query.environment, environment, WRITERS, view_functions).query(query.operation, query.names)
    except Unwritable as error:
        raise TableException(str(error)) from None
    return parts_of_code(code, environment, name, line_length, reserved)


def parts_of_code(
    code: Code, environment: str, name: str | None, line_length: int, reserved: Iterable[str] = ()
) -> QueryCode:
    """Return the parts of a script that ends with some code.

    Args:
        code: the code.
        environment: the name of the variable that holds the environment.
        name: the name of the variable for the value of the code; None if a function returns it.
        line_length: the maximum length of lines that can be broken.
        reserved: names that no variable may have.

    Raises:
        ValidationException: the code imports the name of the environment.
    """
    definitions = _definitions(code)
    imports = {part for root in (code, *[d.code for d in definitions]) for part in _list_imports(root)}
    # The parameters of a lambda hide other names in its body.
    parameters = {p.text for root in (code, *[d.code for d in definitions]) for p in _parameters(root)}
    taken = {environment, *([] if name is None else [name]), *[text for text, _ in imports], *parameters, *reserved}
    if any(text == environment for text, _ in imports):
        raise ValidationException(
            f"The code imports a name {environment!r} itself, which would hide the environment. Give the environment "
            "another variable: to_python(environment='env')."
        )
    for definition in definitions:
        definition.name = unique_name(definition.suggestion, taken)
        taken.add(definition.name)
    statements = [statement_text(d.name, d.code, line_length) for d in definitions]
    statements.append(statement_text(name, code, line_length))
    return QueryCode(tuple(statements), frozenset(imports))


def _definitions(root: Code) -> list[Definition]:
    """Return the definitions that code needs, each after the definitions that it needs itself."""
    found: dict[int, Definition] = {}
    seen: set[int] = set()
    stack: list[tuple[Definition | None, Code, bool]] = [(None, root, False)]
    while stack:
        definition, code, ready = stack.pop()
        if ready:
            assert definition is not None
            found[id(definition)] = definition
            continue
        if definition is not None:
            if id(definition) in seen:
                continue
            seen.add(id(definition))
            stack.append((definition, code, True))
        used = [part.definition for part in code.walk() if isinstance(part, Variable)]
        stack.extend((inner, inner.code, False) for inner in used if id(inner) not in seen)
    return list(found.values())


def _list_imports(code: Code) -> Iterable[tuple[str, str]]:
    return [(part.text, part.module) for part in code.walk() if isinstance(part, Name) and part.module is not None]


def _parameters(code: Code) -> Iterable[Name]:
    return [parameter for part in code.walk() if isinstance(part, Lambda) for parameter in part.parameters]


def import_lines(imports: Collection[tuple[str, str]], line_length: int) -> str:
    """Return the imports in isort's order, with the standard library first."""
    modules = sorted({module for _, module in imports})
    standard = [module for module in modules if module in _STANDARD_LIBRARY]
    blocks = [
        [
            _import_line(module, sorted({n for n, m in imports if m == module}, key=_sort_key), line_length)
            for module in g
        ]
        for g in (standard, [module for module in modules if module not in standard])
    ]
    return "".join("\n".join(block) + "\n\n" for block in blocks if block)


def _sort_key(name: str) -> tuple[int, str]:
    """Sort constants before classes, and classes before functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _import_line(module: str, names: list[str], line_length: int) -> str:
    if module == "datetime":
        return "import datetime as dt"
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= line_length:
        return line
    return "\n".join([f"from {module} import (", *[f"    {name}," for name in names], ")"])
