"""The verbs ``pipeline build`` and ``pipeline check``: the views of a project as a Spark Declarative Pipeline."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import attrs

from tableapi.cli.checking import show_finding
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.project.configuration import FILE_NAME as PROJECT_FILE
from tableapi.project.configuration import ProjectError, find_project
from tableapi.project.findings import Finding
from tableapi.project.pipelines.build import BuiltPipeline, build_pipeline
from tableapi.project.pipelines.check import check_pipeline
from tableapi.project.pipelines.datasets import Dataset, PipelineCheck
from tableapi.project.pipelines.files import WrittenFiles, write_files
from tableapi.project.pipelines.specification import FILE_NAMES
from tableapi.project.project import Project


def build(
    output: Output, folder: Path, to: Path | None, target: str | None, *, overwrite_edited: bool = False
) -> ExitCode:
    """Write the pipeline of a project, if nothing is wrong with its views and with the pipeline."""
    project = Project.load(find_project(folder.absolute()), target)
    place = project.configuration.pipeline.folder if to is None else to.absolute()
    made = _built(project, place)
    if isinstance(made, PipelineCheck):
        _show_findings(output, made.findings, project.configuration.root)
        output.show("Nothing was written.", "red")
        output.document(folder=str(place), findings=[attrs.asdict(finding) for finding in made.findings])
        return ExitCode.FOUND
    written = write_files(place, made.files, overwrite_edited=overwrite_edited)
    _show_written(output, place, made, written)
    output.document(
        folder=str(place),
        findings=[],
        datasets=[{"name": name, "kind": kind.value} for name, kind in made.datasets],
        recomputed=made.recomputed,
        functions=list(made.functions),
        created=list(written.created),
        changed=list(written.changed),
        removed=list(written.removed),
        unchanged=written.unchanged,
    )
    return ExitCode.OK


def _show_written(output: Output, place: Path, made: BuiltPipeline, written: WrittenFiles) -> None:
    for sign, names in (("+", written.created), ("~", written.changed), ("-", written.removed)):
        for name in names:
            output.show(f"{sign} {name}")
    _show_recomputed(output, made.recomputed)
    if made.functions:
        output.show(
            f"The queries call {', '.join(made.functions)}. A pipeline creates no functions: `tableapi apply` does, "
            "before the first run."
        )
    output.show(
        f"{counted(len(made.datasets), 'dataset')} in {place}: {len(written.created)} files new, "
        f"{len(written.changed)} changed, {len(written.removed)} removed, {written.unchanged} unchanged.",
        "green",
    )


def check(output: Output, folder: Path, pipeline: Path | None, target: str | None) -> ExitCode:
    """Report what is wrong with the pipeline in a folder, or with that of the project."""
    place = _pipeline_folder(folder, pipeline)
    if place is not None:
        found = check_pipeline(place, _project_around((place, folder.absolute()), target))
        root = place
    else:
        project = Project.load(find_project((pipeline or folder).absolute()), target)
        root = project.configuration.root
        made = _built(project)
        found = made if isinstance(made, PipelineCheck) else _check_built(made, project)
    return _report(output, found, root)


def _pipeline_folder(folder: Path, pipeline: Path | None) -> Path | None:
    """Return the folder with the file of a pipeline; None if the pipeline is that of a project.

    Raises:
        ProjectError: the given folder has neither.
    """
    place = (folder if pipeline is None else pipeline).absolute()
    if place.is_file() and place.name in FILE_NAMES:
        return place.parent
    if any((place / name).is_file() for name in FILE_NAMES):
        return place
    if pipeline is not None and not (place / PROJECT_FILE).is_file():
        raise ProjectError(f"{place} has no {FILE_NAMES[0]}, and is no folder of a project.")
    return None


def _project_around(folders: Sequence[Path], target: str | None) -> Project | None:
    """Return the project to which the first of several folders belongs; None if there is none.

    Raises:
        ProjectError: a target is given, and there is no project.
    """
    for place in folders:
        try:
            root = find_project(place)
        except ProjectError:
            continue
        return Project.load(root, target)
    if target is not None:
        raise ProjectError(f"--target names a target of a project, and there is no {PROJECT_FILE} around {folders[0]}.")
    return None


def _built(project: Project, place: Path | None = None) -> BuiltPipeline | PipelineCheck:
    """Return the pipeline of a project, or what is wrong with the views or the pipeline."""
    findings = project.check()
    if any(finding.is_error for finding in findings):
        return PipelineCheck(project.configuration.name, (), tuple(findings))
    made = build_pipeline(project, place)
    checked = _check_built(made, project)
    return checked if any(finding.is_error for finding in checked.findings) else made


def _check_built(made: BuiltPipeline, project: Project) -> PipelineCheck:
    """Check the texts of a pipeline as Spark would read them."""
    with tempfile.TemporaryDirectory() as scratch:
        write_files(Path(scratch), made.files)
        return check_pipeline(Path(scratch), project)


def _report(output: Output, found: PipelineCheck, root: Path) -> ExitCode:
    _show_findings(output, found.findings, root)
    for dataset in found.unchecked:
        output.show(f"{dataset.file}:{dataset.line}: {dataset.name}: not checked", "yellow")
        output.show(bullet_list(dataset.why_unknown.splitlines()))
    _show_recomputed(output, found.recomputed)
    errors = [finding for finding in found.findings if finding.is_error]
    of_them = f", {len(found.unchecked)} of them not checked" if found.unchecked else ""
    shown = f"{counted(len(found.datasets), 'dataset')}{of_them}"
    if errors:
        output.show(f"{counted(len(errors), 'problem')} in a pipeline of {shown}.", "red")
    else:
        output.show(f"{shown}: no problem found.", "green")
    output.document(
        pipeline=found.name,
        datasets=[_dataset(dataset) for dataset in found.datasets],
        recomputed=found.recomputed,
        findings=[attrs.asdict(finding) for finding in found.findings],
    )
    return ExitCode.FOUND if errors else ExitCode.OK


def _dataset(dataset: Dataset) -> dict[str, object]:
    columns = None
    if dataset.schema is not None:
        columns = [
            {"name": column.name, "type": column.data_type.as_summary_string()} for column in dataset.schema.columns
        ]
    return {
        "name": dataset.name,
        "kind": dataset.kind.value,
        "file": dataset.file,
        "line": dataset.line,
        "columns": columns,
        "not_checked": dataset.why_unknown or None,
    }


def _show_findings(output: Output, findings: Sequence[Finding], root: Path) -> None:
    for finding in findings:
        show_finding(output, finding, root)


def _show_recomputed(output: Output, names: Sequence[str]) -> None:
    if names:
        what = "materialized view" if len(names) == 1 else f"{len(names)} materialized views"
        output.show(f"Full recompute: each run computes all rows of the {what} {', '.join(names)} anew.")
