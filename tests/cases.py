"""Tests of thousands of like cases: one test runs them all, and names those that fail.

pytest takes two milliseconds for a test that does nothing, and as much again to hand the result to another process.
Some checks over every query or function of the suite take less than that, so these are run in a loop. Each case is a
test of its own, as with ``pytest.mark.parametrize``, where a run selects cases (``-k``, ``test_x[a case]``) or has the
option ``--each-case``.

With the option ``--sample``, which ``make test-fast`` sets, a test of many cases runs some of them. Some tests of like
cases run a part of them for each change, and all of them at night.
"""

from __future__ import annotations

import traceback
import zlib
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

# The exceptions that a report shows whole; of the others it has the names of the cases.
_SHOWN = 10
# A test of fewer cases runs all of them in a sample, too.
_MANY = 100
# For each change, a test of like cases runs one in this many, and at night all of them.
_PART = 3


class Cases:
    """The cases of one test, computed when the test runs, with the counts of a run.

    Args:
        cases: the names and arguments
    """

    def __init__(self, cases: Callable[[], dict[str, Any]]) -> None:
        self._cases = cases
        self.passed = 0
        self.skipped = 0
        self.left_out = 0

    def values(self) -> list[Any]:
        """Return the arguments of all cases."""
        return list(self._cases().values())

    def run(self, test: Callable[[Any], None], *, one_in: int = 1, start: int = 0) -> None:
        """Call a test with each case, or with a part of many cases.

        Args:
            test: the test.
            one_in: of this many cases, the test is called with one.
            start: any number, which decides the first case; tests with different numbers get different cases.

        Raises:
            pytest.fail.Exception: some cases fail; the message has their names, or the case that takes too long
            ValueError: there are no cases
        """
        self.passed = self.skipped = 0
        failures: dict[str, BaseException] = {}
        every = list(self._cases().items())
        chosen = every[start % one_in :: one_in] if len(every) >= _MANY else every
        self.left_out = len(every) - len(chosen)
        for name, case in chosen:
            try:
                test(case)
            except pytest.skip.Exception:
                self.skipped += 1
            except (Exception, pytest.fail.Exception) as error:
                if str(error).endswith("from pytest-timeout."):
                    # It stopped the test and not only the case.
                    raise pytest.fail.Exception(f"{error} It was in the case {name!r}.") from error
                failures[name] = error
            else:
                self.passed += 1
        if failures:
            total = self.passed + self.skipped + len(failures)
            shown = [_report(name, error) for name, error in list(failures.items())[:_SHOWN]]
            pytest.fail("\n\n".join([f"{len(failures)} of {total} cases fail: {', '.join(failures)}", *shown]))
        if not self.passed:
            raise ValueError("No case was run: there are none, or all are skipped.")


def _report(name: str, error: BaseException) -> str:
    return f"--- case {name!r}\n{''.join(traceback.format_exception(type(error), error, error.__traceback__))}"


class Selection:
    """Which cases are run, and as what; ``tests/conftest.py`` decides it before the tests are imported.

    ``each_case`` says whether each case is a test of its own, and ``for_each_change`` whether the run leaves out what
    is for the night (``-m "not nightly"``).
    """

    each_case = False
    for_each_change = False
    one_in = 1
    """A test of many cases is called with one case of this many."""


def fewer(number: int) -> int:
    """Return how many like examples a test makes: all at night, a third for each change, and fewer in a sample.

    Args:
        number: the number at night
    """
    return number // max(Selection.one_in, _PART if Selection.for_each_change else 1)


def named(cases: Iterable[Any], name: Callable[[Any], str]) -> dict[str, Any]:
    """Return cases by their names.

    Raises:
        ValueError: two cases have one name
    """
    found: dict[str, Any] = {}
    for case in cases:
        if name(case) in found:
            raise ValueError(f"two cases have the name {name(case)!r}")
        found[name(case)] = case
    return found


def chosen_cases(request: pytest.FixtureRequest, test: Callable[..., None], argument: str) -> list[Any]:
    """Return the cases of a test that the run selects, so that a fixture can ask about all of them at once.

    Args:
        request: that of the fixture
        test: a test of ``every``
        argument: the parameter of the test that takes a case
    """
    items = [item for item in request.session.items if isinstance(item, pytest.Function) and item.function is test]
    given = [item.callspec.params[argument] for item in items]
    return [case for value in given for case in (value.values() if isinstance(value, Cases) else [value])]


def every(
    argument: str, cases: Callable[[], Iterable[Any]], name: Callable[[Any], str], *, alike: bool = False
) -> Callable[..., Any]:
    """Run a test with each of many cases, in one test unless the run selects cases.

    The cases share the fixtures of the test, so these must not have a state that one case leaves to the next.

    Args:
        argument: the parameter of the test that takes a case
        cases: computes the cases
        name: the name of a case, which no other case has
        alike: whether the run of each change takes a third of the cases, since one of them seldom fails alone
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        if Selection.each_case:
            each = named(cases(), name)
            return pytest.mark.parametrize(argument, each.values(), ids=each.keys())(test)

        # Tests of the same cases get different parts of them in a sample, and a test always the same part.
        start = zlib.crc32(f"{test.__module__}.{test.__name__}".encode())

        @wraps(test)
        def run(**fixtures: Any) -> None:
            # A snapshot of a case that is left out would be reported as unused. It is known by its name, because the
            # environments of other engines lack syrupy.
            has_snapshots = any(type(value).__name__ == "SnapshotAssertion" for value in fixtures.values())
            part = _PART if alike and Selection.for_each_change else 1
            one_in = 1 if has_snapshots else max(Selection.one_in, part)
            chosen = fixtures.pop(argument)
            chosen.run(lambda case: test(**{argument: case}, **fixtures), one_in=one_in, start=start)

        return pytest.mark.parametrize(argument, [Cases(lambda: named(cases(), name))], ids=[f"every {argument}"])(run)

    return decorate


def some_nightly(cases: Iterable[Any], *, each: int = _PART) -> list[Any]:
    """Return the cases for ``pytest.mark.parametrize``, with the mark ``nightly`` for all but one of ``each``.

    For cases that ask Spark the same, each in another form: one of them seldom fails alone.
    """
    return [
        case if number % each == 0 else pytest.param(case, marks=pytest.mark.nightly)
        for number, case in enumerate(cases)
    ]
