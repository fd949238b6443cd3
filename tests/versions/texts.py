"""The statements that make the tables of the tests, and the texts of all their queries, as written for Spark.

Every version gets the same statements. The rows of the programs are written as VALUES. The tables of TPC-H read the
files of ``examples.tpch``, and the tables of TPC-DS are empty.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from examples.tpch import data as tpch_data
from examples.tpch.queries import QUERIES as TPCH_QUERIES
from ir.rendering import Layout
from tableapi import EnvironmentSettings, TableEnvironment
from tests.programs import PROGRAMS
from tests.programs.tables import DATABASE, SCHEMAS, Tables, environment_without_spark, values
from tests.sql.corpus import named_texts, queries
from tests.tpcds.queries import queries as tpcds_queries
from tests.tpcds.tables import definitions

TPCH, TPCDS = "tpch", "tpcds"
TPCH_SCALE = 0.01


def tables_of_programs(names: Iterable[str] = SCHEMAS) -> list[str]:
    """Return the statements that make tables of the programs."""
    env = environment_without_spark()
    made = [f"CREATE DATABASE {DATABASE}"]
    for name in names:
        rows = env.from_operation(values(name)).as_serializable_string()
        made.append(f"CREATE TABLE {DATABASE}.{name} USING parquet AS {rows}")
    return made


def tables_of_tpch(files: Path) -> list[str]:
    """Return the statements that make the tables of TPC-H, whose files are generated unless they are there."""
    tpch_data.generate(files, TPCH_SCALE)
    made = [f"CREATE DATABASE {TPCH}"]
    for name, columns in tpch_data.COLUMNS.items():
        listed = ", ".join(f"{column} {data_type}" for column, data_type in columns.items())
        location = (files / f"{name}.parquet").as_uri()
        made.append(f"CREATE TABLE {TPCH}.{name} ({listed}) USING parquet LOCATION '{location}'")
    return made


def tables_of_tpcds() -> list[str]:
    """Return the statements that make the empty tables of TPC-DS, the last of which makes their database current."""
    return [f"CREATE DATABASE {TPCDS}", f"USE {TPCDS}", *definitions().values()]


def texts_of_programs(layout: Layout) -> dict[str, str]:
    """Return the text of each program and of each query of ``tests/sql``, with qualified names of tables or none.

    The names without a database are those of ``DATABASE``.
    """
    tables = Tables(environment_without_spark())
    found = {f"programs/{p.name}": p.build(tables).as_serializable_string(layout=layout) for p in PROGRAMS.values()}
    return found | {f"sql/{query.name}": named_texts(query.text)[1][layout] for query in queries()}


def texts_of_tpch(layout: Layout) -> dict[str, str]:
    """Return the text of each query of TPC-H."""
    env = _environment(TPCH)
    tpch_data.declare(env, TPCH, Path("/nowhere"))

    @functools.cache
    def table(name: str) -> object:
        return env.from_path(f"{TPCH}.{name}")

    return {f"tpch/{n}": build(table).as_serializable_string(layout=layout) for n, build in TPCH_QUERIES.items()}  # type: ignore[arg-type]


def texts_of_tpcds(layout: Layout) -> dict[str, str]:
    """Return the text of each query of TPC-DS."""
    env = _environment(TPCDS)
    for name, definition in definitions().items():
        env.execute_sql(f"{definition} LOCATION '/nowhere/{name}'")
    texts = tpcds_queries().items()
    return {f"tpcds/{name}": env.sql_query(text).as_serializable_string(layout=layout) for name, text in texts}


def _environment(database: str) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    return TableEnvironment.create(settings.with_built_in_database_name(database).build())
