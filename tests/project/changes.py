"""A project of a shop, and changes of it, each of which a plan says in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.project.projects import replace, write

SETTINGS: Final = """\
[project]
name = "shop"
database = "sales"

[targets.files]
directory = "target"
"""
ORDERS: Final = """\
CREATE TABLE orders (
  id BIGINT NOT NULL,
  customer_id BIGINT,
  amount DECIMAL(10, 2),
  status STRING,
  placed TIMESTAMP,
  note STRING
);
"""
CUSTOMERS: Final = "CREATE TABLE customers (id BIGINT NOT NULL, name STRING NOT NULL, country STRING);\n"
MODULE: Final = """\
from tableapi import view
from tableapi.expressions import col


@view("paid", comment="Paid orders.", columns={"id": "the order"}, owner="sales")
def paid(te):
    return (
        te.from_path("orders")
        .filter(col("status") == "paid")
        .select(col("id"), col("customer_id"), col("amount"), col("placed"))
    )


@view("totals")
def totals(te):
    return (
        paid(te)
        .group_by(col("customer_id"))
        .select(col("customer_id"), col("amount").sum.alias("total"), col("id").count.alias("n"))
    )
"""
VIEWS: Final = {
    "customer_totals": (
        "SELECT c.name, c.country, t.total, t.n\nFROM customers AS c\nJOIN totals AS t ON c.id = t.customer_id"
    ),
    "countries": "SELECT country, SUM(total) AS total\nFROM customer_totals\nGROUP BY country",
    "top": "SELECT name, total\nFROM customer_totals\nORDER BY total DESC\nLIMIT 10",
    "newest": (
        "SELECT id, customer_id, placed\nFROM paid\n"
        "QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed DESC) = 1"
    ),
    "sizes": "SELECT id, CASE WHEN amount > 100 THEN 'large' ELSE 'small' END AS size\nFROM paid",
    "people": "SELECT name FROM customers\nUNION ALL\nSELECT note FROM orders",
    "nets": "SELECT id, net(amount) AS net\nFROM paid",
}
FUNCTIONS: Final = {"net": "(x DECIMAL(10, 2)) RETURNS DECIMAL(10, 2) RETURN x / 1.2"}
# Views of other people in the catalog of the target.
OUTSIDE: Final = {
    "dashboard": "SELECT name, total FROM sales.customer_totals WHERE n > 1",
    "copies": "SELECT * FROM sales.paid",
}

_PAID: Final = "views/shop.py"


def write_shop(folder: Path) -> Path:
    """Write the project, and its target of files with the tables and the views of other people."""
    write(folder, "tableapi.toml", SETTINGS)
    write(folder, _PAID, MODULE)
    for tables in ("catalog/sales/tables", "target/sales/tables"):
        write(folder, f"{tables}/orders.sql", ORDERS)
        write(folder, f"{tables}/customers.sql", CUSTOMERS)
    for name, query in VIEWS.items():
        write(folder, f"catalog/sales/views/{name}.sql", f"CREATE VIEW {name} AS\n{query};\n")
    for name, body in FUNCTIONS.items():
        write(folder, f"catalog/sales/functions/{name}.sql", f"CREATE FUNCTION {name}{body};\n")
    return folder


def write_outside_views(folder: Path) -> None:
    """Write the views of other people into the target, which must have the views that they read."""
    for name, query in OUTSIDE.items():
        write(folder, f"target/reports/views/{name}.sql", f"CREATE VIEW {name} AS\n{query};\n")


Change = Callable[[Path], object]


def _in(name: str, old: str, new: str) -> Change:
    """Return the change of a part of a view."""
    return lambda folder: replace(folder, f"catalog/sales/views/{name}.sql", old, new)


def _in_module(*pairs: tuple[str, str]) -> Change:
    """Return the change of parts of the module."""

    def change(folder: Path) -> None:
        for old, new in pairs:
            replace(folder, _PAID, old, new)

    return change


def _in_tables(name: str, old: str, new: str) -> Change:
    """Return the change of a table, at the target and in the project, as ``schema pull`` writes it."""

    def change(folder: Path) -> None:
        for tables in ("catalog/sales/tables", "target/sales/tables"):
            replace(folder, f"{tables}/{name}.sql", old, new)

    return change


def _all(*changes: Change) -> Change:
    def change(folder: Path) -> None:
        for one in changes:
            one(folder)

    return change


def _remove(kind: str, name: str) -> Change:
    return lambda folder: (folder / f"catalog/sales/{kind}/{name}.sql").unlink()


def _add_view(name: str, query: str) -> Change:
    return lambda folder: write(folder, f"catalog/sales/views/{name}.sql", f"CREATE VIEW {name} AS\n{query};\n")


def _add_function(name: str, body: str) -> Change:
    return lambda folder: write(folder, f"catalog/sales/functions/{name}.sql", f"CREATE FUNCTION {name}{body};\n")


CHANGES: Final[dict[str, Change]] = {
    # conditions
    "filter: another value": _in_module(('== "paid"', '== "settled"')),
    "filter: one more condition": _in_module(('== "paid")', '== "paid").filter(col("amount") > 0)')),
    "filter: removed": _in_module(('        .filter(col("status") == "paid")\n', "")),
    "case: another branch": _in("sizes", "THEN 'large'", "THEN 'large' WHEN amount > 50 THEN 'medium'"),
    # columns
    "column: added at the end": _in_module(('col("placed"))', 'col("placed"), col("status"))')),
    "column: added at the beginning": _in("newest", "SELECT id,", "SELECT 1 AS version, id,"),
    "column: removed that a view of the project reads": _all(
        _in_module((', col("id").count.alias("n")', "")), _in("customer_totals", ", t.n", "")
    ),
    "column: removed that nobody reads": _in("newest", ", placed\n", "\n"),
    "column: renamed": _all(
        _in_module(('sum.alias("total")', 'sum.alias("revenue")')),
        _in("customer_totals", "t.total", "t.revenue AS total"),
    ),
    "column: renamed that others read": _all(
        _in("customer_totals", "t.total", "t.total AS revenue"),
        _in("countries", "SUM(total)", "SUM(revenue)"),
        _in(
            "top",
            "total\nFROM customer_totals\nORDER BY total",
            "revenue AS total\nFROM customer_totals\nORDER BY revenue",
        ),
    ),
    "column: computed otherwise": _in("nets", "net(amount)", "net(amount) * 2"),
    "columns: another order": _in("top", "name, total", "total, name"),
    # types
    "type: wider": _in_module(('col("amount"), ', 'col("amount").cast("DECIMAL(12, 2)").alias("amount"), ')),
    "type: another family": _in_module(
        (
            'col("id"), col("customer_id"), col("amount")',
            'col("id").cast("STRING").alias("id"), col("customer_id"), col("amount")',
        )
    ),
    "type: no longer NULL": _in("customer_totals", "t.total", "COALESCE(t.total, 0) AS total"),
    # joins, groups, orders
    "join: outer instead of inner": _in("customer_totals", "\nJOIN", "\nLEFT JOIN"),
    "join: one more condition": _in("customer_totals", "t.customer_id", "t.customer_id AND t.n > 1"),
    "groups: another key": _in("countries", "GROUP BY country", "GROUP BY country, name"),
    "groups: another aggregate": _in("countries", "SUM(total)", "AVG(total)"),
    "groups: distinct values": _in_module(('col("id").count', 'col("customer_id").count.distinct')),
    "order: the other direction": _in("top", " DESC", ""),
    "limit: more rows": _in("top", "10", "20"),
    "window: another partition": _in("newest", "PARTITION BY customer_id", "PARTITION BY customer_id, id"),
    "set operation: without duplicates": _in("people", "UNION ALL", "UNION"),
    # dependencies
    "dependency: another view": _in("newest", "FROM paid", "FROM orders"),
    "view: new": _add_view("empty_names", "SELECT id FROM customers WHERE name = ''"),
    "view: dropped that nobody reads": _remove("views", "people"),
    "view: dropped that others read": _all(
        _remove("views", "customer_totals"), _remove("views", "top"), _remove("views", "countries")
    ),
    "view: renamed": _all(_remove("views", "people"), _add_view("persons", VIEWS["people"])),
    # comments and properties
    "comment: of a view": _in_module(('"Paid orders."', '"Orders that are paid."')),
    "comment: of a column": _in_module(('"the order"', '"the number of the order"')),
    "property: another owner": _in_module(('owner="sales"', 'owner="finance", properties={"tier": "1"}')),
    # functions
    "function: another body": lambda folder: replace(folder, "catalog/sales/functions/net.sql", "1.2", "1.19"),
    "function: new, and called": _all(
        _add_function("gross", "(x DECIMAL(10, 2)) RETURNS DECIMAL(10, 2) RETURN x"),
        _in("nets", "net(amount) AS net", "net(amount) AS net, gross(amount) AS gross"),
    ),
    "function: dropped": _all(_remove("functions", "net"), _in("nets", "net(amount)", "amount")),
    # tables
    "table: a wider column": _in_tables("orders", "DECIMAL(10, 2)", "DECIMAL(12, 2)"),
    "table: one more column": _in_tables("orders", "note STRING", "note STRING,\n  channel STRING"),
    "table: a column that can be NULL now": _in_tables("customers", "name STRING NOT NULL", "name STRING"),
    # the same meaning
    "same: a subquery more": _in("people", "FROM orders", "FROM (SELECT * FROM orders)"),
    "same: written in Python": _all(
        _remove("views", "people"),
        lambda folder: write(
            folder,
            "views/people.py",
            "from tableapi import view\nfrom tableapi.expressions import col\n\n\n"
            '@view("people")\ndef people(te):\n'
            '    names = te.from_path("customers").select(col("name"))\n'
            '    return names.union_all(te.from_path("orders").select(col("note")))\n',
        ),
    ),
    "same: a query of WITH": _in(
        "countries",
        VIEWS["countries"],
        "WITH t AS (SELECT * FROM customer_totals)\nSELECT country, SUM(total) AS total\nFROM t\nGROUP BY country",
    ),
}
"""The changes by their names; each writes into the folder of the project."""
