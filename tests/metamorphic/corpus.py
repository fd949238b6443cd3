"""All queries of the tests, for checks over every one of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs

from examples.tpch.data import declare
from grammar.reading import Surroundings, parse_query
from ir.errors import SqlParserException, TableException
from ir.expressions import Expression
from ir.operations.operation import QueryOperation
from ir.operations.source import ReadOptions, Source
from ir.schema import ResolvedSchema
from tests.grammar.reading import surroundings
from tests.metamorphic.renaming import Renamed
from tests.programs import PROGRAMS
from tests.programs.tables import DATABASE, SCHEMAS, Tables, environment_without_spark
from tests.sql.corpus import queries

_ROOT = Path(__file__).resolve().parent.parent.parent
_QUERY = re.compile(r"\s*(SELECT|WITH|VALUES|FROM)\b")
_KNOWN = re.compile(rf"\b({'|'.join(SCHEMAS)})\b|\bVALUES\b|\brange\(")

_ENVIRONMENT = environment_without_spark()
_ENVIRONMENT.execute_sql("CREATE DATABASE tpch")
declare(_ENVIRONMENT, "tpch", Path("/tpch"))
_ENVIRONMENT.use_database(DATABASE)
AROUND = surroundings(_ENVIRONMENT)
_TABLES = Tables(_ENVIRONMENT)
_TEXTS = {query.name: query.text for query in queries()}


@attrs.frozen
class Query:
    """A query of the tests, and its place."""

    name: str
    text: str
    is_emitted: bool = False


@cache
def every_text() -> list[Query]:
    """Return the Spark SQL queries in the files, the snapshots and the strings of the tests, without duplicates.

    Strings are omitted unless they read a table of the test programs or build rows themselves.
    """
    found = {query.text: Query(query.name, query.text) for query in queries()}
    for path in sorted([*_ROOT.glob("snapshots/merged/*.sql"), *_ROOT.glob("snapshots/spark/tpch_*.sql")]):
        text = path.read_text(encoding="utf-8").strip()
        found.setdefault(text, Query(f"{path.parent.name}-{path.stem}", text, True))
    for path in sorted(_ROOT.glob("tests/**/*.py")):
        for text in _strings(path):
            found.setdefault(text, Query(f"{path.stem}-{len(found)}", text))
    return list(found.values())


def _strings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and _QUERY.match(text) and _KNOWN.search(text):
            yield text


def tree_names() -> list[str]:
    """Return the names of the queries in the files of the tests, and of all test programs."""
    return [*_TEXTS, *PROGRAMS]


def tree(name: str) -> QueryOperation:
    """Return the tree of a query in the files of the tests, or of a test program.

    Raises:
        ValueError: the query is refused.
    """
    if name in PROGRAMS:
        return PROGRAMS[name].build(_TABLES).query_operation
    found = read_unchanged(_TEXTS[name])
    if not isinstance(found, QueryOperation):
        raise ValueError(f"{name} is refused: {found}")
    return found


@cache
def table(path: tuple[str, ...]) -> QueryOperation:
    """Return the table at a path.

    Raises:
        TableException: the path leads to no table.
    """
    return AROUND.find_table(path, None, None, ())


def around(renamed: Renamed) -> Surroundings:
    """Return surroundings for a renamed text, in which its tables have the new names."""

    def find(
        path: tuple[str, ...], version: str | None, timestamp: Expression | None, options: ReadOptions
    ) -> QueryOperation:
        old, names = renamed.tables[path[-1]]
        found = AROUND.find_table((*path[:-1], old), version, timestamp, options)
        assert isinstance(found, Source)
        columns = [c.evolve(name=n) for c, n in zip(found.schema.columns, names, strict=True)]
        return found.evolve(identifier=found.identifier.evolve(name=path[-1]), schema=ResolvedSchema(tuple(columns)))

    return attrs.evolve(AROUND, find_table=find)


@cache
def read_unchanged(text: str) -> QueryOperation | str | None:
    """Parse a query of the tests; several tests read each."""
    return read(text, AROUND)


def read(text: str, surroundings: Surroundings) -> QueryOperation | str | None:
    """Parse a query; return the error message if it is rejected, and None if the text does not fit the grammar."""
    try:
        return parse_query(text, surroundings)
    except SqlParserException:
        return None
    except TableException as error:
        return str(error)
