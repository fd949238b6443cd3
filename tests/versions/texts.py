"""The statements that make the tables of the tests, and the texts of all their queries, as written for a target.

Every version of Spark gets the same statements. The rows of the programs are written as VALUES. The tables of TPC-H
read the files of ``examples.tpch``, and the tables of TPC-DS are empty.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import attrs

from examples.tpch import data as tpch_data
from examples.tpch.queries import QUERIES as TPCH_QUERIES
from ir.errors import TableException
from ir.rendering import Layout
from ir.targets.target import Target
from serializer.given_names import use_names
from tableapi import EnvironmentSettings, Table, TableEnvironment
from tests.programs import PROGRAMS
from tests.programs.tables import DATABASE, SCHEMAS, Tables, environment_without_spark, values
from tests.sql.corpus import queries, read_with_names
from tests.tpcds.queries import queries as tpcds_queries
from tests.tpcds.tables import definitions

TPCH, TPCDS = "tpch", "tpcds"
TPCH_SCALE = 0.01


def tables_of_programs(names: Iterable[str] = SCHEMAS, target: Target | None = None) -> list[str]:
    """Return the statements that make tables of the programs, as written for a target."""
    env = environment_without_spark()
    made = [f"CREATE DATABASE {DATABASE}"]
    for name in names:
        rows = env.from_operation(values(name)).as_serializable_string(target=None if target is None else target.name)
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
    return [f"CREATE DATABASE {TPCDS}", f"USE DATABASE {TPCDS}", *definitions().values()]


Writer = Callable[[Layout, Target], str]
"""Writes a query in a layout for a target, or raises TableException if the target lacks a part of it."""


@attrs.frozen
class Texts:
    """The texts of queries for a target, by the names of the queries.

    Attributes:
        accepted: the text of each query that the target has a text for.
        refused: the message for each other query.
    """

    accepted: dict[str, str]
    refused: dict[str, str]

    @staticmethod
    def of(writers: Mapping[str, Writer], layout: Layout, target: Target) -> Texts:
        """Write queries in a layout for a target.

        Raises:
            TableException: a query has no text for any target.
        """
        accepted, refused = {}, {}
        for name, write in writers.items():
            try:
                accepted[name] = write(layout, target)
            except TableException as error:
                if f"the target is {target.title}" not in str(error):
                    raise
                refused[name] = str(error)
        return Texts(accepted, refused)


def programs() -> dict[str, Writer]:
    """Return the writer of each program and of each query of ``tests/sql``.

    Names of tables without a database are those of ``DATABASE``.
    """
    tables = Tables(environment_without_spark())
    found = {f"programs/{program.name}": _writer(program.build(tables)) for program in PROGRAMS.values()}
    return found | {f"sql/{query.name}": _writer_with_names(query.text) for query in queries()}


def queries_of_tpch() -> dict[str, Writer]:
    """Return the writer of each query of TPC-H."""
    env = _environment(TPCH)
    tpch_data.declare(env, TPCH, Path("/nowhere"))

    @functools.cache
    def table(name: str) -> Table:
        return env.from_path(f"{TPCH}.{name}")

    return {f"tpch/{number}": _writer(build(table)) for number, build in TPCH_QUERIES.items()}


def queries_of_tpcds() -> dict[str, Writer]:
    """Return the writer of each query of TPC-DS."""
    env = _environment(TPCDS)
    for name, definition in definitions().items():
        env.execute_sql(f"{definition} LOCATION '/nowhere/{name}'")
    return {f"tpcds/{name}": _writer(env.sql_query(text)) for name, text in tpcds_queries().items()}


def _writer(table: Table) -> Writer:
    return lambda layout, target: table.as_serializable_string(layout=layout, target=target)


def _writer_with_names(text: str) -> Writer:
    """Return the writer of a query that keeps the relation names of its text."""

    def write(layout: Layout, target: Target) -> str:
        operation, names = read_with_names(text)
        with use_names(operation, names):
            return operation.as_serializable_string(layout=layout, target=target)

    return write


def _environment(database: str) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("spark_catalog")
    return TableEnvironment.create(settings.with_built_in_database_name(database).build())
