"""Parse the description of a table or view that ``DESCRIBE TABLE EXTENDED … AS JSON`` returns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from tableapi.catalog.statements import ViewDefinition

OWN: Final = "tableapi."
SETTINGS: Final = OWN + "settings."
EMPTY: Final = OWN + "empty_properties"
REPLACES: Final = OWN + "replaces"

_VIEWS: Final = frozenset({"VIEW", "METRIC_VIEW"})
# Hive sets this key itself, on every change.
_HIVE: Final = frozenset({"transient_lastDdlTime"})
_BODY: Final = re.compile(r"SELECT /\* .*? \*/ \* FROM `[^`]+`\.`[^`]+`\.`(\w+__body_[0-9a-f]{8}_[0-9a-f]{12})`\(\)")
_NOTE: Final = "This view's text is too long for the metastore; it is the body of the function below."


def is_kept_property(key: str) -> bool:
    """Whether a property was not set by Hive itself."""
    return key not in _HIVE


@attrs.frozen(eq=False)
class StoredRelation:
    """A table or view in the catalog; the raw ``properties`` include those of this library."""

    kind: str
    columns: tuple[tuple[str, str | None], ...]
    comment: str | None
    properties: Mapping[str, str]
    text: str
    settings: Mapping[str, str]
    namespace: str
    schema_mode: str
    partition_keys: tuple[str, ...] = ()
    query_names: tuple[str, ...] = ()
    created_by: str = ""
    collation: str = ""
    owner: str = ""

    @property
    def is_view(self) -> bool:
        """Whether it is a view of any kind."""
        return self.kind in _VIEWS

    @property
    def chosen_schema_mode(self) -> str:
        """The schema mode as WITH SCHEMA has it; empty for Spark's default, COMPENSATION."""
        mode = self.schema_mode.replace("_", " ").upper()
        return "" if mode == "COMPENSATION" else mode

    @property
    def body_function(self) -> str | None:
        """The name of the function whose body is the view's text, if the text was too long for the metastore."""
        match = _BODY.fullmatch(self.text)
        return None if match is None else match.group(1)

    @property
    def user_properties(self) -> dict[str, str]:
        """The properties that belong neither to Spark nor to this library."""
        # Spark's description omits properties with an empty value.
        empty = dict.fromkeys(json.loads(self.properties.get(EMPTY, "[]")), "")
        return empty | {key: value for key, value in self.properties.items() if not key.startswith(OWN)}

    def definition(self) -> ViewDefinition:
        """Return the definition with which the view can be created again."""
        properties = {**self.properties, **self.user_properties}
        mode = self.schema_mode.replace("_", " ") or None
        renames = bool(self.query_names) and self.query_names != tuple([name for name, _ in self.columns])
        return ViewDefinition(
            self.text, self.columns, self.comment, properties, mode, renames, self.collation, self.owner
        )


def parse(answer: str) -> StoredRelation:
    """Parse the answer to ``DESCRIBE TABLE EXTENDED … AS JSON``."""
    facts: dict[str, Any] = json.loads(answer)
    properties = facts.get("table_properties") or {}
    return StoredRelation(
        kind=str(facts.get("type", "")).upper(),
        columns=tuple([(column["name"], column.get("comment")) for column in facts.get("columns", ())]),
        comment=facts.get("comment"),
        properties={key: value for key, value in properties.items() if is_kept_property(key)},
        text=facts.get("view_text") or "",
        settings=facts.get("view_creation_spark_configuration") or {},
        namespace=facts.get("view_catalog_and_namespace") or "",
        schema_mode=facts.get("view_schema_mode") or "",
        partition_keys=tuple(facts.get("partition_columns") or ()),
        query_names=tuple(facts.get("view_query_output_columns") or ()),
        created_by=facts.get("created_by") or "",
        collation=_default_collation(facts.get("collation")),
        owner=facts.get("owner") or "",
    )


def _default_collation(name: str | None) -> str:
    """Return the default collation of strings in a view; empty for UTF8_BINARY."""
    return "" if name is None or name.upper() == "UTF8_BINARY" else name


def own_properties(settings: Mapping[str, str], user: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that this library adds: the pinned settings, which SHOW CREATE TABLE displays."""
    own = {SETTINGS + name: value for name, value in settings.items()}
    empty = sorted(key for key, value in user.items() if not value)
    return own | ({EMPTY: json.dumps(empty)} if empty else {})


def thin_text(function: str) -> str:
    """Return the text of a view over the function that has the real text as its body; ``function`` is a quoted path."""
    return f"SELECT /* {_NOTE} */ * FROM {function}()"
