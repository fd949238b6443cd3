"""The files of the older versions of Spark say what these Sparks answer: ``make versions`` installs them.

The tests ask a sample of the calls; ``python -m tests.versions`` asks all and writes the files.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.versions.agreement import agreement
from tests.versions.calls import SAMPLE, Asked, all_calls, functions_to_ask
from tests.versions.facts import Answers, ask, differences, is_general, prepare, result_of
from tests.versions.files import ASKED, expected_result, read, text_of
from tests.versions.sparks import NEWEST, OTHERS, REQUIREMENTS, SPARKS, Spark, python_of, target_of

# Parts of a file that no sample of calls decides.
WHOLE = ("release", "types", "syntax", "settings", "other_answers", "defaults", "names", "named_arguments")

# Functions of which no trait tells the calls apart, with what decides.
NOT_EXPLAINED = {
    "aggregate": "whether the elements may be NULL of what the function returns",
    "approx_top_k_combine": "the type of the items is in a field of the state",
    "approx_top_k_estimate": "the type of the items is in a field of the state",
    "currentTime": "the precision: TIME has at most six digits before Spark 4.3",
    "date_part": "the precision of a TIME: SECOND has six digits before Spark 4.3, whatever the type has",
    "extract": "the precision of a TIME: SECOND has six digits before Spark 4.3, whatever the type has",
}

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


@pytest.mark.parametrize("part", WHOLE)
def test_a_file_says_what_spark_answers(answers: tuple[str, Answers], newest: Answers, part: str) -> None:
    version, found = answers
    assert differences(found, newest, [])[part] == read(version)[part]


def test_a_file_says_which_calls_are_refused_or_typed_otherwise(answers: tuple[str, Answers], newest: Answers) -> None:
    version, found = answers
    if version not in SPARKS:
        pytest.skip(f"{version} is another engine, of which a file says only what it lacks")
    content = read(version)
    wrong = []
    for call in _calls():
        answer, newer = found.types.get(call.text), newest.types.get(call.text)
        if call.in_spark and answer is not None and newer is not None and not isinstance(newer, str):
            expected, actual = expected_result(content, call.function, call.traits), result_of(answer, newer)
            if call.function in NOT_EXPLAINED:
                continue
            if expected != actual and not is_general(content["syntax"], call, actual):
                wrong.append(f"{call.function}: {call.text}: {actual}, and not {expected}")
    assert wrong == []


def test_what_is_written_for_a_version_has_the_types_of_the_newest_there(
    older: Spark, answers: tuple[str, Answers], newest: Answers
) -> None:
    version, found = answers
    if version not in SPARKS:
        pytest.skip(f"{version} is another engine, which differs in calls with unusual arguments")
    calls = [call for call in _calls() if call.function not in NOT_EXPLAINED]
    assert agreement(older, found, newest, calls, read(version)).disagreements == []


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
