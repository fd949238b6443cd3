"""Tests of many cases name each case that fails, and are tests of single cases where a run selects them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import Cases, Selection, every, fewer, named

ROOT = Path(__file__).resolve().parent.parent

_FILE = """
import pytest
from tests.cases import every

@every("number", lambda: range(20), lambda number: f"number-{number}")
def test_is_small(number):
    if number == 2:
        pytest.skip("it is two")
    assert number not in (7, 13)

@every("letter", lambda: "ab", str)
@every("number", lambda: (1, 2), str)
def test_of_two(number, letter, record_property):
    assert f"{letter}{number}" != "b2"
"""

_MANY_CASES = """
import pytest
from tests.cases import every

@every("number", lambda: range(120), str)
def test_many(number):
    pass

@every("number", lambda: range(20), str)
def test_few(number):
    pass

@every("number", lambda: range(120), str)
def test_with_snapshots(number, snapshot):
    pass

@pytest.mark.nightly
def test_nightly():
    pass
"""


def _run(folder: Path, *arguments: str) -> str:
    """Run pytest on the file of this module with the project's ``tests/conftest.py``; return its output."""
    (folder / "test_made.py").write_text(_FILE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n  nightly\n  slow\n", encoding="utf-8")
    options = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-q", "-rA", "-n", "0", "--rootdir", str(folder)]
    asked = [sys.executable, "-m", "pytest", *options, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(asked, cwd=folder, capture_output=True, text=True, env=environment, check=False).stdout


def test_all_cases_run_in_one_test_that_names_those_that_fail(tmp_path: Path) -> None:
    output = _run(tmp_path, "test_made.py")
    assert "2 of 20 cases fail: number-7, number-13" in output
    assert "--- case 'number-13'" in output
    assert "test_is_small[every number]" in output
    assert "1 of 2 cases fail: b" in output
    assert "1 of 2 cases fail: 2" in output
    assert "2 failed" in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "result"),
    [
        (["test_made.py::test_is_small[number-7]"], "1 failed"),
        (["-k", "number-13 or number-2"], "1 failed, 1 skipped"),
    ],
)
def test_cases_are_selected_by_name(arguments: list[str], result: str, tmp_path: Path) -> None:
    assert result in _run(tmp_path, *arguments)


def test_a_sample_has_one_in_four_of_many_cases_and_all_of_few() -> None:
    many = Cases(lambda: {str(number): number for number in range(120)})
    called: list[int] = []
    for start in range(4):
        many.run(called.append, one_in=4, start=start)
        assert (many.passed, many.left_out) == (30, 90)
    assert sorted(called) == list(range(120))
    few = Cases(lambda: {str(number): number for number in range(99)})
    few.run(lambda case: None, one_in=4, start=3)
    assert (few.passed, few.left_out) == (99, 0)


@pytest.mark.slow
def test_a_sampled_run_leaves_out_cases_and_nightly_tests_but_no_case_with_a_snapshot(tmp_path: Path) -> None:
    (tmp_path / "test_many.py").write_text(_MANY_CASES, encoding="utf-8")
    assert "3 tests ran 260 cases, skipped 0\n" in _run(tmp_path, "test_many.py")
    output = _run(tmp_path, "test_many.py", "--sample")
    assert "3 tests ran 170 cases, skipped 0, and left out 90 of a sample\n" in output
    assert "1 deselected" in output


_MANY_PARAMETERS = """
import pytest

@pytest.mark.parametrize("number", range(40))
def test_many(number):
    pass

@pytest.mark.parametrize("number", range(19))
def test_few(number):
    pass

@pytest.fixture
def snapshot():
    pass

@pytest.mark.parametrize("number", range(40))
def test_snapshots(number, snapshot):
    pass

@pytest.mark.nightly
def test_nightly():
    pass

@pytest.mark.slow
def test_slow():
    pass
"""


def test_each_change_runs_a_third_of_like_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Selection, "each_case", False)
    ran: list[int] = []

    @every("number", lambda: range(120), str, alike=True)
    def test(number: int) -> None:
        ran.append(number)

    [mark] = test.pytestmark
    [cases] = mark.args[1]
    for for_each_change, number in ((False, 120), (True, 40)):
        monkeypatch.setattr(Selection, "for_each_change", for_each_change)
        monkeypatch.setattr(Selection, "one_in", 1)
        assert fewer(30) == number // 4
        ran.clear()
        test(number=cases)
        assert len(ran) == number
        # A sample has fewer in either case.
        monkeypatch.setattr(Selection, "one_in", 4)
        assert fewer(30) == 7


def test_a_test_without_cases_fails() -> None:
    with pytest.raises(ValueError, match="No case was run"):
        Cases(dict).run(lambda case: None)


def test_a_name_is_given_once() -> None:
    with pytest.raises(ValueError, match="two cases have the name 'same'"):
        named((1, 2), lambda number: "same")


def test_a_test_that_takes_too_long_is_stopped() -> None:
    def stop(case: int) -> None:
        pytest.fail("Timeout (>1.0s) from pytest-timeout.")

    with pytest.raises(pytest.fail.Exception, match=r"from pytest-timeout\. It was in the case 'one'"):
        Cases(lambda: {"one": 1, "two": 2}).run(stop)


def test_a_sampled_run_leaves_out_tests_of_many_parameters(tmp_path: Path) -> None:
    (tmp_path / "test_parameters.py").write_text(_MANY_PARAMETERS, encoding="utf-8")
    # 10 of 40, 19 of 19, 40 of 40, and none that is nightly or slow.
    assert "69 passed, 32 deselected" in _run(tmp_path, "test_parameters.py", "--sample")
