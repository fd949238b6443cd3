"""Every condition that this library raises has a meaning, in a sentence, and Spark's SQLSTATE."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pyspark
import pytest

from ir.condition_meanings import MEANINGS, explain_code
from ir.errors import SQL_STATES


def test_each_condition_of_the_library_has_a_meaning() -> None:
    assert not SQL_STATES.keys() - MEANINGS.keys()


@pytest.mark.parametrize("condition", sorted(MEANINGS))
def test_a_meaning_is_a_sentence(condition: str) -> None:
    [found] = explain_code(condition)
    assert found.condition == condition
    assert found.meaning[0].isupper()
    assert found.meaning.endswith(".")
    assert len(found.sql_state) == 5
    assert found.state_class
    assert found in explain_code(found.sql_state.lower())


def test_the_states_are_those_of_spark() -> None:
    [jar] = (Path(pyspark.__file__).parent / "jars").glob("spark-common-utils_*.jar")
    with zipfile.ZipFile(jar) as archive:
        conditions = json.loads(archive.read("error/error-conditions.json"))
    for condition in MEANINGS:
        [found] = explain_code(condition)
        assert found.sql_state == conditions[condition]["sqlState"], condition


@pytest.mark.parametrize("code", ["", "UNKNOWN_CONDITION", "99999", "427"])
def test_an_unknown_code_means_nothing(code: str) -> None:
    assert explain_code(code) == []
