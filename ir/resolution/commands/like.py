"""CREATE TABLE LIKE: the definition of a table, merged with what the statement says itself.

Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/ddl/create/#like
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from ir.commands.table_definition import (
    ColumnDefinition,
    ComputedValue,
    MetadataValue,
    Pairs,
    TableDefinition,
)
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import ValidationException, did_you_mean
from ir.file_formats import connector_of_files, files_of_connector
from ir.identifiers import fold

T = TypeVar("T")

_INCLUDING: Final = "INCLUDING"
_EXCLUDING: Final = "EXCLUDING"
_OVERWRITING: Final = "OVERWRITING"
_FEATURES: Final = ("CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS")
_REPLACEABLE: Final = ("GENERATED", "METADATA", "OPTIONS", "WATERMARKS")
_ALL: Final = "ALL"


def merge_like(command: CreateTableLike, source: TableDefinition) -> CreateTable:
    """Return the command that creates a table like another one.

    Args:
        command: the command, whose definition adds to that of the other table, or replaces parts of it.
        source: the definition of the other table.

    Raises:
        ValidationException: a feature is unknown or given twice, or both definitions have a part, and the statement
            does not say which of them counts.
    """
    chosen, added = _strategies(command), command.definition
    merge = _Merge(source, added, chosen)
    definition = added.evolve(
        columns=merge.columns(),
        constraints=merge.part("CONSTRAINTS", source.constraints, added.constraints, "a primary key"),
        watermark=merge.part("WATERMARKS", source.watermark, added.watermark, "a watermark"),
        partitioning=merge.part("PARTITIONS", source.partitioning, added.partitioning, "partition keys"),
        clustering=merge.part("PARTITIONS", source.clustering, added.clustering, "clustering columns"),
        buckets=merge.part("DISTRIBUTION", source.buckets, added.buckets, "a distribution"),
        comment=source.comment if added.comment is None else added.comment,
        collation=source.collation if added.collation is None else added.collation,
        **merge.storage(),
    )
    _refuse_shared_files(command, source, definition)
    return CreateTable(command.target, definition, command.mode, command.is_temporary)


def _refuse_shared_files(command: CreateTableLike, source: TableDefinition, made: TableDefinition) -> None:
    """Refuse a table over the files of the other one, unless the statement says so: writing into one changes both.

    Raises:
        ValidationException: both tables have one path.
    """
    if made.location is None or made.location != source.location or (_INCLUDING, "OPTIONS") in command.features:
        return
    raise ValidationException(
        f"The table {command.target.as_summary_string()} would have the files of {command.source.as_summary_string()}, "
        f"in {made.location}. Give it a path of its own, WITH ('path' = …) or LOCATION; or share the files: LIKE … "
        "(INCLUDING OPTIONS)."
    )


def _strategies(command: CreateTableLike) -> Mapping[str, str]:
    """Return the merge strategy of each feature of the other table."""
    require_features(command.features)
    given = {feature: word for word, feature in command.features}
    every = given.pop(_ALL, None)
    usual = dict.fromkeys(_FEATURES, _INCLUDING if every is None else every)
    if every is None:
        usual["OPTIONS"] = _OVERWRITING
    return {**usual, **given}


def require_features(features: Sequence[tuple[str, str]]) -> None:
    """Refuse an invalid feature of LIKE.

    Args:
        features: the strategy and the name of each feature, such as INCLUDING and OPTIONS.

    Raises:
        ValidationException: a feature does not exist, is named twice, or cannot be replaced.
    """
    given: dict[str, str] = {}
    for word, feature in features:
        if feature not in (*_FEATURES, _ALL):
            raise ValidationException(
                f"LIKE has no feature {feature}; there are {', '.join((_ALL, *_FEATURES))}."
                + did_you_mean(feature, (_ALL, *_FEATURES))
            )
        if feature in given:
            raise ValidationException(f"LIKE says {given[feature]} {feature} and {word} {feature}. Leave one out.")
        if word == _OVERWRITING and feature not in _REPLACEABLE:
            raise ValidationException(
                f"LIKE cannot be OVERWRITING {feature}: only {', '.join(_REPLACEABLE)} can be replaced one by one."
            )
        given[feature] = word


class _Merge:
    """Merges two definitions part by part."""

    def __init__(self, source: TableDefinition, added: TableDefinition, chosen: Mapping[str, str]) -> None:
        self._source = source
        self._added = added
        self._chosen = chosen

    def part(self, feature: str, old: T, new: T, called: str) -> T:
        """Return one of two parts; an empty one counts as none."""
        strategy = self._chosen[feature]
        if strategy == _EXCLUDING or not old:
            return new
        if new and strategy == _INCLUDING:
            remedy = f"EXCLUDING {feature}" + (f" or OVERWRITING {feature}" if feature in _REPLACEABLE else "")
            raise ValidationException(
                f"Both the new table and the one of LIKE have {called}. Say LIKE … ({remedy}) for that of the new one."
            )
        return new or old

    def columns(self) -> tuple[ColumnDefinition, ...]:
        """Return the columns: those of the other table in their places, then the new ones."""
        new = {fold(column.name): column for column in self._added.columns}
        found = []
        for column in self._source.columns:
            feature = _feature_of(column)
            if feature is not None and self._chosen[feature] == _EXCLUDING:
                continue
            replacement = new.get(fold(column.name))
            if replacement is None:
                found.append(column)
            elif feature is not None and self._chosen[feature] == _OVERWRITING and _feature_of(replacement) == feature:
                found.append(new.pop(fold(column.name)))
            else:
                raise ValidationException(
                    f"The table of LIKE has a column {column.name!r}, too. "
                    + (
                        "Give the new one another name; columns that are stored are always included."
                        if feature is None
                        else f"Say LIKE … (EXCLUDING {feature} or OVERWRITING {feature}) for the new one."
                    )
                )
        return (*found, *new.values())

    def storage(self) -> dict[str, Any]:
        """Return the storage of the rows as fields of a definition."""
        source, added = self._source, self._added
        if self._chosen["OPTIONS"] == _EXCLUDING:
            return {}
        properties = self._merged(source.properties, added.properties)
        if not source.connector and not added.connector:
            self._refuse_repeated({"format": source.format, "path": source.location}, added)
            is_same = added.format in (None, source.format)
            return {
                "format": source.format if added.format is None else added.format,
                "location": source.location if added.location is None else added.location,
                # Options of another format mean nothing to this one.
                "options": self._merged(source.options, added.options) if is_same else added.options,
                "hive": source.hive if added.hive is None and added.format is None else added.hive,
                "properties": properties,
            }
        options = dict(self._merged(_options_of(source), _options_of(added)))
        files = files_of_connector(options)
        if files is None:
            connector = tuple(sorted(options.items()))
            return {"format": None, "location": None, "options": (), "connector": connector, "properties": properties}
        format, location, of_format = files
        of_files = {"format": format, "location": location, "options": tuple(sorted(of_format.items()))}
        return {**of_files, "connector": (), "properties": properties}

    def _merged(self, old: Pairs, new: Pairs) -> Pairs:
        before, after = dict(old), dict(new)
        repeated = sorted(before.keys() & after.keys())
        if self._chosen["OPTIONS"] == _INCLUDING and repeated:
            self._refuse_options(repeated)
        return tuple(sorted({**before, **after}.items()))

    def _refuse_repeated(self, old: Mapping[str, str | None], added: TableDefinition) -> None:
        new = {"format": added.format, "path": added.location}
        repeated = [key for key, value in old.items() if value is not None and new[key] is not None]
        if self._chosen["OPTIONS"] == _INCLUDING and repeated:
            self._refuse_options(repeated)

    def _refuse_options(self, repeated: Sequence[str]) -> None:
        raise ValidationException(
            f"Both the new table and the one of LIKE have the option{'s' if len(repeated) > 1 else ''} "
            f"{', '.join(map(repr, repeated))}. Say LIKE … (OVERWRITING OPTIONS) for those of the new one."
        )


def _feature_of(column: ColumnDefinition) -> str | None:
    """Return the feature to which a column belongs; None for a stored one."""
    if isinstance(column.value, ComputedValue):
        return "GENERATED"
    return "METADATA" if isinstance(column.value, MetadataValue) else None


def _options_of(definition: TableDefinition) -> Pairs:
    """Return the storage of a table as the options of Flink's WITH.

    Raises:
        ValidationException: Flink's connector of files lacks the format or an option.
    """
    if definition.format is None:
        return definition.connector
    found = connector_of_files(definition.format, definition.location, dict(definition.options))
    if found is None:
        raise ValidationException(
            f"The table of LIKE has files USING {definition.format} with options that WITH cannot say. Say LIKE … "
            "(EXCLUDING OPTIONS), and all options of the new table."
        )
    return tuple(sorted(found.items()))
