"""A sample of the programs and queries of the tests, run on each older version of Spark that is installed.

``make test-versions`` runs all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from ir.rendering import Layout
from tests.versions.known import KNOWN, known
from tests.versions.programs import Answer, Outcome, Queries, run
from tests.versions.sparks import NEWEST, OTHERS, python_of
from tests.versions.texts import Texts, programs, tables_of_programs

INSTALLED = [version for version in OTHERS if python_of(version) is not None]
SAMPLE = 60
"""How many queries of each kind are in the sample of a version."""

pytestmark = pytest.mark.long


@cache
def _queries() -> Queries:
    """The queries over the tables of the programs."""
    return Queries(tables_of_programs(), programs(), {})


@cache
def _texts(version: str) -> Texts:
    return _queries().write(version, Layout.MERGED)


def _sample(version: str) -> Texts:
    """Return the texts of queries that are written otherwise for a version, and as many that are not."""
    texts, newest = _texts(version), _texts(NEWEST).accepted
    rewritten = [name for name, text in texts.accepted.items() if text != newest[name]]
    others = [name for name, text in texts.accepted.items() if text == newest[name]]
    chosen = [*_evenly(rewritten), *_evenly(others)]
    return Texts({name: texts.accepted[name] for name in chosen}, texts.refused)


def _evenly(names: list[str]) -> list[str]:
    """Return about ``SAMPLE`` names at equal distances in sorted order."""
    return sorted(names)[:: max(1, len(names) // SAMPLE)]


@pytest.fixture(scope="module")
def newest(jvm: None) -> Mapping[str, Answer]:
    """The answers of the newest Spark to the samples of all installed versions."""
    names = sorted({name for version in INSTALLED for name in _sample(version).accepted})
    written = _texts(NEWEST).accepted
    return run(NEWEST, _queries(), Texts({name: written[name] for name in names}, {}))


@pytest.mark.parametrize("version", OTHERS)
def test_a_version_answers_as_the_newest_or_the_reason_is_known(
    version: str, jvm: None, request: pytest.FixtureRequest
) -> None:
    if version not in INSTALLED:
        pytest.skip(f"Spark {version} is not installed: make versions")
    newest: Mapping[str, Answer] = request.getfixturevalue("newest")
    sample = _sample(version)
    answers = run(version, _queries(), sample)
    assert answers.keys() == sample.accepted.keys()
    asked = {name: newest[name] for name in answers}
    assert Outcome.of(version, sample, answers, asked).unexplained() == {}


@pytest.mark.parametrize("version", OTHERS)
def test_a_listed_query_has_a_text_for_its_version(version: str) -> None:
    names = {name for name in known(version) if name.startswith(("programs/", "sql/"))}
    assert names - _texts(version).accepted.keys() == set()


def test_no_query_is_listed_twice_for_a_version() -> None:
    listed = [(version, name) for entry in KNOWN for version in entry.versions for name in entry.names]
    assert sorted(set(listed)) == sorted(listed)
    assert {version for version, _ in listed} <= set(OTHERS)


def test_the_newest_refuses_none_by_name() -> None:
    assert _texts(NEWEST).refused == {}
