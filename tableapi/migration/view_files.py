"""The files of imported views: the statement that creates each, as a person could have written it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

import attrs

from grammar.formatting import format_text
from grammar.full_names import add_full_names
from ir.errors import SqlParserException, TableException
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from serializer.quoting import quote_if_needed
from tableapi.catalog.file_names import file_name
from tableapi.catalog.object_files import write_object
from tableapi.catalog.statements import ViewDefinition, create_view, view_path
from tableapi.catalog.time_zones import TIME_ZONE, depends_on_time_zone
from tableapi.migration.folder import UNREADABLE
from tableapi.migration.records import Failure, SourceView
from tableapi.project.deployment import OWN_PROPERTIES
from tableapi.project.pipelines.build import Storage, create_table
from tableapi.project.view_files import FOLDERS
from tableapi.spark.required_settings import EXECUTION, FEATURES, REQUIRED_SETTINGS

_WIDTH: Final = 100
_SQL: Final = "spark.sql."
# Every view of a project has these; how Spark treats variables in a stored text does not matter any more.
_OF_EVERY_VIEW: Final = frozenset(
    [*[setting.name for setting in REQUIRED_SETTINGS], *FEATURES, "spark.sql.variable.substitute"]
)
_WITHOUT_MEANING: Final = (
    *EXECUTION,
    "spark.sql.analyzer.",
    "spark.sql.autoBroadcastJoinThreshold",
    "spark.sql.broadcastTimeout",
    "spark.sql.cbo.",
    "spark.sql.columnVector.",
    "spark.sql.files.max",
    "spark.sql.files.min",
    "spark.sql.files.open",
    "spark.sql.inMemoryColumnarStorage.",
    "spark.sql.orc.columnarReader",
    "spark.sql.orc.enable",
    "spark.sql.orc.filterPushdown",
    "spark.sql.parquet.aggregatePushdown",
    "spark.sql.parquet.columnarReader",
    "spark.sql.parquet.enable",
    "spark.sql.parquet.filterPushdown",
    "spark.sql.repl.",
    "spark.sql.statistics.",
    "spark.sql.streaming.stateStore.",
    "spark.sql.ui.",
    "spark.sql.warehouse.",
)
"""The beginnings of the names of settings that a session records with a view, and that do not change its rows."""
_SETTING: Final = re.compile(r"\s*--[ \t]*SET[ \t]", re.IGNORECASE)


def kept_settings(settings: Mapping[str, str], operation: QueryOperation | None, time_zone: str) -> dict[str, str]:
    """Return the settings that the file of a view has to declare.

    Args:
        settings: the settings with which the view was stored.
        operation: the tree of the query.
        time_zone: the time zone of the project.
    """
    kept = {
        name: value
        for name, value in settings.items()
        if name.startswith(_SQL) and name not in _OF_EVERY_VIEW and not name.startswith(_WITHOUT_MEANING)
    }
    if kept.get(TIME_ZONE) == time_zone or (operation is not None and not depends_on_time_zone(operation)):
        # A deployment stores the project's time zone with each view that depends on it. If the text has constants of
        # another one, the file reads back as another tree.
        kept.pop(TIME_ZONE, None)
    return kept


def stored_properties(definition: ViewDefinition) -> dict[str, str]:
    """Return the properties that a project declares for a view: those of users, and the owner."""
    properties = {key: value for key, value in definition.properties.items() if key not in OWN_PROPERTIES}
    if definition.owner:
        properties.setdefault("owner", definition.owner)
    return properties


def schema_mode(definition: ViewDefinition) -> str | None:
    """Return the schema mode that a file declares; None for Spark's default."""
    mode = (definition.schema_mode or "").upper()
    return None if mode in ("", "COMPENSATION") else mode


def author_text(view: SourceView, catalog: str, functions: Collection[str]) -> str:
    """Return the author's text, formatted, with the names completed that would mean something else in the project.

    A file's names without a database are of the database of the file.

    Args:
        view: the view.
        catalog: the catalog of the project.
        functions: the folded names of the functions of the view's namespace.
    """
    text = view.definition.text.strip()
    if view.dialect is not Dialect.SPARK:
        return text
    if len(view.namespace) == 2:
        of_catalog, database = view.namespace
        is_here = fold(of_catalog) == fold(catalog)
        missing = (database,) if is_here else (of_catalog, database)
        is_own = is_here and fold(database) == fold(view.database)

        def table(parts: tuple[str, ...]) -> tuple[str, ...]:
            if is_own or len(parts) > 2:
                return ()
            return missing if len(parts) == 1 else missing[:-1]

        def function(parts: tuple[str, ...]) -> tuple[str, ...]:
            return missing if not is_own and len(parts) == 1 and fold(parts[0]) in functions else ()

        if not is_own:
            text = add_full_names(text, table, function, quote_if_needed)
    try:
        return format_text(text, Dialect.SPARK, _WIDTH).text
    except SqlParserException:
        return text


def view_file(view: SourceView, text: str, settings: Mapping[str, str]) -> bytes:
    """Return the file of a view.

    Raises:
        TableException: a setting or a text cannot be stored.
    """
    definition = view.definition
    if view.storage is not None:
        return _table_file(view, view.storage, text)
    mode = schema_mode(definition)
    columns, renames = definition.columns, definition.renames
    if view.schema is not None:
        comments = {fold(name): comment for name, comment in columns}
        columns = tuple([(c.name, comments.get(fold(c.name), c.comment)) for c in view.schema.columns])
    if mode == "EVOLUTION":
        # Spark takes no list of columns with it: they are those of the query.
        columns, renames = tuple([(name, None) for name, _ in columns]), False
    statement = create_view(
        view_path(view.name),
        attrs.evolve(
            definition,
            text=text,
            columns=columns,
            renames=renames,
            properties=stored_properties(definition),
            schema_mode=mode,
            collation="",
        ),
    )
    return write_object(_harmless(view.preamble) + statement, settings)


def _table_file(view: SourceView, storage: Storage, text: str) -> bytes:
    """Return the file of a table of a pipeline, which has the columns of its query and no settings."""
    definition = view.definition
    assert view.schema is not None
    comments = {fold(name): comment for name, comment in definition.columns}
    schema = ResolvedSchema(tuple([c.evolve(comment=comments.get(fold(c.name))) for c in view.schema.columns]))
    properties = stored_properties(definition)
    statement = create_table((view.name,), schema, storage, definition.comment, properties, text)
    return write_object(_harmless(view.preamble) + statement, {})


def _harmless(comments: str) -> str:
    """Return comments that no reader takes for settings."""
    if not comments:
        return ""
    return ("--\n" if _SETTING.match(comments) else "") + comments.rstrip() + "\n"


def view_path_of(catalog: str, view: SourceView) -> str:
    """Return the file of a view, relative to the project."""
    folder = "views"
    if view.storage is not None:
        folder = next(name for name, (kind, _) in FOLDERS.items() if kind is view.storage.kind)
    return f"{catalog}/{file_name(view.database)}/{folder}/{file_name(view.name)}.sql"


def kept_path(view: SourceView) -> str:
    """Return the file of a view that is kept as text, relative to the project."""
    return f"{UNREADABLE}/{file_name(view.database)}/{file_name(view.name)}.sql"


def kept_file(view: SourceView, failure: Failure) -> tuple[bytes, int]:
    """Return the file of a view that is kept as text, and how many of its lines are above the text of the query."""
    head = [f"-- Not imported: {failure.reason.splitlines()[0]}"]
    head += [f"--   {line}" for line in failure.reason.splitlines()[1:]]
    settings = {name: value for name, value in view.settings.items() if not name.startswith(_WITHOUT_MEANING)}
    head += [f"-- SET {name}={' '.join(value.split())};" for name, value in sorted(settings.items())]
    if view.namespace:
        head.append(f"-- Names without a database are of {'.'.join(view.namespace)}.")
    if view.original:
        text, above = f"{view.original.rstrip()}\n", 0
    else:
        definition = attrs.evolve(view.definition, properties=stored_properties(view.definition), owner="")
        try:
            text = create_view(view_path(view.database, view.name), definition)
        except TableException:
            text = definition.text
        above = text[: len(text) - len(definition.text)].count("\n")
        text += ";\n" if not text.endswith(";") else "\n"
    written = "\n".join(head) + "\n" + text
    return written.encode("utf-8", "backslashreplace"), len(head) + above
