"""The project file ``tableapi.toml``: where views and schemas are, and the engines to which views are deployed."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from tableapi.environment_settings import check_time_zone
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from ir.targets import target as targets
else:
    targets = lazy(__name__, "ir.targets.target")

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE_NAME: Final = "tableapi.toml"
_PROJECT_KEYS: Final = ("name", "views", "catalog", "catalog_name", "database", "time_zone", "source_comments")
_CATALOG_NAME: Final = r"\w+"
PLACEHOLDERS: Final = ("environment", "database")


class ProjectError(TableException):
    """A project cannot be read; the message has the file and, where it is known, the line."""


@attrs.frozen
class TargetSettings:
    """An engine to which the views of a project are deployed, and how to reach it.

    Attributes:
        name: the name in the project file.
        spark: the version of Spark for which SQL is compiled, such as ``4.0``; None for that of the session.
        session: the function that returns a Spark session, as ``module:function``.
        remote: the address of a Spark Connect server.
        warehouse: the folder of an embedded session.
        directory: the folder of a directory catalog, to which views are written as files.
        journal: the database of the table that records deployments.
    """

    name: str
    spark: str | None = None
    session: str | None = None
    remote: str | None = None
    warehouse: Path | None = None
    directory: Path | None = None
    journal: str | None = None

    @property
    def engine(self) -> str | None:
        """The name of the target for which SQL is compiled, such as ``spark-4.0``; None for that of the session."""
        return None if self.spark is None else f"spark-{self.spark}"


@attrs.frozen
class PipelineSettings:
    """The section ``[pipeline]``: the Spark Declarative Pipeline that is built from the views.

    Attributes:
        name: the name of the pipeline; None for that of the project.
        storage: the URI of the folder in which Spark keeps checkpoints; None if it is not configured.
        folder: the folder to which the pipeline is written.
        configuration: settings of the session of each run.
    """

    folder: Path
    name: str | None = None
    storage: str | None = None
    configuration: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Configuration:
    """The contents of a project file.

    Attributes:
        root: the folder of the file.
        name: the name of the project, which each deployed view carries.
        views: the folders and files of Python modules with views.
        catalog: the folder with the schemas of tables and with views in SQL, one statement a file.
        catalog_name: the name of the catalog at every target, by which views name tables.
        database: the database of names without one.
        time_zone: the time zone of times without one.
        targets: the targets by their names.
        naming: the name of a database in an environment, with ``{environment}`` and ``{database}``.
        pipeline: how the pipeline of the views is built.
        source_comments: whether a comment in the text of each deployed view names its file and revision.
        catalogs: the folders with the tables of other catalogs that views read, by the names of these catalogs.
    """

    root: Path
    name: str
    views: tuple[Path, ...]
    catalog: Path
    catalog_name: str
    database: str
    time_zone: str
    targets: Mapping[str, TargetSettings]
    naming: str
    pipeline: PipelineSettings
    source_comments: bool = False
    catalogs: Mapping[str, Path] = attrs.field(factory=dict)

    def target(self, name: str) -> TargetSettings:
        """Return a target by its name.

        Raises:
            ValidationException: the project has no such target; the message lists them.
        """
        if name not in self.targets:
            has = f"It has {listing(self.targets)}." if self.targets else f"Its {FILE_NAME} has no [targets.…]."
            raise ValidationException(
                f"The project {self.name} has no target {name!r}. {has}" + did_you_mean(name, self.targets)
            )
        return self.targets[name]

    @property
    def packages(self) -> tuple[str, ...]:
        """The first parts of the names of the project's modules."""
        roots = [view.relative_to(self.root).parts[0] for view in self.views if view.is_relative_to(self.root)]
        return tuple(dict.fromkeys(root.removesuffix(".py") for root in roots))

    def database_in(self, environment: str | None, database: str) -> str:
        """Return the name of a database in an environment, such as ``dev_alice``; None means production.

        Raises:
            ProjectError: the name of the environment cannot be part of the name of a database.
        """
        if environment is not None and not re.fullmatch(r"\w+", environment, re.ASCII):
            raise ProjectError(
                "The name of an environment becomes a part of names of databases: it has letters of A to Z, digits and "
                f"_, but is {environment!r}. Without --env, production is meant."
            )
        return database if environment is None else self.naming.format(environment=environment, database=database)


def find_project(start: Path) -> Path:
    """Return the folder of the project to which a folder belongs: the nearest one above with a project file.

    Raises:
        ProjectError: there is no project file.
    """
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_file():
            return folder
    raise ProjectError(f"There is no {FILE_NAME} in {start} or a folder above it. `tableapi init` makes a project.")


def read_configuration(root: Path) -> Configuration:
    """Return the configuration in the project file of a folder.

    Raises:
        ProjectError: the file is missing or invalid; the message has the line, and the nearest valid key.
    """
    path = root / FILE_NAME
    try:
        text = path.read_text("utf-8")
        found = tomllib.loads(text)
    except FileNotFoundError:
        raise ProjectError(f"There is no {path}. `tableapi init` makes a project.") from None
    except UnicodeDecodeError as error:
        raise ProjectError(f"{path} is no text in UTF-8: {error}.") from None
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ProjectError(f"{path} is not valid TOML: {error}.") from None
    return _Reader(path, text).configuration(found)


class _Reader:
    """Reads the tables of one project file; errors have the line of the key."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()

    def configuration(self, found: dict[str, Any]) -> Configuration:
        self._known(found, ("project", "catalogs", "targets", "environments", "pipeline"), "the file", "")
        project = self._table(found, "project")
        self._known(project, _PROJECT_KEYS, "[project]", "project")
        if "name" not in project:
            raise self._error("[project] needs a name, which each deployed view carries.", "project")
        root = self._path.parent
        views = project.get("views", ["views"])
        if not isinstance(views, list) or not all(isinstance(view, str) for view in views):
            raise self._error(f"views is a list of folders and files, but is {views!r}.", "views")
        comments = project.get("source_comments", False)
        if not isinstance(comments, bool):
            raise self._error(f"source_comments is true or false, but is {comments!r}.", "source_comments")
        environments = self._table(found, "environments")
        self._known(environments, ("naming",), "[environments]", "environments")
        targets = self._table(found, "targets")
        catalog_name = self._text(project, "catalog_name", "spark_catalog")
        if not re.fullmatch(_CATALOG_NAME, catalog_name):
            raise self._error(
                f"The name of a catalog has letters, digits and _, but is {catalog_name!r}.", "catalog_name"
            )
        return Configuration(
            root=root,
            name=self._name(project["name"]),
            views=tuple([root / view for view in views]),
            catalog=root / self._text(project, "catalog", "catalog"),
            catalog_name=catalog_name,
            database=self._text(project, "database", "default"),
            time_zone=self._time_zone(project),
            targets={name: self._target(name, said) for name, said in targets.items()},
            naming=self._naming(self._text(environments, "naming", "{environment}_{database}")),
            pipeline=self._pipeline(self._table(found, "pipeline")),
            source_comments=comments,
            catalogs=self._catalogs(self._table(found, "catalogs"), catalog_name),
        )

    def _catalogs(self, said: dict[str, Any], own: str) -> dict[str, Path]:
        found = {}
        for name, given in said.items():
            where = f"catalogs.{name}"
            if not isinstance(given, dict):
                raise self._error(f"[{where}] is a table of settings, but is {given!r}.", name)
            self._known(given, ("folder",), f"[{where}]", where)
            if fold(name) == fold(own):
                raise self._error(
                    f"[{where}] is the catalog of the project itself, catalog_name in [project]. Other catalogs, whose "
                    "tables views read, are named here.",
                    where,
                )
            if not re.fullmatch(_CATALOG_NAME, name):
                raise self._error(f"The name of a catalog has letters, digits and _, but is {name!r}.", where)
            found[name] = self._path.parent / self._text(given, "folder", f"catalogs/{name}")
        return found

    def _pipeline(self, said: dict[str, Any]) -> PipelineSettings:
        self._known(said, ("name", "storage", "folder", "configuration"), "[pipeline]", "pipeline")
        given = said.get("configuration", {})
        if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
            raise self._error(
                f"[pipeline.configuration] maps settings of Spark to texts, such as 'spark.ui.enabled' = 'false', "
                f"but is {given!r}.",
                "pipeline.configuration",
            )
        return PipelineSettings(
            self._path.parent / self._text(said, "folder", "pipeline"),
            self._text(said, "name", "") or None,
            self._text(said, "storage", "") or None,
            dict(given),
        )

    def _name(self, given: object) -> str:
        if not isinstance(given, str) or not re.fullmatch(r"[\w.-]+", given):
            raise self._error(
                f"The name of a project has letters, digits, and the signs _ . -, but is {given!r}.", "name"
            )
        return given

    def _time_zone(self, project: dict[str, Any]) -> str:
        given = self._text(project, "time_zone", "UTC")
        try:
            check_time_zone(given)
        except ValidationException as error:
            raise self._error(f"time_zone: {error}", "time_zone") from None
        return given

    def _naming(self, given: str) -> str:
        fields = re.findall(r"\{(\w*)\}", given)
        for field in fields:
            if field not in PLACEHOLDERS:
                raise self._error(
                    f"naming has {{{field}}}; it takes {{environment}} and {{database}}."
                    + did_you_mean(field, PLACEHOLDERS),
                    "naming",
                )
        if set(fields) != set(PLACEHOLDERS):
            raise self._error(
                f"naming takes both {{environment}} and {{database}}, so that no two databases become one, but is "
                f"{given!r}.",
                "naming",
            )
        if not re.fullmatch(r"(?:[\w-]|\{\w+\})+", given):
            raise self._error(
                f"naming makes the name of a database: beside {{environment}} and {{database}} it has letters, digits, "
                f"_ and -, but is {given!r}.",
                "naming",
            )
        return given

    def _target(self, name: str, said: object) -> TargetSettings:
        where = f"targets.{name}"
        if not isinstance(said, dict):
            raise self._error(f"[{where}] is a table of settings, but is {said!r}.", name)
        self._known(said, ("spark", "session", "remote", "warehouse", "directory", "journal"), f"[{where}]", where)
        ways = [way for way in ("session", "remote", "warehouse", "directory") if way in said]
        if len(ways) != 1:
            given = f"has {listing(ways)}" if ways else "has none of them"
            raise self._error(
                f"[{where}] says how to reach the engine by one of session = 'module:function', remote = 'sc://…', "
                f"warehouse = 'folder' (an embedded Spark) and directory = 'folder' (files), but {given}.",
                where,
            )
        root = self._path.parent
        session = said.get("session")
        if session is not None and not (isinstance(session, str) and re.fullmatch(r"[\w.]+:\w+", session)):
            raise self._error(
                f"session names a function that returns a Spark session, as 'module:function', but is {session!r}.",
                "session",
            )

        def folder(key: str) -> Path | None:
            return root / self._text(said, key, "") if key in said else None

        return TargetSettings(
            name,
            spark=self._version(said),
            session=session,
            remote=self._text(said, "remote", "") or None,
            warehouse=folder("warehouse"),
            directory=folder("directory"),
            journal=self._text(said, "journal", "") or None,
        )

    def _version(self, said: dict[str, Any]) -> str | None:
        if "spark" not in said:
            return None
        given = said["spark"]
        text = given if isinstance(given, str) else str(given)
        try:
            return str(targets.Target.of(f"spark-{text}").version)
        except ValidationException as error:
            raise self._error(f"spark = {given!r}: {error}", "spark") from None

    # --- parts ---

    def _table(self, found: dict[str, Any], key: str) -> dict[str, Any]:
        table = found.get(key, {})
        if not isinstance(table, dict):
            raise self._error(f"[{key}] is a table of settings, but is {table!r}.", key)
        return table

    def _text(self, table: dict[str, Any], key: str, default: str) -> str:
        value = table.get(key, default)
        if not isinstance(value, str) or (key in table and not value.strip()):
            raise self._error(f"{key} is a text, but is {value!r}.", key)
        return value

    def _known(self, table: dict[str, Any], accepted: tuple[str, ...], where: str, section: str) -> None:
        for key in table:
            if key not in accepted:
                raise self._error(
                    f"{where} has no key {key!r}; it has {listing(accepted)}." + did_you_mean(key, accepted), key
                )

    def _error(self, message: str, key: str) -> ProjectError:
        """Return an error at the first line with a key or the head of a section."""
        pattern = re.compile(rf"\s*(?:\[\s*(?:\w+\.)?{re.escape(key)}\s*[\].]|[\"']?{re.escape(key)}[\"']?\s*=)")
        line = next((number for number, text in enumerate(self._lines, 1) if pattern.match(text)), None)
        return ProjectError(f"{self._path}{'' if line is None else f':{line}'}: {message}")
