"""The digests of questions that Spark has answered as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir import types as t
from tests import answers
from tests.answers import Answers

SOURCE = "tests/test_answers.py"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(answers, "DIRECTORY", tmp_path)
    monkeypatch.setattr(Answers, "_every", [])
    monkeypatch.setattr(Answers, "asks_again", False)
    return tmp_path


def test_a_kept_question_is_not_asked_again(directory: Path) -> None:
    first = Answers("check", SOURCE)
    assert not first.know("SELECT 1", t.INT)
    first.keep("SELECT 1", t.INT)
    first.write()
    second = Answers("check", SOURCE)
    assert second.know("SELECT 1", t.INT)
    assert not second.know("SELECT 1", t.INT.as_nullable() if not t.INT.nullable else t.INT.with_nullability(False))
    assert not second.know("SELECT 2", t.INT)
    assert (second.known, second.asked) == (1, 2)


def test_a_question_that_is_asked_and_not_kept_is_dropped(directory: Path) -> None:
    first = Answers("check")
    first.keep("a")
    first.keep("b")
    first.write()
    second = Answers("check")
    assert second.know("a")
    second.write()
    assert not Answers("check").know("b")


def test_another_check_asks_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Answers("check", SOURCE)
    first.keep("a")
    first.write()
    assert Answers("check", SOURCE).know("a")
    assert not Answers("check", SOURCE, "tests/answers.py").know("a")
    monkeypatch.setattr(answers, "version", lambda package: "another version of Spark")
    assert not Answers("check", SOURCE).know("a")


def test_all_questions_can_be_asked_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Answers("check")
    first.keep("a")
    first.write()
    monkeypatch.setattr(Answers, "asks_again", True)
    assert not Answers("check").know("a")


def test_each_check_is_found_by_its_process(directory: Path) -> None:
    made = [Answers("one"), Answers("two")]
    assert list(Answers.of_this_process()) == made
