"""A project with its views: loading, and the check that builds each of them without Spark."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from ir.errors import CatalogException, TableException, did_you_mean, listing
from ir.identifiers import ObjectIdentifier, fold, fold_path, parse_path, path_text
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rewriting import sources_of
from ir.schema import ResolvedSchema
from tableapi.catalog.catalog import CatalogView
from tableapi.catalog.read_cache import cache_reads
from tableapi.environment.table_environment import TableEnvironment, parts_of
from tableapi.environment_settings import EnvironmentSettings
from tableapi.project.catalog import ProjectCatalog
from tableapi.project.configuration import FILE_NAME, Configuration, ProjectError, read_configuration
from tableapi.project.declarations import ViewDeclaration, ViewKind, declarations_of
from tableapi.project.environments import adopt_catalog, allow_packages, register_read_catalogs
from tableapi.project.findings import Finding, find_cause, relative
from tableapi.project.objects import Key, Named, StoredFunction, key_of
from tableapi.project.view_files import read_view_files
from tableapi.queries.stored_dependencies import refuse_temporary
from tableapi.user_functions.sql_function import SqlFunction

if TYPE_CHECKING:
    from tableapi.table import Table


@attrs.frozen(eq=False)
class ProjectView(Named):
    """A view of a project that could be built.

    Attributes:
        identifier: its full name.
        view: its columns, tree, comment and properties.
        operation: the tree of its query.
        file: the file that declares it, relative to the project.
        line: the line in the file.
        declaration: its declaration; None for a view in a file of the catalog.
    """

    view: CatalogView
    operation: QueryOperation
    file: str
    line: int = 0
    declaration: ViewDeclaration | None = None

    @property
    def kind(self) -> ViewKind:
        """The kind of object that the view becomes."""
        return ViewKind.PERSISTENT if self.declaration is None else self.declaration.kind

    @property
    def reads(self) -> tuple[ObjectIdentifier, ...]:
        """The full names of the tables and views that the query reads, each once."""
        found = {s.identifier: None for s in sources_of(self.operation) if isinstance(s, Source)}
        return tuple(found)

    @property
    def own_reads(self) -> tuple[ObjectIdentifier, ...]:
        """Those of them in the catalog of the view; a project may read tables of other catalogs."""
        catalog = fold(str(self.identifier.catalog))
        return tuple([one for one in self.reads if fold(str(one.catalog)) == catalog])


@attrs.frozen(eq=False)
class ProjectFunction(StoredFunction):
    """A function of a project.

    Attributes:
        identifier: its full name.
        function: the function as its file declares it.
        file: the file, relative to the project.
    """

    file: str


class Project:
    """The views of a project, in an environment in which they are built.

    Args:
        configuration: the contents of the project file.
        target: the name of the target for which views are compiled; None for the newest Spark.
    """

    def __init__(self, configuration: Configuration, target: str | None = None) -> None:
        self.configuration = configuration
        self.problems: list[Finding] = []
        # The modules of the project that were imported for its views, those that views import among them.
        self.module_files: list[Path] = []
        builder = EnvironmentSettings.new_instance().with_built_in_catalog_name("tableapi_project")
        engine = None if target is None else configuration.target(target).engine
        if engine is not None:
            builder.with_target(engine)
        self.environment = TableEnvironment.create(builder.build())
        self.environment.get_config().set_local_timezone(configuration.time_zone)
        self.catalog = ProjectCatalog(
            configuration.catalog_name,
            configuration.catalog,
            configuration.database,
            self._import_views(),
            self._build,
        )
        adopt_catalog(self.environment, self.catalog)
        register_read_catalogs(self.environment, configuration)
        allow_packages(self.environment, configuration)
        self._views: dict[tuple[str, ...], ProjectView] | None = None
        # The views that the last check built.
        self.checked: list[ProjectView] = []

    @classmethod
    def load(cls, root: Path, target: str | None = None) -> Project:
        """Return the project in a folder.

        Raises:
            ProjectError: the project file is missing or invalid, or a view is declared twice.
        """
        return cls(read_configuration(root), target)

    # --- modules -----------------------------------------------------------------------------------------------------

    def _import_views(self) -> list[ViewDeclaration]:
        found: list[ViewDeclaration] = []
        root = self.configuration.root.resolve()
        modules = {".".join(path.resolve().relative_to(root).with_suffix("").parts): path for path in self._modules()}
        with _importing_from(root, {name.partition(".")[0] for name in modules}) as imported:
            for name, path in modules.items():
                try:
                    importlib.import_module(name)
                except Exception as error:
                    shown = relative(str(path), root)
                    self.problems.append(find_cause(shown, error, root, str(path)))
                else:
                    found += declarations_of(name)
        self.module_files = list(imported)
        in_files, problems = read_view_files(self.configuration.catalog)
        self.problems += [attrs.evolve(one, file=relative(one.file, root)) for one in problems]
        return self._without_repeated([*found, *in_files])

    def _modules(self) -> Iterator[Path]:
        for given in self.configuration.views:
            if given.is_dir():
                yield from (
                    path
                    for path in sorted(given.rglob("*.py"))
                    if not any(part.startswith(("_", ".")) for part in path.relative_to(given).parts)
                )
            elif given.is_file():
                yield given
            elif given != self.configuration.root / "views":
                raise ProjectError(
                    f"The project {self.configuration.name} has its views in {given}, which does not exist."
                )

    def _without_repeated(self, found: list[ViewDeclaration]) -> list[ViewDeclaration]:
        first: dict[tuple[str, ...], ViewDeclaration] = {}
        for declaration in found:
            *database, name = parse_path(declaration.path)
            key = fold(database[-1] if database else self.configuration.database), fold(name)
            other = first.setdefault(key, declaration)
            if other is not declaration:
                place = f"{relative(other.file, self.configuration.root)}:{other.line}"
                self.problems.append(
                    self._finding(declaration, f"The view is declared in {place}, too. Remove or rename one.")
                )
        return list(first.values())

    def _build(self, declaration: ViewDeclaration) -> Table:
        return declaration.build(self.environment)

    # --- views -------------------------------------------------------------------------------------------------------

    def names(self) -> list[ObjectIdentifier]:
        """Return the full names of all views, sorted, including those that cannot be built."""
        return [
            ObjectIdentifier(name, database, self.catalog.name)
            for database in self.catalog.list_databases()
            for name in self.catalog.list_views(database)
        ]

    def views(self) -> dict[tuple[str, ...], ProjectView]:
        """Return the views that can be built, by their folded full names; ``check`` reports the others."""
        if self._views is None:
            self._views = self._build_all(self.names())
        return self._views

    def _build_all(self, identifiers: Iterable[ObjectIdentifier]) -> dict[tuple[str, ...], ProjectView]:
        built: dict[tuple[str, ...], ProjectView] = {}
        # The files are read once, so that what is checked is one state of them.
        with cache_reads():
            for identifier in identifiers:
                made = self._try(identifier)
                if isinstance(made, ProjectView):
                    built[fold_path(identifier.parts)] = made
                else:
                    self.problems.append(made)
        return built

    def functions(self) -> list[ProjectFunction]:
        """Return the functions that the files of the catalog declare, sorted by name; broken files are left out."""
        found = []
        for database in self.catalog.list_databases():
            for name in self.catalog.list_functions(database):
                with contextlib.suppress(CatalogException):
                    function = self.catalog.get_function(database, name)
                    if function is not None:
                        file = relative(str(self.catalog.function_file(database, name) or ""), self.configuration.root)
                        found.append(ProjectFunction(self._function(database, name), function, file))
        return found

    def _function(self, database: str, name: str) -> ObjectIdentifier:
        return ObjectIdentifier(name, database, self.catalog.name)

    def view(self, name: str) -> ProjectView:
        """Return a view by its name.

        Raises:
            ProjectError: the project has no such view, with the nearest name; or it cannot be built.
        """
        database, short = self.catalog.key(name)
        found = self.views().get((fold(self.catalog.name), database, short))
        if found is not None:
            return found
        for problem in self.problems:
            if self.catalog.key(problem.subject) == (database, short):
                raise ProjectError(f"{problem.place}: {problem.message}")
        names = [shown for view in self.views().values() for shown in (view.name, view.identifier.name)]
        raise ProjectError(f"The project {self.configuration.name} has no view {name!r}." + did_you_mean(name, names))

    def file_of(self, identifier: ObjectIdentifier) -> str:
        """Return the file that declares a view, relative to the project; empty if there is none."""
        database, name = str(identifier.database), identifier.name
        declaration = self.catalog.declaration(database, name)
        file = self.catalog.file_of(database, name) if declaration is None else declaration.file
        return relative(str(file or ""), self.configuration.root)

    def _try(self, identifier: ObjectIdentifier) -> ProjectView | Finding:
        database, name = str(identifier.database), identifier.name
        declaration = self.catalog.declaration(database, name)
        subject = path_text((database, name))
        if declaration is not None:
            try:
                view = self.catalog.built(declaration)
            except Exception as error:
                return find_cause(subject, error, self.configuration.root, declaration.file, declaration.line)
            assert view.operation is not None
            file = relative(declaration.file, self.configuration.root)
            return ProjectView(identifier, view, view.operation, file, declaration.line, declaration)
        file = str(self.catalog.file_of(database, name) or "")
        try:
            table = self.environment.from_view_definition(path_text(identifier.parts))
            stored = self.catalog_view(identifier)
        except TableException as error:
            return find_cause(subject, error, self.configuration.root, file)
        return ProjectView(identifier, stored, table.query_operation, relative(file, self.configuration.root))

    def catalog_view(self, identifier: ObjectIdentifier) -> CatalogView:
        """Return a view of the project as its catalog has it, with its columns."""
        found = parts_of(self.environment).runtime.manager.find(identifier)
        assert isinstance(found, CatalogView)
        return found

    # --- check -------------------------------------------------------------------------------------------------------

    def check(self, unchanged: Collection[Key] = ()) -> list[Finding]:
        """Build all views, and return what is wrong, ordered by file and line.

        A view that reads a broken one is reported with the name of that one, and all others are still checked.

        Args:
            unchanged: the views that need not be built, because an earlier check found them right.
        """
        if unchanged:
            views = self._build_all(identifier for identifier in self.names() if key_of(identifier) not in unchanged)
        else:
            views = self.views()
        self.checked = list(views.values())
        found = list(self.problems)
        found += [
            self._finding(declaration, f"The catalog has a {kind} of this name in a file, too. Remove or rename one.")
            for declaration, kind in self.catalog.declared_twice()
        ]
        for view in views.values():
            found += self._check_view(view)
        found += [self._finding(*problem) for problem in broken_rules(views)]
        for function in self.functions():
            try:
                found_code = parts_of(self.environment).runtime.lookup.find(function.identifier.parts).user_code
                if isinstance(found_code.implementation, SqlFunction):
                    # As CREATE FUNCTION does: a body may be invalid though nothing calls it.
                    found_code.implementation.checked()
            except TableException as error:
                found.append(find_cause(function.name, error, self.configuration.root, function.file, 1))
        broken = {fold_path(parse_path(finding.subject)) for finding in found if "/" not in finding.subject}
        intact = {file for key in unchanged if (file := self.catalog.file_of(*key)) is not None}
        for file, message in self.catalog.broken_files(intact).items():
            if fold_path((file.parent.parent.name, file.stem)) not in broken:
                found.append(find_cause(file.stem, ProjectError(message), self.configuration.root, str(file)))
        found = [self._with_unread_modules(finding) for finding in (*found, *self._missing_folders())]
        return sorted(set(found), key=lambda finding: (finding.file, finding.line, finding.subject))

    def _missing_folders(self) -> Iterator[Finding]:
        """Yield the folders of tables that the project file names and that do not exist."""
        configuration = self.configuration
        named = {configuration.catalog: "catalog in [project]"}
        named |= {folder: f"folder in [catalogs.{name}]" for name, folder in configuration.catalogs.items()}
        usual = {
            configuration.root / name for name in ("catalog", *[f"catalogs/{name}" for name in configuration.catalogs])
        }
        for folder, key in named.items():
            if folder not in usual and not folder.is_dir():
                shown = relative(str(folder), configuration.root)
                others = [path.name for path in folder.parent.glob("*/")]
                hint = did_you_mean(folder.name, others) or " `tableapi schema pull` makes it."
                yield Finding(FILE_NAME, f"{key} names the folder {shown}, which does not exist.{hint}", FILE_NAME)

    def _with_unread_modules(self, finding: Finding) -> Finding:
        """Add the unreadable modules to a finding about a missing table, because one of them may declare the table."""
        unread = [problem.file for problem in self.problems if problem.subject.endswith(".py")]
        if finding.condition != "TABLE_OR_VIEW_NOT_FOUND" or finding.because_of or not unread:
            return finding
        said, end, place = finding.message.partition("\n")
        hint = f" {listing(unread)} cannot be read, and may declare it."
        return attrs.evolve(finding, message=f"{said}{hint}{end}{place}")

    def _check_view(self, view: ProjectView) -> list[Finding]:
        declaration = self.catalog.declaration(str(view.identifier.database), view.identifier.name)
        found = []
        if declaration is not None:
            found += [self._finding(declaration, message) for message in broken_contract(declaration, view.view.schema)]
        for read in view.own_reads:
            other = self.catalog.declaration(str(read.database), read.name)
            message = "" if other is None else _explain_unreadable(view, other)
            if message:
                found.append(Finding(view.name, message, view.file, view.line))
        try:
            view.operation.as_serializable_string(layout="MERGED", target=self.engine)
            if declaration is not None:
                runtime = parts_of(self.environment).runtime
                refuse_temporary(runtime, view.operation, view.identifier, self.catalog)
        except TableException as error:
            found.append(find_cause(view.name, error, self.configuration.root, view.file, view.line))
        return found

    @property
    def engine(self) -> str | None:
        """The engine for which views are compiled; None for the newest Spark."""
        return parts_of(self.environment).runtime.target_of("SPARK")

    def _finding(self, declaration: ViewDeclaration, message: str) -> Finding:
        file = relative(declaration.file, self.configuration.root)
        *database, name = parse_path(declaration.path)
        subject = path_text((database[-1] if database else self.configuration.database, name))
        return Finding(subject, message, file, declaration.line)


def _explain_unreadable(view: ProjectView, other: ViewDeclaration) -> str:
    """Return why a view cannot read what another declaration makes; empty if it can."""
    if other.kind is ViewKind.SINK:
        return f"The sink {other.path} has no rows to read: they leave the catalog. Read what its query reads."
    if view.kind is ViewKind.PERSISTENT and other.kind is ViewKind.TEMPORARY:
        return (
            f"A persistent view cannot read the temporary view {other.path}: make this one a materialized or temporary "
            "view, or that one persistent."
        )
    return ""


def broken_contract(
    declaration: ViewDeclaration, schema: ResolvedSchema, *, may_be_null: bool = False
) -> Iterator[str]:
    """Yield the differences between the declared columns of a view and the columns of its query, in sentences.

    Args:
        declaration: the declaration of the view.
        schema: the columns of the query.
        may_be_null: whether a column may be nullable that is declared as NOT NULL. Spark reads files as nullable.
    """
    if declaration.contract is None:
        return
    promised = {fold(column.name): column for column in declaration.contract.physical_columns}
    for column in promised.values():
        index = schema.index_of(column.name)
        if index is None:
            yield f"The schema declares the column {column.name!r}, which the query does not give." + did_you_mean(
                column.name, schema.names
            )
            continue
        given = schema.columns[index].data_type
        is_null = given.nullable and not column.data_type.nullable and not may_be_null
        if is_null or not given.same_type(column.data_type):
            yield (
                f"The column {column.name!r} is declared as {column.data_type.as_summary_string()}, and the query "
                f"gives {given.as_summary_string()}."
            )
    for name in schema.names:
        if fold(name) not in promised:
            yield f"The query gives the column {name!r}, which the schema does not declare."


def broken_rules(views: Mapping[tuple[str, ...], ProjectView]) -> Iterator[tuple[ViewDeclaration, str]]:
    """Yield the broken rules for kinds of views: readers of temporary views, names, and partition columns."""
    alone: dict[str, ProjectView] = {}
    for view in views.values():
        declaration = view.declaration
        if declaration is None:
            continue
        if not view.kind.has_database:
            other = alone.setdefault(fold(view.identifier.name), view)
            if other is not view:
                yield (
                    declaration,
                    f"{other.name} is a {other.kind.value}, too, and both are called {view.identifier.name} in a "
                    "pipeline.",
                )
        names = view.view.schema.names
        for name in declaration.partitioned_by:
            if view.view.schema.index_of(name) is None:
                hint = did_you_mean(name, names)
                yield declaration, f"partitioned_by names {name!r}, which is no column of the query.{hint}"
        if declaration.partitioned_by and len(declaration.partitioned_by) >= len(names):
            yield declaration, "partitioned_by names all columns; a table needs one that is no partition column."


# The names of the modules that the last project imported from its folder.
_of_last_project: set[str] = set()
_OWN_PACKAGES = {"tableapi", "ir", "serializer", "grammar"}


@contextlib.contextmanager
def _importing_from(root: Path, packages: Collection[str]) -> Iterator[list[Path]]:
    """Import modules of a project by their path below its folder, each again, because its file may have changed.

    So are the modules that they import from that folder: another project, or another revision of this one, may have
    others of the same names.

    Args:
        root: the folder of the project.
        packages: the first parts of the names of the modules with views.

    Yields:
        The files of the imported modules that are in the folder, once all are imported.
    """
    for name in list(sys.modules):
        if name.partition(".")[0] in packages or name in _of_last_project:
            del sys.modules[name]
    _of_last_project.clear()
    before = set(sys.modules)
    files: list[Path] = []
    importlib.invalidate_caches()
    sys.path.insert(0, str(root))
    # Python would take compiled code for that of a file that was edited in the same second without changing its size.
    wrote, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield files
    finally:
        sys.dont_write_bytecode = wrote
        sys.path.remove(str(root))
        for name in sys.modules.keys() - before:
            file = _file_in(root, name)
            if file is not None:
                files.append(file)
                _of_last_project.add(name)


def _file_in(root: Path, module: str) -> Path | None:
    """Return the file of a module of a project; None for other modules, and for packages installed in its folder."""
    given = getattr(sys.modules.get(module), "__file__", None)
    if given is None or module.partition(".")[0] in _OWN_PACKAGES:
        return None
    file = Path(given).resolve()
    is_own = file.is_relative_to(root) and not {"site-packages", "dist-packages"} & set(file.parts)
    return file if is_own else None
