"""Declarations of views in Python: a function that returns a table, with what a catalog stores beside the query."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import ValidationException
from ir.identifiers import parse_path
from tableapi.schema import Schema

if TYPE_CHECKING:
    from tableapi.environment.table_environment import TableEnvironment
    from tableapi.schema import Columns
    from tableapi.table import Table

__all__ = ["ViewDeclaration", "ViewKind", "materialized_view", "sink", "streaming_table", "temporary_view", "view"]

Build = Callable[["TableEnvironment"], "Table"]


RESERVED_PROPERTIES: Final = ("external", "location", "owner", "provider")
"""The keys that Spark refuses as properties of a table."""
OWNER_OF_TABLE: Final = "tableapi_owner"
"""The property of a materialized view that says who answers for it."""


class ViewKind(Enum):
    """The kind of object that a declared view becomes.

    A persistent view is a view of the catalog, which ``tableapi apply`` or a run of a pipeline creates. The others
    exist in pipelines only.
    """

    PERSISTENT = "view"
    MATERIALIZED = "materialized view"
    STREAMING = "streaming table"
    TEMPORARY = "temporary view"
    SINK = "sink"

    @property
    def is_table(self) -> bool:
        """Whether a run of a pipeline stores the rows as a table."""
        return self in (ViewKind.MATERIALIZED, ViewKind.STREAMING)

    @property
    def has_database(self) -> bool:
        """Whether the name has a database in a pipeline."""
        return self not in (ViewKind.TEMPORARY, ViewKind.SINK)


@attrs.frozen(eq=False)
class ViewDeclaration:
    """A dataset of a project: a view, materialized view, streaming table, temporary view or sink.

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
        kind: what becomes of the view.
        partitioned_by: the columns by whose values the files of a table are divided.
        format: the format of the files of a table; None for that of the session, which is Parquet. That of a sink
            names the Spark data source that writes it.
        options: the options of the data source of a sink.
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
    kind: ViewKind = ViewKind.PERSISTENT
    partitioned_by: tuple[str, ...] = ()
    format: str | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)

    def __call__(self, environment: TableEnvironment) -> Table:
        """Return a table that reads the view by its name."""
        return environment.from_path(self.path)

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.path} of {self.module or self.file}>"


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
    return _declare(
        ViewKind.PERSISTENT, path, comment=comment, columns=columns, properties=properties, owner=owner, schema=schema
    )


def materialized_view(
    path: str,
    *,
    comment: str | None = None,
    columns: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
    owner: str | None = None,
    schema: Columns | None = None,
    partitioned_by: Sequence[str] = (),
    format: str | None = None,
) -> Callable[[Build], ViewDeclaration]:
    """Declare a materialized view of a project: a table that each run of a pipeline computes anew from its query.

    ``tableapi pipeline build`` writes it for Spark Declarative Pipelines. Spark has materialized views in pipelines
    only, so that ``tableapi apply`` leaves it alone.
    `Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.

    Args:
        path: the name of the view, with its database or in the project's database.
        comment: the comment of the view.
        columns: comments of columns by their names.
        properties: properties of the table.
        owner: who answers for the view; stored as the property ``tableapi_owner``, since Spark's ``owner`` is a user.
        schema: the columns that the view must have, as for ``view``.
        partitioned_by: the columns by whose values the files of the table are divided.
        format: the format of the files; by default that of the session, which is Parquet. Its tables must support
            TRUNCATE TABLE, with which each run begins.

    Raises:
        ValidationException: an argument is invalid.

    >>> from tableapi.expressions import col
    >>> @materialized_view("sales.by_day", partitioned_by=["day"])
    ... def by_day(te):
    ...     orders = te.from_path("sales.orders")
    ...     return orders.group_by(col("day")).select(col("day"), col("amount").sum.alias("revenue"))
    >>> by_day
    <materialized view sales.by_day of ...>
    """
    return _declare_table(
        ViewKind.MATERIALIZED,
        path,
        partitioned_by,
        format,
        comment=comment,
        columns=columns,
        properties=properties,
        owner=owner,
        schema=schema,
    )


def streaming_table(
    path: str,
    *,
    comment: str | None = None,
    columns: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
    owner: str | None = None,
    schema: Columns | None = None,
    partitioned_by: Sequence[str] = (),
    format: str | None = None,
) -> Callable[[Build], ViewDeclaration]:
    """Declare a streaming table of a project: each run of a pipeline appends the rows that its query finds new.

    The query is one over a stream: ``te.from_path("sales.orders", stream=True)``. Other queries read the table by its
    name, and other streaming tables as a stream. ``tableapi pipeline build`` writes it for Spark Declarative Pipelines,
    which alone have streaming tables, so that ``tableapi apply`` leaves it alone.
    `Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.

    Args:
        path: the name of the table, with its database or in the project's database.
        comment: the comment of the table.
        columns: comments of columns by their names.
        properties: properties of the table.
        owner: who answers for the table; stored as the property ``tableapi_owner``, since Spark's ``owner`` is a user.
        schema: the columns that the table must have, as for ``view``.
        partitioned_by: the columns by whose values the files of the table are divided.
        format: the format of the files; by default that of the session, which is Parquet.

    Raises:
        ValidationException: an argument is invalid.

    >>> from tableapi.expressions import col
    >>> @streaming_table("sales.large_orders")
    ... def large_orders(te):
    ...     return te.from_path("sales.orders", stream=True).filter(col("amount") > 100)
    >>> large_orders
    <streaming table sales.large_orders of ...>
    """
    return _declare_table(
        ViewKind.STREAMING,
        path,
        partitioned_by,
        format,
        comment=comment,
        columns=columns,
        properties=properties,
        owner=owner,
        schema=schema,
    )


def temporary_view(
    path: str, *, comment: str | None = None, schema: Columns | None = None
) -> Callable[[Build], ViewDeclaration]:
    """Declare a temporary view of a project: a query that other queries of a pipeline share, and nothing else sees.

    Materialized views and other temporary views may read it, persistent views may not. ``tableapi apply`` leaves it
    alone. `Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.

    Args:
        path: the name of the view. A database in it only distinguishes equal names in Python: in the pipeline, a
            temporary view has none.
        comment: the comment of the view.
        schema: the columns that the view must have, as for ``view``.

    Raises:
        ValidationException: an argument is invalid.

    >>> @temporary_view("recent_orders")
    ... def recent_orders(te):
    ...     return te.from_path("sales.orders")
    >>> recent_orders
    <temporary view recent_orders of ...>
    """
    return _declare(ViewKind.TEMPORARY, path, comment=comment, schema=schema)


def sink(
    path: str, *, format: str, options: Mapping[str, str] | None = None, schema: Columns | None = None
) -> Callable[[Build], ViewDeclaration]:
    """Declare a sink of a project: each run of a pipeline writes the rows that its query finds new to the sink.

    The query is one over a stream, as that of a streaming table. The rows leave Spark's catalog, and no other query
    reads them. ``tableapi pipeline build`` writes the sink in Python, because SQL of pipelines has none; ``tableapi
    apply`` leaves it alone.
    `Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.

    Args:
        path: the name of the sink. In the pipeline, it has no database.
        format: the name of the data source that writes the rows, such as ``kafka`` or ``json``.
        options: the options of the data source, such as ``path``.
        schema: the columns that the rows must have, as for ``view``.

    Raises:
        ValidationException: an argument is invalid.

    >>> from tableapi.expressions import col
    >>> @sink("late_orders", format="json", options={"path": "s3a://bucket/late"})
    ... def late_orders(te):
    ...     return te.from_path("sales.orders", stream=True).filter(col("delay") > 3)
    >>> late_orders
    <sink late_orders of ...>
    """
    if not isinstance(format, str) or not format.strip():
        raise ValidationException(
            f"format of the sink {path} is the name of a data source, such as 'kafka' or 'json', but is {format!r}."
        )
    if options is not None and not _is_texts(options):
        raise ValidationException(f"options of the sink {path} maps texts to texts, but is {options!r}.")
    declare = _declare(ViewKind.SINK, path, schema=schema)
    return lambda build: attrs.evolve(declare(build), format=format, options=dict(options or {}))


def _declare_table(
    kind: ViewKind, path: str, partitioned_by: Sequence[str], format: str | None, **given: Any
) -> Callable[[Build], ViewDeclaration]:
    """Declare what a pipeline stores as a table.

    Raises:
        ValidationException: an argument is invalid.
    """
    if isinstance(partitioned_by, str) or not all(isinstance(name, str) for name in partitioned_by):
        raise ValidationException(
            f"partitioned_by of the {kind.value} {path} is a list of columns, such as ['day'], but is "
            f"{partitioned_by!r}."
        )
    if format is not None and not (isinstance(format, str) and format.isidentifier()):
        raise ValidationException(
            f"format of the {kind.value} {path} is the name of a format, such as 'parquet', but is {format!r}."
        )
    for name in given["properties"] or {}:
        if name in RESERVED_PROPERTIES:
            raise ValidationException(
                f"properties of the {kind.value} {path} has {name!r}, which is reserved for Spark: use another."
            )
    declare = _declare(kind, path, **given)
    return lambda build: attrs.evolve(declare(build), partitioned_by=tuple(partitioned_by), format=format)


def _declare(
    kind: ViewKind,
    path: str,
    *,
    comment: str | None = None,
    columns: Mapping[str, str] | None = None,
    properties: Mapping[str, str] | None = None,
    owner: str | None = None,
    schema: Columns | None = None,
) -> Callable[[Build], ViewDeclaration]:
    decorator = kind.value.replace(" ", "_")
    parts = parse_path(path)
    if len(parts) > 2:
        raise ValidationException(
            f"{decorator} takes the name of a view with its database, such as 'sales.orders', but was given {path!r}. "
            "The catalog is that of the project, catalog_name in tableapi.toml."
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
            raise ValidationException(
                f"{decorator}({path!r}) decorates a function that takes an environment, not {build!r}."
            )
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
            kind,
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
