"""The difference between two queries or two statements, such as a stored view and its new definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, overload

from ir.errors import ValidationException
from ir.operations.operation import QueryOperation
from tableapi.lazy import lazy
from tableapi.query_diff.query_diff import QueryDiff, diff_operations
from tableapi.table import Table
from tableapi.tracebacks import public_functions

if TYPE_CHECKING:
    from ir.commands import command as command_base
    from ir.commands.command import Command
    from tableapi import table_pipeline, table_statement
    from tableapi.query_diff import statement_diff
    from tableapi.query_diff.statement_diff import StatementDiff
    from tableapi.table_pipeline import TablePipeline
    from tableapi.table_statement import TableStatement
else:
    command_base = lazy(__name__, "ir.commands.command")
    table_pipeline = lazy(__name__, "tableapi.table_pipeline")
    table_statement = lazy(__name__, "tableapi.table_statement")
    statement_diff = lazy(__name__, "tableapi.query_diff.statement_diff")

__all__ = ["QueryDiff", "diff"]


Query: TypeAlias = Table | QueryOperation
Statement: TypeAlias = "TableStatement | TablePipeline"


@overload
def diff(a: Query, b: Query, *, exact: bool = False) -> QueryDiff: ...
@overload
def diff(a: Statement | Command, b: Statement | Command, *, exact: bool = False) -> StatementDiff: ...


def diff(a: Any, b: Any, *, exact: bool = False) -> QueryDiff | StatementDiff:
    """Return the difference between two queries, as sentences, as a tree and as records; or between two statements.

    Each operation is compared by itself: changes of its inputs, or other column names there, do not count as changes
    of the operation. By default, differences without effect on readers or rows are ignored: the number of SELECT
    blocks, the position of a filter, a projection that only passes columns on. Therefore, a query equals its own SQL
    parsed back. Queries of more than 200 operations are compared exactly. Nothing is run.

    Args:
        a: the old query: a table, or its tree of operations; or a statement, or its tree.
        b: the new query or statement.
        exact: whether every difference between the two trees of queries counts.

    Raises:
        ValidationException: an argument is neither, or one is a query and the other a statement.

    >>> from tableapi import EnvironmentSettings, TableEnvironment, diff
    >>> from tableapi.expressions import col
    >>> settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    >>> orders = TableEnvironment.create(settings).from_elements([("tea", 4), ("cake", 3)], ["product", "price"])
    >>> old = orders.filter(col("price") > 3).select(col("product"))
    >>> new = orders.filter(col("price") > 2).select(col("product"), col("price")).fetch(10)
    >>> changed = diff(old, new)
    >>> print(changed)
    In the condition of the filter, `price` > 3 became `price` > 2.
    A limit was added: at most 10 rows.
    A projection was removed: `product`.
    In the result:
      the column `price` was added, INT NOT NULL
    Readers that name the old columns would not notice.
    >>> print(changed.as_tree())
    - Project: (projections: [product])
    +     Sort: (order: [], fetch: [10])
    ~         Filter: in the condition, `price` > 3 became `price` > 2
                  Values: (values: [('tea', 4), ('cake', 3)], fields: [product, price])
    >>> bool(diff(old, old))
    False

    Moving a filter changes the tree, but has no effect on readers:

    >>> moved = orders.select(col("product"), col("price") + 0).select(col("product")).filter(col("product") != "")
    >>> old = orders.filter(col("product") != "").select(col("product"))
    >>> bool(diff(old, moved)), bool(diff(old, moved, exact=True))
    (False, True)

    The parts of statements are found by their names:

    >>> te = TableEnvironment.create(settings)
    >>> old = te.sql_statement("CREATE TABLE t (id INT, at DATE) USING csv LOCATION '/t'")
    >>> new = te.sql_statement("CREATE TABLE t (id BIGINT, name STRING) USING csv LOCATION '/t' PARTITIONED BY (name)")
    >>> print(diff(old, new))
    The column `at` was removed.
    The type of the column `id` was INT, and became BIGINT.
    The column `name` was added: STRING.
    The partition key `name` was added: `name`.
    """
    commands = [_command(given) for given in (a, b)]
    if commands[0] is not None and commands[1] is not None:
        return statement_diff.diff_commands(commands[0], commands[1])
    return diff_operations(_operation(a, "first"), _operation(b, "second"), exact=exact)


def _command(given: object) -> Command | None:
    if isinstance(given, Table | QueryOperation):
        return None
    if isinstance(given, table_statement.TableStatement | table_pipeline.TablePipeline):
        return given.get_command()
    return given if isinstance(given, command_base.Command) else None


def _operation(query: object, which: str) -> QueryOperation:
    if isinstance(query, Table):
        return query.query_operation
    if isinstance(query, QueryOperation):
        return query
    raise ValidationException(
        f"diff compares two tables or two statements, but the {which} argument is {query!r}. "
        "The query of a stored view is read with from_view_definition(…), a table with from_path(…)."
    )


public_functions(globals())
