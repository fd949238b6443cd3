"""The meaning of a query does not depend on the names of its columns and relations.

Each query of the tests is read three times: unchanged, with a distinct name for every column and relation, and with
names that are equal wherever SQL's rules still find the same column. The trees must be the same up to names. If they
are not, a name was captured: it referred to a column of other rows than SQL's rules say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import attrs
import pytest

from grammar.reading import parse_query
from ir.errors import TableException
from ir.identifiers import ObjectIdentifier
from ir.operations.operation import QueryOperation
from ir.rendering import Layout
from tests.cases import every
from tests.metamorphic.corpus import AROUND, Query, around, every_text, read, read_unchanged, table, tree, tree_names
from tests.metamorphic.names_in_tree import RenamedTree
from tests.metamorphic.renaming import Renamed, rename_alike, rename_apart
from tests.metamorphic.same_tree import SameTree
from tests.metamorphic.symbols import Undecided

WAYS: dict[str, Callable[..., Renamed]] = {"apart": rename_apart, "alike": rename_alike}
compared: Counter[str] = Counter()
"""The number of queries compared in each way, and of those left out, by reason."""


@pytest.mark.slow
@every("query", every_text, lambda query: query.name, alike=True)
def test_text_with_other_names_is_the_same_query(query: Query) -> None:
    found = None if "table_changes(" in query.text.lower() else read_unchanged(query.text)
    if found is None:
        # Or a table is named by a string, which is not renamed.
        compared["not SQL of Spark"] += 1
        return
    for way, rename in WAYS.items():
        try:
            renamed = rename(query.text, columns_of, is_emitted=query.is_emitted)
        except (Undecided, TableException) as reason:
            compared[f"{way} refused" if isinstance(found, str) else f"{way} undecided: {reason}"] += 1
            continue
        problem = difference(found, renamed)
        assert problem is None, _message(query, way, renamed, problem)
        compared[f"{way} refused" if isinstance(found, str) else way] += 1


def columns_of(path: tuple[str, ...]) -> Sequence[str]:
    """Return the names of the columns of a table."""
    return table(path).schema.names


def difference(found: QueryOperation | str, renamed: Renamed) -> str | None:
    """Return the difference between a query and its renamed version; None if there is none."""
    other = read(renamed.text, around(renamed))
    if isinstance(found, str) or not isinstance(other, QueryOperation):
        return None if isinstance(found, str) and isinstance(other, str) else f"{_shown(found)}\n{_shown(other)}"
    # The new name of each table is distinct, so it identifies the original table.
    old = {new: name.lower() for new, (name, _) in renamed.tables.items()}

    def table_of(identifier: ObjectIdentifier) -> object:
        return (*identifier.parts[:-1], old.get(identifier.name, identifier.name.lower()))

    return SameTree(table_of).first_difference(found, other)


def _shown(found: QueryOperation | str | None) -> str:
    return "refused: " + str(found).split("\n", 1)[0] if not isinstance(found, QueryOperation) else "read"


def _message(query: Query, way: str, renamed: Renamed, problem: str) -> str:
    return (
        f"{query.name}: with names that are {way}, the query is another one.\n\n{query.text}\n\n{renamed.text}\n\n"
        f"First difference: {problem}"
    )


@pytest.mark.slow
def test_nearly_all_queries_are_compared() -> None:
    """Queries that the name analysis does not cover are left out, and must stay few."""
    total = compared["apart"] + sum(n for reason, n in compared.items() if reason.startswith("apart undecided"))
    if total < len(every_text()) // 2:
        pytest.skip("the other tests of this file, which count, were not run")
    assert compared["apart"] >= 0.95 * total, compared
    assert compared["alike"] >= 0.95 * total, compared


@pytest.mark.slow
@every("name", tree_names, str, alike=True)
def test_tree_with_equal_names_is_read_back(name: str) -> None:
    original = tree(name)
    try:
        renamed = RenamedTree(original, alike=True)
    except Undecided:
        return
    new = {made.identifier.name: made for _, made in renamed.sources}
    old = {made.identifier: source.identifier for source, made in renamed.sources}
    same = SameTree(lambda identifier: old.get(identifier, identifier))
    assert same.first_difference(original, renamed.root) is None, "the test itself has made another tree"
    known = attrs.evolve(AROUND, find_table=lambda path, version, timestamp, options: new[path[-1]])
    for layout in Layout:
        text = renamed.root.as_serializable_string(layout=layout)
        read_back = parse_query(text, known)
        if layout is Layout.NESTED:
            assert read_back is renamed.root, text
        else:
            problem = same.first_difference(renamed.root.normalize(), read_back.normalize())
            assert read_back.normalize() is renamed.root.normalize(), f"{text}\n\nFirst difference: {problem}"
