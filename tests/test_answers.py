"""The digests of questions that Spark has answered as expected."""

from __future__ import annotations

import ast
import importlib
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
    answers.write({first.check: first.expected})
    second = Answers("check", SOURCE)
    assert second.know("SELECT 1", t.INT)
    assert not second.know("SELECT 1", t.INT.as_nullable() if not t.INT.nullable else t.INT.with_nullability(False))
    assert not second.know("SELECT 2", t.INT)
    assert (second.known, second.asked) == (1, 2)


def test_a_question_that_is_asked_and_not_kept_is_dropped(directory: Path) -> None:
    first = Answers("check")
    first.keep("a")
    first.keep("b")
    answers.write({first.check: first.expected})
    second = Answers("check")
    assert second.know("a")
    answers.write({second.check: second.expected})
    assert not Answers("check").know("b")


def test_another_check_asks_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Answers("check", SOURCE)
    first.keep("a")
    answers.write({first.check: first.expected})
    assert Answers("check", SOURCE).know("a")
    assert not Answers("check", SOURCE, "tests/answers.py").know("a")
    monkeypatch.setattr(answers, "version", lambda package: "another version of Spark")
    assert not Answers("check", SOURCE).know("a")


def test_all_questions_can_be_asked_again(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Answers("check")
    first.keep("a")
    answers.write({first.check: first.expected})
    monkeypatch.setattr(Answers, "asks_again", True)
    assert not Answers("check").know("a")


def test_each_check_is_found_by_its_process(directory: Path) -> None:
    made = [Answers("one"), Answers("two")]
    assert list(Answers.of_this_process()) == made


# --- what decides the outcome of a check ------------------------------------------------------------------------------

# These hold questions, whose texts are part of each question, or decide which questions are asked.
_QUESTIONS = (
    "tests/answers.py",
    "tests/cases.py",
    "tests/oracle/",
    "tests/programs/",
    "tests/snapshot_files.py",
    "tests/sql/",
)
CHECKS = {
    "combinations": "tests.test_combinations",
    "forms_of_targets": "tests.targets.test_forms",
    "oracle": "tests.oracle.oracle",
    "program_rows": "tests.test_programs",
    "quoting": "tests.serializer.test_quoting",
    "random_queries": "tests.random_queries.test_random_queries",
    "recursive_queries": "tests.spark.test_recursive_queries",
    "same_plans": "tests.plans.test_same_plans",
    "sql_queries": "tests.sql.test_queries",
    "stars": "tests.plans.test_stars",
    "stars_of_joins": "tests.sql.test_stars",
    "tpcds_plans": "tests.tpcds.test_plans",
    "tpch": "tests.tpch.test_tpch",
}


def test_all_checks_are_here() -> None:
    assert {path.stem for path in answers.DIRECTORY.glob("*.txt")} == CHECKS.keys()


@pytest.mark.parametrize("check", CHECKS)
def test_every_helper_of_a_check_is_among_its_sources(check: str) -> None:
    found = importlib.import_module(CHECKS[check]).ANSWERS
    assert found.check == check
    helpers = {helper for source in found.sources if source.startswith("tests/") for helper in _imported(source)}
    assert sorted(helper for helper in helpers - {*found.sources} if not helper.startswith(_QUESTIONS)) == []


def _imported(source: str) -> set[str]:
    """Return the files of the tests that a file imports from, relative to the root of the repository."""
    path = answers.ROOT / source
    if path.suffix != ".py":
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    files = [f"{module.replace('.', '/')}.py" for module in modules if module.startswith("tests.")]
    return {file for file in files if (answers.ROOT / file).exists()}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ('"""A module."""\n\nx = 1\n', "\nx = 1\n"),
        ("x = 1  # one\n# two\ny = 2\n", "x = 1\ny = 2\n"),
        ('def f():\n    """Do.\n\n    It does.\n    """\n    return 1\n', "def f():\n    return 1\n"),
        ('class A:\n    x: int\n    """An attribute."""  # noqa\n', "class A:\n    x: int\n"),
        ('x = """\n# a text\n"""\n', 'x = """\n# a text\n"""\n'),
        ('f(\n    "a"  # why\n    "b",\n)\n', 'f(\n    "a"\n    "b",\n)\n'),
        ('x = {\n    "a": 1,\n}\n', 'x = {\n    "a": 1,\n}\n'),
        ('"a".strip()\n', '"a".strip()\n'),
        ('def f():\n    """Do."""\n\n@g\ndef h(): ...\n', "def f():\n\n@g\ndef h(): ...\n"),
    ],
)
def test_comments_and_docstrings_decide_nothing(source: str, code: str) -> None:
    assert answers.without_comments(source) == code


def test_changed_sources_are_named(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "ROOT", directory)
    for name in ("a.py", "b.py"):
        (directory / name).write_text("x = 1\n")
    answers.write({}, {"check": ["b.py", "a.py"], "another": ["a.py"]})
    assert answers.changed_sources() == []
    (directory / "b.py").write_text("x = 1  # one\n")
    answers._code.cache_clear()
    assert answers.changed_sources() == []
    (directory / "b.py").write_text("x = 2\n")
    answers._code.cache_clear()
    assert answers.changed_sources() == ["b.py"]
    (directory / "a.py").unlink()
    answers._code.cache_clear()
    assert answers.changed_sources() == ["a.py", "b.py"]
    # A run of one check says nothing about the sources of another.
    answers.write({}, {"check": ["b.py"]})
    answers._code.cache_clear()
    assert answers.changed_sources() == ["a.py"]
