"""A corpus of Spark SQL queries, grouped by the features that they use; a blank line ends each query."""

from __future__ import annotations

import re
from pathlib import Path

import attrs

from ir.operations.operation import QueryOperation
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


def queries() -> list[Query]:
    """Return all queries."""
    found = []
    for path in sorted(_FOLDER.glob("*.sql")):
        texts = [text.strip("\n") for text in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")) if text.strip()]
        found += [Query(path.stem, number, text) for number, text in enumerate(texts, 1)]
    return found


def read(text: str) -> QueryOperation:
    """Parse a query and return its operation."""
    from grammar.reading import parse_query

    return parse_query(text, AROUND)


def named_texts(text: str) -> tuple[QueryOperation, dict[Layout, str]]:
    """Parse a query, and return its operation and its text in each layout, with the relation names of the query."""
    from grammar.reading import named_query_of, parse_syntax
    from serializer.given_names import naming

    operation, names = named_query_of(parse_syntax(text, AROUND.dialect), text, AROUND)
    with naming(operation, names):
        return operation, {layout: operation.as_serializable_string(layout=layout) for layout in Layout}
