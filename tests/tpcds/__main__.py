"""How many TPC-DS queries get the plan of their original text: ``python -m tests.tpcds [NAME ...]``.

Prints for each layout and for the program that ``to_python`` writes how many plans scan, prune, push, join and exchange
the same or less, and how many optimised plans are the same. With names of queries, shows where they differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import track

from tableapi import TableEnvironment
from tableapi.spark.session import embedded_session, stop_embedded_session
from tests.tpcds.comparison import FORMS, Compared, compare_forms, show_optimised
from tests.tpcds.known import LESS_COSTS
from tests.tpcds.queries import STANDARD, queries
from tests.tpcds.tables import tpcds_in_spark


def main() -> int:
    """Compare and print; return the exit status, 0 if no plan differs without a known reason."""
    parser = argparse.ArgumentParser(prog="python -m tests.tpcds", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of queries; all of them by default")
    names = parser.parse_args().names
    unknown = [name for name in names if name not in queries()]
    if unknown:
        parser.error(f"unknown queries: {', '.join(unknown)}")
    console = Console(highlight=False, markup=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as home:
        spark = embedded_session(Path(home) / "spark")
        try:
            with tpcds_in_spark(spark, Path(home)) as env:
                found = _compare(console, env, names)
                # Spark itself compares the optimised plans, so it must still be running.
                return _report(console, found)
        finally:
            stop_embedded_session()


def _compare(console: Console, env: TableEnvironment, names: list[str]) -> dict[str, dict[str, Compared]]:
    shown = Console(stderr=True)
    found: dict[str, dict[str, Compared]] = {}
    for name in track(names or list(queries()), console=shown, disable=not shown.is_terminal):
        found[name] = compare_forms(env, queries()[name])
        if names:
            _print_details(console, name, found[name])
            console.print(show_optimised(env, queries()[name]))
    return found


def _report(console: Console, found: dict[str, dict[str, Compared]]) -> int:
    _print_counts(console, {name: forms for name, forms in found.items() if name in STANDARD}, "of the standard")
    _print_counts(console, {name: forms for name, forms in found.items() if name not in STANDARD}, "variants")
    is_explained = True
    for name, forms in found.items():
        is_explained &= all(compared.costs_no_more for compared in forms.values())
        different = tuple([form for form, compared in forms.items() if not compared.has_same_costs])
        known = LESS_COSTS.get(name)
        is_explained &= different == (known.forms if known is not None else ())
        if different:
            console.print(f"  {', '.join(different)} of {name}: {known.reason if known else 'not explained'}")
    return 0 if is_explained else 1


def _print_details(console: Console, name: str, forms: dict[str, Compared]) -> None:
    for form, compared in forms.items():
        costs = "same costs" if compared.has_same_costs else "less" if compared.costs_no_more else "different costs"
        console.print(f"{name}, {form}: {costs}, sameResult {compared.is_same_result()}\n{compared.difference}")


def _print_counts(console: Console, found: dict[str, dict[str, Compared]], kind: str) -> None:
    if not found:
        return
    console.print(f"{len(found)} queries {kind}; plans of the original text")
    for form in FORMS:
        compared = [forms[form] for forms in found.values()]
        no_more, costs = sum(one.costs_no_more for one in compared), sum(one.has_same_costs for one in compared)
        renamed, same = sum(one.is_renamed for one in compared), sum(one.is_same_result() for one in compared)
        console.print(
            f"  {form}: scans, pruning, pushed filters, joins and exchanges: equal or less {no_more}, equal {costs}; "
            f"the same optimised plan but for names {renamed}, sameResult {same}"
        )


if __name__ == "__main__":
    sys.exit(main())
