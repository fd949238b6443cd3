"""A corpus of Spark SQL queries, grouped by the features that they use; a blank line ends each query."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import attrs

from ir.operations.operation import QueryOperation
from ir.relation_names import RelationNames
from ir.rendering import Layout
from tests.grammar.reading import surroundings
from tests.programs.tables import DATABASE, environment_without_spark

_FOLDER = Path(__file__).parent / "queries"
ENVIRONMENT = environment_without_spark()
ENVIRONMENT.use_database(DATABASE)
AROUND = surroundings(ENVIRONMENT)


@attrs.frozen
class Query:
    """A query, its group, and its number within the group."""

    group: str
    number: int
    text: str

    @property
    def name(self) -> str:
        """The query's name in the tests."""
        return f"{self.group}-{self.number}"


@cache
def queries() -> tuple[Query, ...]:
    """Return all queries."""
    found = []
    for path in sorted(_FOLDER.glob("*.sql")):
        texts = [text.strip("\n") for text in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")) if text.strip()]
        found += [Query(path.stem, number, text) for number, text in enumerate(texts, 1)]
    return tuple(found)


@cache
def read(text: str) -> QueryOperation:
    """Return the operation that a query is; a text that several tests are about is read once."""
    from grammar.reading import parse_query

    return parse_query(text, AROUND)


@cache
def read_with_names(text: str) -> tuple[QueryOperation, RelationNames]:
    """Return the operation that a query is, and the names that it gives to relations and to steps."""
    from grammar.reading import build_named_query, parse_syntax

    return build_named_query(parse_syntax(text, AROUND.dialect), text, AROUND)


def named_texts(text: str) -> tuple[QueryOperation, dict[Layout, str]]:
    """Parse a query, and return its operation and its text in each layout, with the relation names of the query."""
    from serializer.given_names import use_names

    operation, names = read_with_names(text)
    with use_names(operation, names):
        return operation, {layout: operation.as_serializable_string(layout=layout) for layout in Layout}
