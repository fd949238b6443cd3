"""The verbs ``import-views`` and ``import-sql``: existing views become a project, each with a proof."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ir.rendering import Dialect
from tableapi.cli.output import ExitCode, Output, counted
from tableapi.migration.folder import REPORT_NAMES, open_folder
from tableapi.migration.importing import Importer, ImportOptions
from tableapi.migration.page import compared
from tableapi.migration.records import ImportReport, Outcome, ViewResult
from tableapi.migration.sources import ViewsToImport
from tableapi.migration.sql_files import SqlFiles
from tableapi.migration.target_views import TargetViews
from tableapi.project.configuration import Configuration, find_project, read_configuration
from tableapi.project.deployment import Deployment

__all__ = ["ImportOptions", "import_sql", "import_views"]

_STYLES: Final = {Outcome.PROVED: "green", Outcome.UNPROVED: "yellow", Outcome.TEXT: "red"}


def import_views(
    output: Output, folder: Path, target: str, databases: Sequence[str], to: Path, options: ImportOptions
) -> ExitCode:
    """Import the views of databases of a target into the project of a folder."""
    origin = read_configuration(find_project(folder.absolute()))
    views = TargetViews(Deployment.connect(origin, target), databases)
    return _import(output, views, open_folder(to, origin, views.databases[0]), to, options)


def import_sql(
    output: Output, files: Sequence[Path], to: Path, dialect: Dialect, database: str, options: ImportOptions
) -> ExitCode:
    """Import the views of SQL files into the project of a folder."""
    configuration = open_folder(to, None, database)
    return _import(output, SqlFiles(files, configuration, dialect), configuration, to, options)


def _import(
    output: Output, views: ViewsToImport, configuration: Configuration, to: Path, options: ImportOptions
) -> ExitCode:
    def progress(what: str, number: int, total: int, name: str) -> None:
        if total:
            output.progress(what)(number, total, name)

    report = Importer(views, configuration, options).run(progress)
    _show(output, report, to)
    output.document(**report.to_json())
    return ExitCode.OK if report.is_proved else ExitCode.FOUND


def _show(output: Output, report: ImportReport, to: Path) -> None:
    """Print each view that needs attention, and the counts."""
    for outcome in (Outcome.PROVED, Outcome.UNPROVED, Outcome.TEXT):
        for view in report.views:
            if view.outcome is outcome and (outcome is not Outcome.PROVED or view.notes):
                _show_view(output, view)
    for file in report.left:
        output.show(f"left as it is, because somebody edited it, or it is not of an import: {file}", "yellow")
    for statement in report.skipped:
        output.show(f"no view, left out: {statement}", "dim")
    resumed = sum(view.is_resumed for view in report.views)
    before = f" ({resumed} by an earlier run)" if resumed else ""
    counts = ", ".join(f"{report.counts[outcome.value]} {outcome.words}" for outcome in Outcome)
    output.show(f"{counted(len(report.views), 'view')}: {counts}{before}.", "bold")
    output.show(f"Report: {to / REPORT_NAMES[1]} and {to / REPORT_NAMES[0]}")


def _show_view(output: Output, view: ViewResult) -> None:
    place = f"  {view.place}" if view.file else ""
    output.show(f"{view.name}: {view.outcome.words}{place}", _STYLES[view.outcome])
    if view.outcome is Outcome.UNPROVED and compared(view):
        output.show(f"    compared: {', '.join(compared(view))}")
    for line in (*view.reason.splitlines(), *[f"note: {note}" for note in view.notes]):
        output.show(f"    {line}")
