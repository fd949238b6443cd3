"""Actions that build the nodes of ALTER TABLE and of the statements that maintain a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grammar import statements as st
from grammar import syntax as s
from grammar.actions.types import TypeActions
from grammar.builder.expressions.literals import text_of
from grammar.errors import Misread
from grammar.lexemes import Token

if TYPE_CHECKING:
    from grammar import alterations as tc
else:

    class _Nodes:
        """The module of the nodes; most programs parse none of these statements, and do not wait for it."""

        def __getattr__(self, name: str) -> Any:
            from grammar import alterations

            return getattr(alterations, name)

    tc = _Nodes()

Partition = list[st.PartitionValue]


class TableChangeActions(TypeActions):
    """Builds the nodes of ALTER TABLE and of the statements that maintain a table."""

    def _literal_text(self, token: Token) -> str:
        return text_of(token, self._language)

    # --- statements ---

    def alter_table(self, _: Token, __: Token, name: s.Path, changes: Any) -> tc.AlterTable:
        return tc.AlterTable(name.position, name, changes if isinstance(changes, list) else [changes])

    def rename_partition(self, _: Token, __: Token, name: s.Path, old: Partition, new: Partition) -> tc.AlterTable:
        return tc.AlterTable(name.position, name, [tc.RenamePartition(old[0].position, old, new)])

    def set_partition_location(
        self, _: Token, __: Token, name: s.Path, partition: Partition, location: Token
    ) -> tc.AlterTable:
        return tc.AlterTable(
            name.position, name, [tc.SetLocation(location.position, self._literal_text(location), partition)]
        )

    def set_partition_serde(
        self, _: Token, __: Token, name: s.Path, partition: Partition, serde: tuple[str | None, dict[str, str]]
    ) -> tc.AlterTable:
        return tc.AlterTable(name.position, name, [tc.SetSerde(partition[0].position, *serde, partition)])

    def comment_on_table(self, _: Token, name: s.Path, comment: Token) -> tc.AlterTable:
        text = None if comment.text.upper() == "NULL" else self._literal_text(comment)
        return tc.AlterTable(name.position, name, [tc.CommentTable(comment.position, text)])

    def comment_on_column(self, path: s.Path, comment: Token) -> tc.AlterTable:
        if len(path.names) < 2:
            raise Misread(path.position, "COMMENT ON COLUMN takes the name of a table, a dot and that of a column.")
        column = s.Path(path.names[-1].position, path.names[-1:])
        text = "" if comment.text.upper() == "NULL" else self._literal_text(comment)
        table = s.Path(path.position, path.names[:-1])
        return tc.AlterTable(path.position, table, [tc.ChangeColumn(column.position, column, "comment", text)])

    def analyze(
        self, _: Token, name: s.Path, partition: Partition | None, analyzed: list[s.Name] | bool | None
    ) -> tc.Analyze:
        scans = analyzed is not False
        return tc.Analyze(name.position, name, partition, analyzed if scans else None, scans)

    def analyze_tables(self, namespace: s.Path | None, without_scan: bool | None) -> tc.AnalyzeTables:
        return tc.AnalyzeTables(0 if namespace is None else namespace.position, namespace, without_scan is None)

    def analyzed_columns(self, *names: s.Name) -> list[s.Name]:
        return list(names)

    def all_columns(self) -> bool:
        return True

    def without_scan(self) -> bool:
        return False

    def repair(self, _: Token, name: s.Path, mode: Token | None) -> tc.Repair:
        return tc.Repair(name.position, name, "ADD" if mode is None else mode.text.upper())

    def cache(self, lazy: Any, _: Token, name: s.Path, options: dict[str, str] | None, query: Any) -> tc.Cache:
        return tc.Cache(name.position, name, bool(lazy), options or {}, query)

    def cached_query(self, _: Token | None, query: Any) -> Any:
        return query

    def uncache(self, _: Token, if_exists: Any, name: s.Path) -> tc.Uncache:
        return tc.Uncache(name.position, name, bool(if_exists))

    # --- columns ---

    def new_column(self, path: s.Path, data_type: Any, *options: Any) -> tc.NewColumn:
        found: dict[str, Any] = {}
        for kind, position, value in options:
            if kind in found:
                raise Misread(position, f"The {kind} of the column is given twice.")
            found[kind] = value
        return tc.NewColumn(
            path.position,
            path,
            self._type(data_type),
            found.get("comment"),
            found.get("default"),
            found.get("place"),
        )

    def new_column_default(self, token: Token, expression: Any) -> tuple[str, int, Any]:
        return "default", token.position, expression

    def first_column(self) -> tuple[str, int, tc.ColumnPlace]:
        return "place", 0, tc.ColumnPlace(0, None)

    def after_column(self, name: s.Name) -> tuple[str, int, tc.ColumnPlace]:
        return "place", name.position, tc.ColumnPlace(name.position, name)

    def add_parts(self, *parts: Any) -> list[Any]:
        return [_make_addition(part) for part in parts]

    def modify_parts(self, *parts: Any) -> list[Any]:
        made: list[Any] = []
        for part in parts:
            if isinstance(part, tc.NewColumn):
                made.append(tc.RedefineColumn(part.position, part.path, part, True))
            elif isinstance(part, st.Watermark):
                made.append(tc.SetWatermark(part.position, part.column, part.expression, False))
            else:
                made += [
                    tc.DropConstraint(part.position, part.name, False, False),
                    tc.AddConstraint(part.position, part),
                ]
        return made

    def drop_columns(self, if_exists: Any, *paths: s.Path) -> list[tc.DropColumn]:
        return [tc.DropColumn(path.position, path, bool(if_exists)) for path in paths]

    def drop_columns_of_flink(self, *paths: s.Path) -> list[tc.DropColumn]:
        return self.drop_columns(None, *paths)

    def rename_column(self, path: s.Path, name: s.Name) -> tc.RenameColumn:
        return tc.RenameColumn(path.position, path, name)

    def change_columns(self, *changes: Any) -> list[Any]:
        return list(changes)

    def change_type(self, path: s.Path, data_type: Any) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "type", self._type(data_type))

    def change_comment(self, path: s.Path, comment: tuple[str, int, str]) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "comment", comment[2])

    def change_place(self, path: s.Path, place: tuple[str, int, tc.ColumnPlace]) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "place", place[2])

    def forbid_null(self, path: s.Path, *_: Token) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "nullable", False)

    def allow_null(self, path: s.Path, *_: Token) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "nullable", True)

    def change_default(self, path: s.Path, _: Token, expression: Any) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "default", expression)

    def drop_default(self, path: s.Path, _: Token) -> tc.ChangeColumn:
        return tc.ChangeColumn(path.position, path, "default", None)

    def redefine_column(
        self,
        path: s.Path,
        name: s.Name,
        data_type: Any,
        comment: tuple[str, int, str] | None,
        place: tuple[str, int, tc.ColumnPlace] | None,
    ) -> tc.RedefineColumn:
        new = s.Path(name.position, [*path.names[:-1], name])
        column = tc.NewColumn(
            name.position,
            new,
            self._type(data_type),
            None if comment is None else comment[2],
            None,
            None if place is None else place[2],
        )
        return tc.RedefineColumn(path.position, path, column, False)

    def replace_columns(self, *columns: tc.NewColumn) -> tc.ReplaceColumns:
        return tc.ReplaceColumns(columns[0].position, list(columns))

    # --- the table ---

    def rename_table(self, name: s.Path) -> tc.RenameTable:
        return tc.RenameTable(name.position, name)

    def set_properties(self, properties: dict[str, str]) -> tc.SetProperties:
        return tc.SetProperties(0, properties)

    def unset_properties(self, if_exists: Any, *keys: s.Name) -> tc.RemoveProperties:
        return tc.RemoveProperties(0, [key.text for key in keys], bool(if_exists))

    def reset_properties(self, *keys: s.Name) -> tc.RemoveProperties:
        # Flink's RESET accepts options that the table does not have.
        return tc.RemoveProperties(0, [key.text for key in keys], True)

    def set_location(self, location: Token) -> tc.SetLocation:
        return tc.SetLocation(location.position, self._literal_text(location), None)

    def set_serde(self, serde: tuple[str | None, dict[str, str]]) -> tc.SetSerde:
        return tc.SetSerde(0, *serde, None)

    def table_serde(self, serde: Token, properties: dict[str, str] | None) -> tuple[str | None, dict[str, str]]:
        return self._literal_text(serde), properties or {}

    def serde_properties(self, properties: dict[str, str]) -> tuple[str | None, dict[str, str]]:
        return None, properties

    def cluster_table_by(self, *paths: s.Path) -> tc.ClusterTable:
        return tc.ClusterTable(paths[0].position if paths else 0, list(paths))

    def set_collation(self, _: Token, name: Token) -> tc.SetCollation:
        return tc.SetCollation(name.position, name.text)

    # --- constraints, watermarks and distributions ---

    def altered_constraint(self, name: s.Name | None, rule: tuple[Any, ...], *traits: str) -> tc.Constraint:
        position, kind, columns, condition, table, referred = rule
        if name is not None:
            position = name.position
        return tc.Constraint(position, name, kind, columns, condition, table, referred, list(traits))

    def primary_key_rule(self, columns: list[s.Name]) -> tuple[Any, ...]:
        return columns[0].position, "primary key", columns, None, None, []

    def unique_rule(self, columns: list[s.Name]) -> tuple[Any, ...]:
        return columns[0].position, "unique", columns, None, None, []

    def check_rule(self, condition: Any) -> tuple[Any, ...]:
        return condition.position, "check", [], condition, None, []

    def foreign_key_rule(self, columns: list[s.Name], table: s.Path, referred: list[s.Name] | None) -> tuple[Any, ...]:
        return columns[0].position, "foreign key", columns, None, table, referred or []

    def constraint_trait(self, *words: Token) -> str:
        return " ".join(word.text.upper() for word in words)

    def drop_constraint(self, if_exists: Any, name: s.Name, behaviour: Token | None) -> tc.DropConstraint:
        cascades = behaviour is not None and behaviour.text.upper() == "CASCADE"
        return tc.DropConstraint(name.position, name, bool(if_exists), cascades)

    def drop_primary_key(self) -> tc.DropConstraint:
        return tc.DropConstraint(0, None, False, False)

    def add_distribution(self, written: tuple[Any, ...]) -> tc.SetDistribution:
        position, kind, columns, buckets = written
        return tc.SetDistribution(position, kind, columns, buckets, True)

    def modify_distribution(self, written: tuple[Any, ...]) -> tc.SetDistribution:
        position, kind, columns, buckets = written
        return tc.SetDistribution(position, kind, columns, buckets, False)

    def bucket_distribution(
        self, kind: Token | None, columns: list[s.Name] | None, buckets: Token | None
    ) -> tuple[Any, ...]:
        found = None if kind is None else kind.text.upper()
        if kind is not None and found not in ("HASH", "RANGE"):
            raise Misread(kind.position, f"Rows are distributed by HASH or RANGE, and not by {kind.text}.")
        position = columns[0].position if columns else 0
        return position, found, columns or [], None if buckets is None else int(buckets.text)

    def drop_watermark(self) -> tc.DropPart:
        return tc.DropPart(0, "watermark")

    def drop_distribution(self) -> tc.DropPart:
        return tc.DropPart(0, "distribution")

    # --- partitions ---

    def partition(self, *values: st.PartitionValue) -> Partition:
        return list(values)

    def new_partition(self, partition: Partition, location: Token | None) -> tc.NewPartition:
        path = None if location is None else self._literal_text(location)
        return tc.NewPartition(partition[0].position, partition, path)

    def add_partitions(self, if_not_exists: Any, *partitions: tc.NewPartition) -> tc.AddPartitions:
        return tc.AddPartitions(partitions[0].position, list(partitions), bool(if_not_exists))

    def drop_partitions(self, if_exists: Any, *rest: Any) -> tc.DropPartitions:
        *partitions, purge = rest
        return tc.DropPartitions(partitions[0][0].position, partitions, bool(if_exists), bool(purge))

    def recover_partitions(self) -> tc.RecoverPartitions:
        return tc.RecoverPartitions(0)


def _make_addition(part: Any) -> Any:
    """Return the change that adds a column, a constraint or a watermark."""
    if isinstance(part, tc.NewColumn):
        return tc.AddColumn(part.position, part)
    if isinstance(part, st.Watermark):
        return tc.SetWatermark(part.position, part.column, part.expression, True)
    return tc.AddConstraint(part.position, part)
