"""The difference between two queries, such as a stored view and its new definition."""

from __future__ import annotations

from ir.errors import ValidationException
from ir.operations.operation import QueryOperation
from tableapi.query_diff.query_diff import QueryDiff, diff_operations
from tableapi.table import Table
from tableapi.tracebacks import public_functions

__all__ = ["QueryDiff", "diff"]


def diff(a: Table | QueryOperation, b: Table | QueryOperation, *, exact: bool = False) -> QueryDiff:
    """Return the difference between two queries, as sentences, as a tree and as records.

    Each operation is compared by itself: changes of its inputs, or other column names there, do not count as changes
    of the operation. By default, differences without effect on readers or rows are ignored: the number of SELECT
    blocks, the position of a filter, a projection that only passes columns on. Therefore, a query equals its own SQL
    parsed back. Queries of more than 200 operations are compared exactly. Nothing is run.

    Args:
        a: the old query: a table, or its tree of operations.
        b: the new query.
        exact: whether every difference between the two trees counts.

    Raises:
        ValidationException: an argument is not a query.

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
    """
    return diff_operations(_operation(a, "first"), _operation(b, "second"), exact=exact)


def _operation(query: object, which: str) -> QueryOperation:
    if isinstance(query, Table):
        return query.query_operation
    if isinstance(query, QueryOperation):
        return query
    raise ValidationException(
        f"diff compares tables, but the {which} argument is {query!r}. "
        "The query of a stored view is read with from_view_definition(…), a table with from_path(…)."
    )


public_functions(globals())
