"""The verb init: a new project that passes its own checks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tableapi.cli.output import ExitCode, Output
from tableapi.project.configuration import FILE_NAME, ProjectError

_FILES: Final = {
    FILE_NAME: """\
# The project file of tableapi: docs/views-as-code.md describes it.
[project]
name = "{name}"
database = "sales"
# Folders and files of Python modules with views.
views = ["views"]
# The folder with the columns of tables, and with views in SQL, one statement a file.
catalog = "catalog"

# An embedded Spark on this machine, for trying things out. Make its tables first, in Python:
#   te = TableEnvironment.create(warehouse="warehouse")
#   te.execute_sql("CREATE DATABASE sales")
#   columns = "id BIGINT NOT NULL, customer STRING, amount DECIMAL(10, 2), day DATE"
#   te.execute_sql(f"CREATE TABLE sales.orders ({{columns}}) USING parquet")
# Then: tableapi apply local
[targets.local]
warehouse = "warehouse"
# The database of the table that records deployments, for tableapi history and tableapi rollback.
journal = "ops"

# Another catalog whose tables views read, as lake.raw.clicks: tableapi schema pull production --tables 'lake.raw.*'
# [catalogs.lake]

# A Spark Connect server, or a function that returns your platform's session.
# [targets.production]
# spark = "4.0"
# remote = "sc://host:15002"
# session = "my_platform.sessions:production"
# journal = "sales"

[environments]
naming = "{{environment}}_{{database}}"
""",
    "catalog/sales/tables/orders.sql": """\
CREATE TABLE orders (id BIGINT NOT NULL, customer STRING, amount DECIMAL(10, 2), day DATE);
""",
    "catalog/sales/views/large_orders.sql": """\
CREATE VIEW large_orders COMMENT 'Orders of at least 100.' AS
SELECT id, customer, amount, day
FROM orders
WHERE amount >= 100;
""",
    "views/revenue.py": '''\
"""Revenue by day."""

from tableapi import Table, TableEnvironment, view
from tableapi.expressions import col


@view(
    "revenue_by_day",
    comment="The revenue of large orders by day.",
    columns={{"revenue": "the sum of the amounts"}},
    schema={{"day": "DATE", "revenue": "DECIMAL(20, 2)"}},
)
def revenue_by_day(te: TableEnvironment) -> Table:
    orders = te.from_path("large_orders")
    return orders.group_by(col("day")).select(col("day"), col("amount").sum.alias("revenue"))
''',
    "tests/test_views.py": '''\
"""Tests of the views: pip install 'tableapi[testing]', then pytest."""

from datetime import date
from decimal import Decimal

from tableapi import TableEnvironment
from tableapi.testing import assert_rows, assert_schema, with_rows

NEW_YEAR = date(2026, 1, 1)


def test_the_columns_of_revenue_by_day(table_environment: TableEnvironment) -> None:
    assert_schema(table_environment.from_path("revenue_by_day"), {{"day": "DATE", "revenue": "DECIMAL(20, 2)"}})


def test_small_orders_do_not_count(table_environment: TableEnvironment) -> None:
    # Runs on Spark, and is skipped where there is none.
    orders = [(1, "Ada", 250, NEW_YEAR), (2, "Bob", 99, NEW_YEAR)]
    given = with_rows(table_environment, {{"sales.orders": orders}})
    assert_rows(given.from_path("revenue_by_day"), [(NEW_YEAR, Decimal(250))])
''',
    ".gitignore": """\
warehouse/
__pycache__/
""",
}


def write_project(output: Output, folder: Path, name: str | None) -> ExitCode:
    """Write the files of a new project; no file that exists is changed."""
    chosen = name or re.sub(r"[^\w.-]+", "_", folder.absolute().name) or "project"
    if (folder / FILE_NAME).exists():
        raise ProjectError(f"{folder / FILE_NAME} exists; the folder has a project already.")
    taken = [path for path in _FILES if path != ".gitignore" and (folder / path).exists()]
    if taken:
        raise ProjectError(f"{folder / taken[0]} exists. Nothing was written; choose another folder.")
    written = []
    for path, content in _FILES.items():
        target = folder / path
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content.format(name=chosen), "utf-8")
        written.append(path)
        output.show(f"wrote {target}")
    output.show(f"Next: tableapi check{'' if folder == Path() else f' -C {folder}'}", "green")
    output.document(project=chosen, written=written)
    return ExitCode.OK
