"""Import views into a folder: read, try, write, prove, report; a run that was ended anywhere can be repeated."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

import attrs

from ir.identifiers import ObjectIdentifier, fold
from ir.implicit_notices import suppress_notices
from ir.operations.operation import QueryOperation
from ir.rewriting import sources_of
from ir.schema import ResolvedSchema
from tableapi.catalog.read_cache import cache_reads
from tableapi.migration import page
from tableapi.migration.folder import REPORT_NAMES, ImportFolder, relative_path, write_file
from tableapi.migration.memory import ImportMemory, run_digest
from tableapi.migration.python_modules import PACKAGE, PythonForms, write_modules
from tableapi.migration.records import Check, Failure, Form, ImportReport, Outcome, Proof, SourceView, ViewResult
from tableapi.migration.sources import Surroundings, ViewsToImport, failure_of, sources_of_view
from tableapi.migration.staging import Stage, Staged, same_columns
from tableapi.migration.view_files import kept_file, kept_path, view_path_of
from tableapi.project.comparable import KnownFunctions, comparable
from tableapi.project.configuration import FILE_NAME, Configuration, ProjectError
from tableapi.project.objects import Key, key_of
from tableapi.project.project import Project, ProjectView

Progress = Callable[[str, int, int, str], None]
"""Is called with what is done, a number, how many there are, and a name."""


@attrs.frozen
class ImportOptions:
    """How views are imported.

    Attributes:
        is_python: whether views become Python functions.
        normalises: whether every view gets the normalised text.
        compares_rows: whether all rows are compared, besides columns, trees and plans.
        overwrites: whether files are replaced that somebody edited.
    """

    is_python: bool = False
    normalises: bool = False
    compares_rows: bool = False
    overwrites: bool = False

    @property
    def form(self) -> str:
        """The form of the files, which is one for a folder."""
        return "python" if self.is_python else "normalised sql" if self.normalises else "sql"


class Importer:
    """Imports views into the project of a folder.

    Args:
        views: where the views come from.
        configuration: the project into which they are imported.
        options: how they are imported.
    """

    def __init__(self, views: ViewsToImport, configuration: Configuration, options: ImportOptions) -> None:
        self._source = views
        self._configuration = configuration
        self._root = configuration.root
        self._options = options
        self._memory = ImportMemory(self._root, options.form, views.origin)
        self._known: KnownFunctions = {}
        self._declared: dict[Key, str] = {}
        self._functions: dict[Key, str] = {}
        self._databases: dict[str, str] = {}

    def run(self, progress: Progress = lambda *_: None) -> ImportReport:
        """Import the views, and return how each ended; also write the report into the folder.

        Raises:
            ProjectError: another process imports into the folder, earlier runs wrote another form, or the project has
                its views in other folders than that of imported functions.
        """
        self._require_folder_of_views()
        # What their authors wrote is not to be judged here.
        with self._memory.locked(), suppress_notices():
            self._declared = self._declaring_files()
            views = self._read(progress)
            found = self._source.surroundings(views)
            surroundings = Surroundings(
                {(self._spell(database), name): table for (database, name), table in found.tables.items()},
                {(self._spell(database), name): function for (database, name), function in found.functions.items()},
            )
            stage = Stage(
                self._memory.folder / "stage", self._configuration, surroundings, normalises=self._options.normalises
            )
            stage.settle(views, lambda number: progress("try", number + 1, 0, ""))
            modules = write_modules(stage) if self._options.is_python else PythonForms()
            files = self._files(stage, modules)
            folder = ImportFolder(self._root, self._memory, overwrites=self._options.overwrites)
            replaced = self._replaced(stage, modules)
            left = folder.publish(files, replaced)
            unwritten = {*left, *[path for path, other in replaced.items() if other in left]}
            results = self._prove(stage, modules, unwritten, progress)
            report = ImportReport(
                self._source.origin,
                self._root.as_posix(),
                tuple(sorted(results, key=lambda result: result.name)),
                tuple(sorted(f"{database}.{name}" for database, name in surroundings.tables)),
                tuple(sorted(f"{database}.{name}" for database, name in surroundings.functions)),
                tuple(left),
                tuple(self._source.skipped),
            )
            self._write_report(report)
            stage.remove()
        return report

    def _require_folder_of_views(self) -> None:
        configuration = self._configuration
        if self._options.is_python and self._root / PACKAGE not in configuration.views:
            shown = ", ".join(path.name for path in configuration.views)
            raise ProjectError(
                f"The project {configuration.name} has its views in {shown}, and functions are written into {PACKAGE}. "
                f"Add it in {FILE_NAME}, as in views = [{', '.join(f'{path.name!r}' for path in configuration.views)}, "
                f"'{PACKAGE}'], or import SQL."
            )

    def _read(self, progress: Progress) -> list[SourceView]:
        stored = self._source.stored(self._memory.files_of_origin())
        views = []
        for number, view in enumerate(stored, 1):
            progress("read", number, len(stored), view.shown)
            found = self._source.read(view)
            views.append(attrs.evolve(found, database=self._spell(found.database)))
        return views

    @property
    def _catalog_folder(self) -> str:
        """The folder of the catalog, relative to that of the project."""
        return relative_path(self._configuration.catalog, self._root)

    def _spell(self, database: str) -> str:
        """Return the name of a database as the project spells it, or else as it was spelled first."""
        return self._databases.setdefault(fold(database), database)

    def _files(self, stage: Stage, modules: PythonForms) -> dict[str, bytes]:
        """Return the files to write, by their paths in the folder; tables first, because views read them."""
        catalog = self._catalog_folder
        own = self._memory.files_of_origin()
        # The project has the others, of another import or of its own, maybe as views.
        others = {key for key, file in self._declared.items() if file not in own and key not in stage.staged}
        functions = {key for key, file in self._functions.items() if file not in own}
        files = dict(stage.surrounding_files(catalog, others, functions))
        for key, staged in stage.staged.items():
            if key in modules.modules:
                continue
            found = stage.file_of(staged, catalog)
            if found is not None:
                files[found[0]] = found[1]
            if staged.failure is not None:
                files[kept_path(staged.view)] = kept_file(staged.view, staged.failure)[0]
        return {**files, **modules.files}

    def _declaring_files(self) -> dict[Key, str]:
        """Return the files that declare the tables and views of the project, relative to it."""
        project = Project(self._configuration)
        self._functions = {
            key_of(function.identifier): relative_path(function.file, self._root) for function in project.functions()
        }
        self._databases = {fold(database): database for database in project.catalog.list_databases()}
        return {
            key_of(identifier): relative_path(project.file_of(identifier), self._root)
            for database in project.catalog.list_databases()
            for name in project.catalog.list_tables(database)
            for identifier in [ObjectIdentifier(name, database, project.catalog.name)]
        }

    def _replaced(self, stage: Stage, modules: PythonForms) -> dict[str, str]:
        """Return for the files of views the other files that declare the same names now."""
        catalog = self._catalog_folder
        replaced = {}
        for key, staged in stage.staged.items():
            found = stage.file_of(staged, catalog)
            path = modules.modules.get(key) or (found[0] if found is not None else kept_path(staged.view))
            declared = self._declared.get(key, path)
            if declared != path:
                replaced[path] = declared
        return replaced

    # --- proofs ------------------------------------------------------------------------------------------------------

    def _prove(self, stage: Stage, modules: PythonForms, left: Iterable[str], progress: Progress) -> list[ViewResult]:
        with cache_reads():
            project = Project.load(self._root)
            built = {key_of(view.identifier): view for view in project.views().values()}
            problems = {project.catalog.key(p.subject): p.message for p in project.problems if "/" not in p.subject}
        results = []
        digests = self._digests(stage, built, modules)
        ordered = [stage.staged[key] for key in stage.order()]
        for number, staged in enumerate(ordered, 1):
            view, key = staged.view, staged.view.key
            known = self._memory.result(view.shown, digests[key])
            if known is not None:
                results.append(attrs.evolve(known, is_resumed=True))
                progress("as before", number, len(ordered), view.shown)
                continue
            try:
                result = self._result(staged, modules, built.get(key), problems.get(key, ""), set(left))
            except Exception as error:
                reasons = [f"Spark fails at it with the settings of a project: {failure_of(error).reason}", view.doubt]
                result = self._plain_result(staged, modules)
                reason = "\n".join(filter(None, reasons))
                result = attrs.evolve(result, outcome=Outcome.UNPROVED, reason=reason)
            self._memory.remember(view.shown, digests[key], result)
            progress(result.outcome.words, number, len(ordered), view.shown)
            results.append(result)
        return results

    def _digests(self, stage: Stage, built: Mapping[Key, ProjectView], modules: PythonForms) -> dict[Key, str]:
        """Return for each view a fingerprint of all on which its result depends."""
        facts: dict[Key, str] = {}
        for key, staged in stage.staged.items():
            view = staged.view
            found = built.get(key)
            before = _facts(view.operation, view.schema)
            after = () if found is None else _facts(found.operation, found.view.schema)
            facts[key] = run_digest(
                view.digest, view.settings, staged.form, staged.content, before, after, staged.failure
            )
        digests = {}
        for key in stage.staged:
            below = sorted(facts[read] for read in stage.all_reads(key))
            digests[key] = run_digest(facts[key], below, self._options, modules.modules.get(key))
        return digests

    def _plain_result(self, staged: Staged, modules: PythonForms) -> ViewResult:
        view, key = staged.view, staged.view.key
        module = modules.modules.get(key)
        catalog = self._catalog_folder
        reads = tuple(sorted({_shown(identifier) for identifier in sources_of_view(view)}))
        return ViewResult(
            view.shown,
            Outcome.PROVED,
            staged.form if module is None else Form.PYTHON,
            view_path_of(catalog, view) if module is None else module,
            notes=(*staged.notes, *modules.notes.get(key, ())),
            reads=reads,
            origin=view.place,
        )

    def _result(
        self, staged: Staged, modules: PythonForms, built: ProjectView | None, problem: str, left: set[str]
    ) -> ViewResult:
        view = staged.view
        result = self._plain_result(staged, modules)
        if staged.form is Form.TEXT:
            failure = staged.failure or Failure("It cannot be read.")
            _, above = kept_file(view, failure)
            return attrs.evolve(
                result,
                outcome=Outcome.TEXT,
                file=kept_path(view),
                reason=failure.reason,
                line=failure.line + above if failure.line else 0,
                column=failure.column,
            )
        is_left = result.file in left
        owner = "This file was edited, or is not of an import, and was left as it is. " if is_left else ""
        if built is None:
            reason = f"{owner}It cannot be built in the project: {failure_of(problem or 'it is missing.').reason}"
            return attrs.evolve(result, outcome=Outcome.UNPROVED, reason=reason)
        proof = self._compare(view, built)
        if proof.tree is Check.SAME:
            asked = self._source.prove(view, built.operation, rows=self._options.compares_rows)
            details = (*proof.details, *asked.details)
            proof = attrs.evolve(proof, plan=asked.plan, rows=asked.rows, details=details, sample=asked.sample)
        reasons = [*([owner.strip()] if owner and not proof.is_complete else []), *proof.details]
        if view.doubt:
            reasons.append(view.doubt)
        outcome = Outcome.PROVED if proof.is_complete and not view.doubt else Outcome.UNPROVED
        notes = result.notes
        if owner and outcome is Outcome.PROVED:
            notes = (*notes, owner.strip())
        return attrs.evolve(result, outcome=outcome, reason="\n".join(reasons), notes=notes, proof=proof)

    def _compare(self, view: SourceView, built: ProjectView) -> Proof:
        """Compare columns and trees."""
        assert view.operation is not None
        details = []
        columns = Check.SAME if same_columns(view.schema, built.view.schema) else Check.DIFFERENT
        if columns is Check.DIFFERENT:
            there = "unknown" if view.schema is None else _columns(view.schema)
            details.append(f"The columns differ: {there} before, {_columns(built.view.schema)} in the project.")
        old, new = comparable(view.operation, self._known), comparable(built.operation, self._known)
        tree = Check.SAME if old is new or old.normalize() is new.normalize() else Check.DIFFERENT
        if tree is Check.DIFFERENT:
            details.append("The file reads back as another query than the view has.")
        return Proof(columns, tree, details=tuple(details))

    def _write_report(self, report: ImportReport) -> None:
        document = json.dumps({"verb": "import", "version": 1, **report.to_json()}, indent=2, ensure_ascii=False) + "\n"
        # A module of Python has many views.
        files = {view.file: self._root / view.file for view in report.views if view.form is not Form.PYTHON}
        texts = {name: file.read_text("utf-8", "replace") for name, file in files.items() if file.is_file()}
        for name, content in zip(REPORT_NAMES, (document, page.report_page(report, texts)), strict=True):
            write_file(self._root / name, content.encode("utf-8", "backslashreplace"))


def _facts(operation: QueryOperation | None, schema: ResolvedSchema | None) -> tuple[str, ...]:
    """Return the tree of a query with the columns of all that it reads, which its summary does not show."""
    if operation is None:
        return ()
    sources = sorted({f"{source.as_summary_string()} {source.schema}" for source in sources_of(operation)})
    return (operation.as_summary_string(), str(schema), *sources)


def _columns(schema: object) -> str:
    return str(schema)


def _shown(identifier: ObjectIdentifier) -> str:
    return f"{identifier.database}.{identifier.name}"
