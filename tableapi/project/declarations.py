"""The declaration of a view in Python: a function that returns a table, with what a catalog stores beside the query."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from ir.errors import ValidationException
from ir.identifiers import parse_path
from tableapi.schema import Schema

if TYPE_CHECKING:
    from tableapi.environment.table_environment import TableEnvironment
    from tableapi.schema import Columns
    from tableapi.table import Table

__all__ = ["ViewDeclaration", "view"]

Build = Callable[["TableEnvironment"], "Table"]


@attrs.frozen(eq=False)
class ViewDeclaration:
    """A view of a project, declared with ``view``.

    Calling it with an environment returns a table that reads the view by its name, for the queries of other views.

    Attributes:
        path: the name, with its database or without one.
        build: the function that returns the table of the view's query.
        comment: the comment of the view.
        column_comments: comments of columns by their names.
        properties: properties of the user.
        owner: who answers for the view; stored as the property ``owner``.
        contract: the columns that the view must have; None if it may have any.
        module: the name of the module with the function.
        file: the file with the function.
        line: the line at which the function begins.
    """

    path: str
    build: Build
    comment: str | None = None
    column_comments: Mapping[str, str] = attrs.field(factory=dict)
    properties: Mapping[str, str] = attrs.field(factory=dict)
    owner: str | None = None
    contract: Schema | None = None
    module: str = ""
    file: str = ""
    line: int = 0

    def __call__(self, environment: TableEnvironment) -> Table:
        """Return a table that reads the view by its name."""
        return environment.from_path(self.path)

    def __repr__(self) -> str:
        return f"<view {self.path} of {self.module}>"


def view(
    path: str,
    *,
    comment: str | None = None,
    columns: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
    owner: str | None = None,
    schema: Columns | None = None,
) -> Callable[[Build], ViewDeclaration]:
    """Declare a view of a project; the decorated function takes an environment and returns the table of the query.

    Args:
        path: the name of the view, with its database or in the project's database.
        comment: the comment of the view.
        columns: comments of columns by their names.
        properties: properties that the catalog stores with the view.
        owner: who answers for the view; stored as the property ``owner``.
        schema: the columns that the view must have, in any form that ``TableEnvironment.declare`` takes. A check
            reports each column that differs.

    Raises:
        ValidationException: an argument is invalid.

    >>> from tableapi.expressions import col
    >>> @view("sales.large_orders", comment="orders of more than 100", columns={"id": "the order"})
    ... def large_orders(te):
    ...     return te.from_path("sales.orders").filter(col("amount") > 100).select(col("id"))
    >>> large_orders
    <view sales.large_orders of ...>
    """
    parts = parse_path(path)
    if len(parts) > 2:
        raise ValidationException(
            f"view takes the name of a view with its database, such as 'sales.orders', but was given {path!r}. The "
            "catalog is that of the project, catalog_name in tableapi.toml."
        )
    for name, given in (("comment", comment), ("owner", owner)):
        if given is not None and not isinstance(given, str):
            raise ValidationException(f"{name} of the view {path} is a text, but is {given!r}.")
    for name, texts in (("columns", columns), ("properties", properties)):
        if texts is not None and not _is_texts(texts):
            raise ValidationException(f"{name} of the view {path} maps texts to texts, but is {texts!r}.")
    contract = None if schema is None else Schema.of(schema)

    def declare(build: Build) -> ViewDeclaration:
        if not callable(build):
            raise ValidationException(f"view({path!r}) decorates a function that takes an environment, not {build!r}.")
        code = getattr(build, "__code__", None)
        return ViewDeclaration(
            path,
            build,
            comment,
            dict(columns or {}),
            dict(properties or {}),
            owner,
            contract,
            getattr(build, "__module__", ""),
            "" if code is None else code.co_filename,
            0 if code is None else code.co_firstlineno,
        )

    return declare


def _is_texts(given: Any) -> bool:
    return isinstance(given, Mapping) and all(isinstance(text, str) for pair in given.items() for text in pair)


def declarations_of(module: str) -> list[ViewDeclaration]:
    """Return the views that a loaded module declares itself, in the order of its lines."""
    found = {
        id(value): value
        for value in vars(sys.modules[module]).values()
        if isinstance(value, ViewDeclaration) and value.module == module
    }
    return sorted(found.values(), key=lambda declared: declared.line)
