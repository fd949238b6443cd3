"""The verb compare: two environments of a target, view by view."""

from __future__ import annotations

from pathlib import Path

import attrs

from ir.errors import listing
from ir.identifiers import quote
from tableapi.cli.checking import load
from tableapi.cli.deploying import matches
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.project.comparison import Comparison, RowDifference, ViewComparison
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment


def compare(
    output: Output,
    folder: Path,
    target: str,
    first: str | None,
    second: str | None,
    patterns: list[str],
    *,
    rows: bool,
) -> ExitCode:
    """Compare the views of a project in two environments, and show what differs."""
    if first == second:
        raise ProjectError("An environment is compared with another one: --env, and --with unless it is production.")
    project = load(folder, target)
    names = [one for one in project.names() if matches(f"{one.database}.{one.name}", patterns)]
    if not names:
        raise ProjectError(f"No view of the project {project.configuration.name} fits {', '.join(patterns)}.")
    comparison = Comparison(Deployment.connect(project.configuration, target), first, second, compares_rows=rows)
    show = output.progress("compare")
    found: list[ViewComparison] = []
    for number, made in enumerate(comparison.compare(names), 1):
        show(number, len(names), made.name)
        found.append(made)
    sides = (first or "production", second or "production")
    different = [made for made in found if not made.is_equal]
    for made in found:
        said = _said(made, sides)
        if said:
            sign, color = ("=", "dim") if made.is_equal else ("~", "yellow")
            output.show(f"{sign} {made.name}", color)
            output.show(bullet_list(said, 4))
    style = "yellow" if different else "green"
    many = {0: "none differs", 1: "1 differs"}.get(len(different), f"{len(different)} differ")
    has_rows = all(made.counts is not None for made in found if not (made.missing or made.problem))
    what = "" if has_rows else " by their columns alone, because files have no rows"
    output.show(f"{counted(len(found), 'view')} compared between {sides[0]} and {sides[1]}{what}; {many}.", style)
    output.document(
        target=target,
        first=sides[0],
        second=sides[1],
        views=[{**attrs.asdict(made), "is_equal": made.is_equal} for made in found],
    )
    return ExitCode.FOUND if different else ExitCode.OK


def _said(made: ViewComparison, sides: tuple[str, str]) -> list[str]:
    """Return the differences as lines of text."""
    said = [f"It is not in {side}." for side in made.missing]
    said += made.problem.splitlines()
    said += [f"{change[:1].upper()}{change[1:]}." for change in made.changes]
    if made.counts is not None and made.counts[0] != made.counts[1]:
        said.append(f"It has {counted(made.counts[0], 'row')} in {sides[0]}, and {made.counts[1]} in {sides[1]}.")
    if made.rows is not None:
        said += _said_of_rows(made.rows, sides)
    return said


def _said_of_rows(rows: RowDifference, sides: tuple[str, str]) -> list[str]:
    said = []
    for side, count, sample in (
        (sides[0], rows.only_in_first, rows.sample_of_first),
        (sides[1], rows.only_in_second, rows.sample_of_second),
    ):
        if count:
            end = ", such as" if count > len(sample) else ":"
            said.append(f"Only {side} has {counted(count, 'row')} ({', '.join(rows.columns)}){end}")
            said += [f"  ({', '.join(row)})" for row in sample]
    if rows.left_out:
        named = listing(map(quote, rows.left_out))
        said.append(f"Not compared row by row, because Spark compares no values of such types: {named}.")
    return said
