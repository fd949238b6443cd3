"""A sample of the programs and queries of the tests, run on each older version of Spark that is installed.

``make test-versions`` runs all of them.
"""

from __future__ import annotations

from functools import cache

import pytest

from ir.rendering import Layout
from tests.versions.known import KNOWN, known
from tests.versions.programs import Queries, compare
from tests.versions.sparks import NEWEST, OTHERS, python_of
from tests.versions.texts import Texts

INSTALLED = [version for version in OTHERS if python_of(version) is not None]
SAMPLE = 60
"""How many queries that are written otherwise for a version, and how many others, are in its sample."""

pytestmark = pytest.mark.long


@cache
def _queries() -> Queries:
    return Queries.of_programs()


@cache
def _texts(version: str) -> Texts:
    return _queries().write(version, Layout.MERGED)


def test_a_version_answers_as_the_newest_or_the_reason_is_known(jvm: None) -> None:
    if not INSTALLED:
        pytest.skip("no other version of Spark is installed: make versions")
    outcomes = compare(INSTALLED, _queries(), Layout.MERGED, SAMPLE)
    assert {outcome.version: outcome.unexplained() for outcome in outcomes} == {version: {} for version in INSTALLED}


@pytest.mark.slow
@pytest.mark.parametrize("version", OTHERS)
def test_a_listed_query_has_a_text_for_its_version(version: str) -> None:
    names = {name for name in known(version) if name.startswith(("programs/", "sql/"))}
    assert names - _texts(version).accepted.keys() == set()


def test_no_query_is_listed_twice_for_a_version() -> None:
    listed = [(version, name) for entry in KNOWN for version in entry.versions for name in entry.names]
    assert sorted(set(listed)) == sorted(listed)
    assert {version for version, _ in listed} <= set(OTHERS)


@pytest.mark.slow
def test_the_newest_refuses_none_by_name() -> None:
    assert _texts(NEWEST).refused == {}
