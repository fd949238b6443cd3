"""CREATE TABLE in the environment: Flink's form in every catalog, Spark's form in catalogs that Spark does not know."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, cast

from grammar import statements as st
from grammar import syntax as s
from grammar import table_syntax as ts
from grammar.errors import Misread
from grammar.statement_names import statement_names
from grammar.statement_words import words
from ir.errors import TableException
from ir.identifiers import fold
from ir.rendering import Dialect
from ir.resolution.commands.tables import make_partition_field
from ir.schema import Column, ResolvedSchema
from serializer.given_names import use_names
from tableapi.expression import Expression, wrap
from tableapi.lazy import lazy
from tableapi.queries.sql_reader import path_of
from tableapi.result import TableResult
from tableapi.schema import Schema
from tableapi.table_descriptor import TableDescriptor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from grammar.lexemes import Token
    from tableapi.declarations import external_tables
    from tableapi.declarations.declared_columns import MetadataKey
    from tableapi.queries.sql_reader import SqlReader
    from tableapi.queries.statement_runner import Statements
    from tableapi.queries.tables import Tables
else:
    external_tables = lazy(__name__, "tableapi.declarations.external_tables")

# The clauses of Spark's form that Flink's form does not have.
_OF_SPARK = {"format": "USING", "options": "OPTIONS", "location": "LOCATION", "properties": "TBLPROPERTIES"}
_CLAUSES_OF_SPARK = frozenset(_OF_SPARK.values())
# Keywords that only Spark supports; Spark executes a statement with one of them.
_SPARKS_ALONE = frozenset(("CLUSTERED", "CLUSTER", "STORED", "SKEWED", "LIKE", "ROW", "DEFAULT", "GENERATED", "CHECK"))


def is_of_flink(tokens: Sequence[Token]) -> bool:
    """Whether a statement is a CREATE TABLE in Flink's form, with connector options: WITH (…).

    >>> from grammar.statement_words import words
    >>> is_of_flink(words("CREATE TABLE t (a INT) WITH ('connector' = 'kafka')"))
    True
    >>> is_of_flink(words("CREATE TABLE t AS WITH (SELECT 1) AS w SELECT * FROM w"))
    False
    """
    given = _strip_parentheses(tokens)
    return (
        _creates_table(given)
        and any(first == "WITH" and second == "(" for first, second in itertools.pairwise(given))
        and ("AS" not in given or given.index("WITH") < given.index("AS"))
    )


def is_plain(tokens: Sequence[Token]) -> bool:
    """Whether a statement is a CREATE TABLE without clauses that only Spark supports.

    >>> from grammar.statement_words import words
    >>> is_plain(words("CREATE TABLE c.default.t (a INT)")), is_plain(words("CREATE TABLE t (a INT) STORED AS ORC"))
    (True, False)
    """
    given = _strip_parentheses(tokens)
    # The words of a dotted name are no keywords.
    given = [word for i, word in enumerate(given) if "." not in (word, *given[max(0, i - 1) : i + 2])]
    until = given.index("AS") if "AS" in given else len(given)
    return _creates_table(given) and _SPARKS_ALONE.isdisjoint(given[:until])


def like_dialect(tokens: Sequence[Token]) -> Dialect | None:
    """Return the dialect of a CREATE TABLE … LIKE; None for any other statement.

    >>> from grammar.statement_words import words
    >>> like_dialect(words("CREATE TABLE a LIKE b (INCLUDING OPTIONS)")), like_dialect(words("CREATE TABLE a (b INT)"))
    (<Dialect.FLINK: 'flink'>, None)
    >>> like_dialect(words("CREATE TABLE a LIKE b USING csv LOCATION '/a'"))
    <Dialect.SPARK: 'spark'>
    """
    given = _strip_parentheses(tokens)
    until = given.index("AS") if "AS" in given else len(given)
    if not _creates_table(given) or "LIKE" not in given[:until]:
        return None
    return Dialect.SPARK if not _CLAUSES_OF_SPARK.isdisjoint(given) else Dialect.FLINK


def declares_table(tokens: Sequence[Token]) -> bool:
    """Whether a statement is a CREATE TABLE or REPLACE TABLE.

    >>> from grammar.statement_words import words
    >>> declares_table(words("CREATE OR REPLACE TABLE t (a INT)")), declares_table(words("CREATE VIEW v AS SELECT 1"))
    (True, False)
    """
    given = [token.text.upper() for token in tokens[:5]]
    while given and given[0] in ("CREATE", "OR", "REPLACE", "EXTERNAL"):
        del given[0]
    return given[:1] == ["TABLE"]


def _creates_table(given: list[str]) -> bool:
    return given[:1] == ["CREATE"] and "TABLE" in given[1:3] and given[1] in ("TABLE", "TEMPORARY", "TEMP")


def _strip_parentheses(tokens: Sequence[Token]) -> list[str]:
    """Return the upper-case tokens outside parentheses, and the parentheses."""
    depth, found = 0, []
    for token in tokens:
        depth -= token.text == ")"
        if depth == 0:
            found.append(token.text.upper())
        depth += token.text == "("
    return found


class TableStatements:
    """Executes CREATE TABLE."""

    def __init__(self, tables: Tables, reader: SqlReader, statements: Statements) -> None:
        self._tables = tables
        self._reader = reader
        self._statements = statements

    def create(self, node: st.CreateTable, text: str, dialect: Dialect) -> TableResult:
        """Create a table.

        Args:
            node: the parsed statement.
            text: the text of the statement.
            dialect: the SQL dialect of the statement.

        Raises:
            Misread: clauses of the statement contradict each other, or an option is invalid.
            TableAlreadyExistException: the table already exists.
            TableException: a type is not supported.
        """
        try:
            return self._create(node, text, dialect)
        except TableException as error:
            raise locate_option(error, node.options, text) from None

    def _create(self, node: st.CreateTable, text: str, dialect: Dialect) -> TableResult:
        path = path_of(node.name)
        foreign = node.only_in_catalogs_of_spark
        if foreign is not None:
            raise Misread(
                foreign[0],
                f"Only tables in a catalog of Spark have {foreign[1]}; this catalog keeps tables of files and tables "
                "that are only declared. Create the table in a catalog of Spark, or leave that out.",
            )
        if "connector" in node.options:
            self._refuse_parts_of_spark(node)
        schema = self._schema(node, text, dialect) if node.columns else None
        if node.query is not None:
            return self._create_from_query(node, text, dialect, schema)
        if schema is None:
            raise Misread(
                node.name.position, "The table needs columns, in parentheses after its name, or AS and a query."
            )
        descriptor = self._descriptor(node, schema)
        if descriptor is None:
            if node.temporary:
                raise Misread(node.position, "A temporary table is one of files: WITH ('connector' = 'filesystem', …).")
            self._tables.declare_without_data(
                path,
                schema,
                comment=node.options.get("comment"),
                properties=node.options.get("properties", {}),
                partition_keys=_partition_keys(node),
                ignore_if_exists=node.if_not_exists,
            )
        elif node.temporary:
            self._tables.create_temporary_table(path, descriptor, node.if_not_exists)
        else:
            self._tables.create_table(path, descriptor, node.if_not_exists)
        return TableResult.ok()

    def _create_from_query(
        self, node: st.CreateTable, text: str, dialect: Dialect, schema: Schema | None
    ) -> TableResult:
        if node.temporary:
            raise Misread(node.position, "A temporary table has no query; CREATE TEMPORARY VIEW gives a query a name.")
        if schema is not None:
            raise Misread(
                node.columns[0].position, "A table made from a query has the columns of the query; leave these out."
            )
        query, names = self._reader.named_operation(node.query, text, dialect=dialect)
        with use_names(query, names):
            return self._statements.create_table_as(
                query,
                path_of(node.name),
                self._descriptor(node, None),
                or_replace=False,
                ignore_if_exists=node.if_not_exists,
            )

    def _refuse_parts_of_spark(self, node: st.CreateTable) -> None:
        for kind, word in _OF_SPARK.items():
            if kind in node.options:
                raise Misread(
                    node.position,
                    f"WITH is Flink's form of CREATE TABLE, which has no {word}. Say it in WITH ('connector' = "
                    "'filesystem', 'path' = …, 'format' = …), or leave WITH out for Spark's form.",
                )

    def _descriptor(self, node: st.CreateTable, schema: Schema | None) -> TableDescriptor | None:
        """Return the descriptor of the files; None if the statement does not describe files."""
        options = node.options
        if "connector" in options:
            given: Mapping[str, str] = options["connector"]
            if "connector" not in given:
                raise ts.make_connector_error(node.position, given)
        elif "format" in options and external_tables.is_external(options["format"].lower()):
            if "location" in options:
                raise Misread(node.position, f"A table of {options['format']} has no files, and so no LOCATION.")
            given = {"connector": options["format"].lower(), **options.get("options", {})}
        elif "format" in options:
            if "location" not in options:
                raise Misread(
                    node.position,
                    "A table of files needs a LOCATION where the catalog is not Spark's: it has no warehouse.",
                )
            format = options["format"].lower()
            given = {"connector": "filesystem", "path": options["location"], "format": format}
            given |= {f"{format}.{key}": value for key, value in options.get("options", {}).items()}
        elif "location" in options or "options" in options:
            raise Misread(node.position, "A table at a LOCATION has a format: USING csv, json, parquet ….")
        else:
            return None
        made = TableDescriptor.Builder(given).partitioned_by(*_partition_keys(node))
        if schema is not None:
            _check_partition_keys(node, schema)
            made.schema(schema)
        if "comment" in options:
            made.comment(options["comment"])
        return made.build()

    # --- columns -----------------------------------------------------------------------------------------------------

    def _schema(self, node: st.CreateTable, text: str, dialect: Dialect) -> Schema:
        odd = node.only_in_tables_of_flink
        if odd is not None and "connector" not in node.options:
            raise Misread(
                _position(odd),
                "Keys, watermarks, computed columns and columns of metadata are of Flink's form, which says WITH "
                "('connector' = 'filesystem', …).",
            )
        made = Schema.new_builder()
        for column in node.columns:
            name = column.name.text
            match column:
                case st.DeclaredColumn():
                    made.column(name, column.data_type)
                case st.ComputedColumn():
                    made.column_by_expression(name, self._expression(column.expression, text, dialect))
                case st.MetadataColumn():
                    # column_by_metadata rejects an unknown key.
                    metadata = cast("MetadataKey | None", column.key)
                    made.column_by_metadata(name, column.data_type, metadata, column.is_virtual)
            made.with_comment(column.comment)
        for mark in node.watermarks:
            made.watermark(mark.column.text, self._expression(mark.expression, text, dialect))
        for key in node.keys:
            if key.is_enforced:
                raise Misread(
                    key.position,
                    "A primary key is written with NOT ENFORCED: nothing here checks that keys are unique.",
                )
            names = [name.text for name in key.columns]
            if key.name is None:
                made.primary_key(*names)
            else:
                made.primary_key_named(key.name.text, *names)
        return made.build()

    def _expression(self, written: Any, text: str, dialect: Dialect) -> Expression[Any]:
        return wrap(self._reader.expression(written, text, dialect))


def locate_option(error: TableException, options: Mapping[str, Any], text: str) -> TableException | Misread:
    """Return an error with the position of the option that it is about; the error itself if it is about none of these.

    Args:
        error: the error.
        options: the parts of the statement with options, by kind.
        text: the text of the statement.
    """
    is_value = error.option_value is not None
    key = error.option_value or error.option or ""
    for given in options.values():
        positions = given.positions if isinstance(given, ts.Properties) else {}
        # Spark's names of options do not begin with the format.
        for name in (key, key.partition(".")[2]):
            if name in positions:
                return Misread(positions[name][is_value], error.in_sql, error.condition, type(error))
    position = position_of_format(words(text)) if error.option_value in ("format", "connector") else None
    return error if position is None else Misread(position, error.in_sql, error.condition, type(error))


def position_of_format(tokens: Sequence[Token]) -> int | None:
    """Return the position of the format after USING in CREATE TABLE or CREATE VIEW; None if there is none.

    >>> from grammar.statement_words import words
    >>> position_of_format(words("CREATE TABLE t (a INT, b INT AS (a)) USING cvs"))
    43
    >>> position_of_format(words("CREATE TABLE t AS SELECT * FROM a JOIN b USING (k)")) is None
    True
    """
    depth = 0
    for token, following in itertools.pairwise(tokens):
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.text.upper() == "USING":
            return following.position
        if depth == 0 and token.text.upper() == "AS":
            break
    return None


def _partition_keys(node: st.CreateTable) -> tuple[str, ...]:
    """Return the partition keys in the spelling of the columns, because SQL names are case-insensitive."""
    written = {fold(column.name.text): column.name.text for column in node.columns}
    return tuple([written.get(fold(key.name), key.name) for key in node.options.get("partition keys", ())])


def _check_partition_keys(node: st.CreateTable, schema: Schema) -> None:
    stored = ResolvedSchema(tuple([Column(c.name, c.data_type, c.comment) for c in schema.physical_columns]))
    for key in node.options.get("partition keys", ()):
        try:
            make_partition_field(key.column.parts, None, None, stored)
        except TableException as error:
            raise Misread(key.column.position, str(error), error.condition, type(error)) from None


def _position(part: Any) -> int:
    return int(part.position)


def name_of_table(tokens: Sequence[Token]) -> s.Path | None:
    """Return the table name of a CREATE TABLE; None if it cannot be determined."""
    found = statement_names(tokens)
    for one in found.objects:
        if one.is_new and one.parts:
            return s.Path(one.position, [s.Name(one.position, part, True) for part in one.parts])
    return None
