"""The files of the older versions of Spark say what these Sparks answer: ``make versions`` installs them.

The tests ask a sample of the calls; ``python -m tests.versions`` asks all and writes the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.versions.agreement import NOT_EXPLAINED, agreement, contradictions
from tests.versions.calls import SAMPLE, Asked, all_calls, functions_to_ask
from tests.versions.facts import Answers, ask, prepare
from tests.versions.files import ASKED, read, text_of
from tests.versions.sparks import NEWEST, OTHERS, REQUIREMENTS, SPARKS, Spark, python_of, target_of

pytestmark = pytest.mark.long


@cache
def _calls() -> list[Asked]:
    return all_calls(SAMPLE)


@pytest.fixture(scope="module")
def newest(jvm: None) -> Answers:
    """The answers of the Spark that the other tests run on."""
    with Spark(NEWEST) as spark:
        prepare(spark)
        return ask(spark, _calls())


@pytest.fixture(scope="module", params=OTHERS)
def installed(request: pytest.FixtureRequest) -> str:
    """An older version that is installed."""
    version: str = request.param
    if python_of(version) is None:
        pytest.skip(f"Spark {version} is not installed: make versions")
    return version


# The newest Spark is asked only if there is an older one.
@pytest.fixture(scope="module")
def older(installed: str) -> Iterator[Spark]:
    """An older version, prepared."""
    with Spark(installed) as spark:
        prepare(spark)
        yield spark


@pytest.fixture(scope="module")
def answers(older: Spark, newest: Answers) -> tuple[str, Answers]:
    """The answers of an older version."""
    return older.version, ask(older, _calls(), newest)


def test_a_file_says_what_spark_answers(answers: tuple[str, Answers], newest: Answers) -> None:
    version, found = answers
    # Of another engine, a file says only what it lacks.
    calls = _calls() if version in SPARKS else []
    assert contradictions(read(version), found, newest, calls) == []


def test_what_is_written_for_a_version_has_the_types_of_the_newest_there(
    older: Spark, answers: tuple[str, Answers], newest: Answers
) -> None:
    version, found = answers
    if version not in SPARKS:
        pytest.skip(f"{version} is another engine, which differs in calls with unusual arguments")
    assert agreement(older, found, newest, _calls(), read(version)).disagreements == []


@pytest.mark.parametrize("version", OTHERS)
def test_a_file_is_written_as_the_command_writes_it(version: str) -> None:
    content: dict[str, Any] = read(version)
    assert text_of(content) == _text(version)
    assert content["release"].startswith(f"{target_of(version).version}.")
    pinned = (REQUIREMENTS / f"{version}.txt").read_text(encoding="utf-8").strip()
    assert pinned.endswith(f"=={content['release']}")


@pytest.mark.parametrize("version", SPARKS)
def test_traits_explain_every_difference(version: str) -> None:
    assert read(version)["unexplained"].keys() <= NOT_EXPLAINED.keys()


def _text(version: str) -> str:
    from tests.versions.files import path_of

    return path_of(version).read_text(encoding="utf-8")


def test_every_version_was_asked_about_every_function() -> None:
    """Otherwise an older target would accept a new function: ``make versions && python -m tests.versions``."""
    assert ASKED.read_text(encoding="utf-8").split() == functions_to_ask()
