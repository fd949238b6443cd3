"""Read the description of a table or view from a session, in JSON or, before Spark 4.0, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ir.identifiers import fold, parse_path, quote
from tableapi.spark.catalog_names import SESSION_CATALOG
from tableapi.spark.versions import describes_as_json, is_connect, sail_version
from tableapi.spark.views.metadata import SETTINGS, StoredRelation, is_kept_property, parse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# A section of the rows of DESCRIBE begins with one of these, or with an empty name.
_SECTION: Final = "# "
_DETAILS: Final = "# Detailed Table Information"
_PARTITIONS: Final = "# Partition Information"
_COLUMN_NAMES: Final = "# col_name"
_RECORDED: Final = "view.sqlConfig."


def describe(session: SparkSession, path: str) -> StoredRelation:
    """Return the table or view at a path.

    Before Spark 4.0, a description lacks the settings of a view. Those of a view in Spark's own catalog come from the
    JVM, and on Connect from the properties that this library added.

    Raises:
        pyspark.errors.PySparkException: there is no such object, or the catalog failed.
    """
    if describes_as_json(session):
        return parse(session.sql(f"DESCRIBE TABLE EXTENDED {path} AS JSON").collect()[0][0])
    rows = [tuple(row) for row in session.sql(f"DESCRIBE TABLE EXTENDED {path}").collect()]
    if not any(name == _DETAILS for name, *_ in rows):
        return _temporary(session, path, rows)
    # Sail describes no properties of tables.
    found = session.sql(f"SHOW TBLPROPERTIES {path}").collect() if sail_version(session) is None else []
    properties = {str(row[0]): str(row[1]) for row in found}
    return _stored(rows, properties, _settings(session, path, properties))


def _stored(rows: list[tuple[Any, ...]], properties: Mapping[str, str], settings: Mapping[str, str]) -> StoredRelation:
    names = [str(name) for name, *_ in rows]
    details = {name: str(value or "") for name, value, *_ in rows[names.index(_DETAILS) + 1 :]}
    partitioned: list[str] = []
    if _PARTITIONS in names:
        start = names.index(_COLUMN_NAMES, names.index(_PARTITIONS)) + 1
        partitioned = names[start : names.index("", start)]
    outputs = details.get("View Query Output Columns", "")
    return StoredRelation(
        kind="VIEW" if details.get("Type") == "VIEW" else "TABLE",
        columns=_columns(rows),
        comment=details.get("Comment"),
        properties={key: value for key, value in properties.items() if is_kept_property(key)},
        text=details.get("View Text", ""),
        settings=settings,
        namespace=details.get("View Catalog and Namespace", ""),
        # Spark 3.5 fails to read a view whose columns have other types than when it was stored.
        schema_mode="",
        partition_keys=tuple(partitioned),
        query_names=tuple(outputs.removeprefix("[").removesuffix("]").split(", ")) if outputs else (),
        created_by=details.get("Created By", ""),
        owner=details.get("Owner", ""),
    )


def _columns(rows: Iterable[tuple[Any, ...]]) -> tuple[tuple[str, str | None], ...]:
    columns = []
    for name, _, comment in rows:
        if not name or name.startswith(_SECTION):
            break
        columns.append((str(name), comment or None))
    return tuple(columns)


def _settings(session: SparkSession, path: str, properties: Mapping[str, str]) -> dict[str, str]:
    catalog, *names = parse_path(path)
    if is_connect(session) or fold(catalog) != SESSION_CATALOG:
        return {key.removeprefix(SETTINGS): value for key, value in properties.items() if key.startswith(SETTINGS)}
    classic: Any = session
    state = classic._jsparkSession.sessionState()
    found = state.catalog().getTableMetadata(state.sqlParser().parseTableIdentifier(".".join(map(quote, names))))
    everything = classic._jvm.scala.collection.JavaConverters.mapAsJavaMap(found.properties())
    return {
        str(key).removeprefix(_RECORDED): str(value) for key, value in everything.items() if key.startswith(_RECORDED)
    }


def _temporary(session: SparkSession, path: str, rows: list[tuple[Any, ...]]) -> StoredRelation:
    """Return a temporary view, of which Spark shows only the columns; on Connect, its text is out of reach."""
    text = ""
    if not is_connect(session):
        classic: Any = session
        found = classic._jsparkSession.sessionState().catalog().getRawTempView(parse_path(path)[-1])
        stored = found.get().tableMeta().viewText() if found.isDefined() else found
        text = str(stored.get()) if stored.isDefined() else ""
    return StoredRelation(
        kind="VIEW",
        columns=_columns(rows),
        comment=None,
        properties={},
        text=text,
        settings={},
        namespace="",
        schema_mode="",
    )
