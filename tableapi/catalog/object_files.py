"""Read and write the files of a directory catalog: one CREATE statement each, as a person could have written it.

Settings that determine the meaning of the text cannot be part of a CREATE statement. They precede it as comments, in
the form of the statements that set them: ``-- SET spark.sql.session.timeZone=Europe/Berlin;``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from grammar import statements as st
from grammar.errors import place
from grammar.reading import Surroundings, build_command, parse_syntax
from grammar.statement_words import separator, words
from ir.commands.table_definition import ForeignKeyConstraint, TableDefinition
from ir.commands.tables import CreateTable
from ir.errors import SqlParserException, TableException, ValidationException
from ir.identifiers import ObjectIdentifier, fold
from ir.migration_page import Section, see
from ir.operations.watermark import Watermark
from ir.rendering import Dialect
from ir.resolution.commands.value_rules import NO_RULES, ValueRules
from ir.schema import Column, ResolvedSchema
from ir.types import RowField, RowType
from tableapi.catalog.catalog import CatalogDatabase, CatalogTable, StoredView
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter, is_import_path
from tableapi.declarations.file_options import FORMATS, STREAMING
from tableapi.declarations.file_tables import FileTable, check_types
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.declarations import external_tables, jdbc, secrets
else:
    external_tables = lazy(__name__, "tableapi.declarations.external_tables")
    jdbc = lazy(__name__, "tableapi.declarations.jdbc")
    secrets = lazy(__name__, "tableapi.declarations.secrets")

_SETTING: Final = re.compile(r"--[ \t]*SET[ \t]+([\w.-]+)[ \t]*=[ \t]*(.*?)[ \t]*;?[ \t]*\r?\n", re.IGNORECASE)
_ONE_LINE: Final = re.compile(r"[^\x00-\x1f\x7f\x85\u2028\u2029]*")


class Broken(Exception):
    """A file is corrupt; the message says where and why."""


Stored = CatalogTable | StoredView | CatalogFunction | CatalogDatabase
KINDS: Final[Mapping[str, str]] = {
    "tables": "a CREATE TABLE statement",
    "views": "a CREATE VIEW statement",
    "functions": "a CREATE FUNCTION statement",
    "database": "a CREATE DATABASE statement",
}


# --- writing ---------------------------------------------------------------------------------------------------------


def write_object(statement: str, settings: Mapping[str, str]) -> bytes:
    """Return the content of a file.

    Raises:
        ValidationException: the value of a setting is not a single line, or a text contains a lone surrogate.
    """
    lines = []
    for key in sorted(settings):
        if not _ONE_LINE.fullmatch(settings[key]) or not re.fullmatch(r"[\w.-]+", key):
            raise ValidationException(f"The setting {key!r} cannot be stored: its value {settings[key]!r} is no line.")
        lines.append(f"-- SET {key}={settings[key]};\n")
    # If the text ends with a comment, the semicolon has to be on a new line.
    tokens = words(statement + ";")
    ends = bool(tokens) and tokens[-1].position == len(statement)
    try:
        return f"{''.join(lines)}{statement}{'' if ends else chr(10)};\n".encode()
    except UnicodeEncodeError as error:
        start = error.start - sum(map(len, lines))
        raise ValidationException(
            f"The text has the lone surrogate {statement[start]!r}, which is half of a character and cannot be "
            f"stored: {statement[max(0, start - 20) : start + 20]!r}."
        ) from None


def check_table(shown: str, table: CatalogTable) -> None:
    """Check that a file can describe a table.

    Raises:
        TableException: the table has rows of its own, computed columns, a watermark, or no path.
    """
    files = table.files
    constraints = () if table.definition is None else table.definition.constraints
    if any(isinstance(constraint, ForeignKeyConstraint) for constraint in constraints):
        raise TableException(
            f"{shown} is declared with a foreign key, which a directory catalog does not keep, because its tables may "
            "get another catalog name. Declare it in an in-memory catalog, or as a table of Spark's."
        )
    if files is None and table.data is not None:
        raise TableException(
            f"{shown} cannot be stored with rows of its own: a directory catalog keeps tables of files "
            "(TableDescriptor), tables that are only declared, and views."
        )
    if files is not None and files.keeper is not None:
        raise TableException(
            f"{shown} is {files.keeper}, which a directory catalog does not keep. Declare it in an in-memory catalog, "
            "or as a temporary table."
        )
    if isinstance(table.data, Watermark):
        raise TableException(
            f"{shown} has a watermark, which a directory catalog does not keep. Store the table without it, and a view "
            f"over it that sets it: SELECT * FROM {shown} WATERMARK {table.data.column.name} DELAY OF INTERVAL …."
        )
    if files is not None and (files.derived or (table.data is not None and table.data.inputs)):
        raise TableException(
            f"{shown} has computed columns, which a directory catalog does not keep. Store the table with its stored "
            "columns, and a view over it that computes the others."
        )
    if files is not None and files.is_external:
        _check_external(shown, files)
    elif files is not None and files.path is None:
        raise TableException(f"{shown} has no path, which says where its files are.")


def _check_external(shown: str, table: FileTable) -> None:
    assert isinstance(table, external_tables.ExternalTable)
    if table.source_class is not None:
        raise TableException(
            f"{shown} is read by the class {table.source_class.__qualname__} of this process, which a directory "
            "catalog does not keep. Declare it in an in-memory catalog, or as a temporary table."
        )
    if table.format != external_tables.JDBC:
        raise TableException(
            f"{shown} is a table of the connector {table.format!r}, which a directory catalog does not keep. "
            "Declare it in an in-memory catalog, or as a temporary table."
        )
    if secrets.has_secret(table.options):
        raise TableException(
            f"{shown} has a password, which would be readable in a file of the catalog. Put it into an environment "
            f"variable, and say which: '{jdbc.PASSWORD_VARIABLE}' = 'DB_PASSWORD'."
        )
    if table.primary_key:
        raise TableException(
            f"{shown} has a primary key, which a directory catalog does not keep. Declare it without the key, so that "
            "rows are appended, or in an in-memory catalog."
        )


# --- reading ---------------------------------------------------------------------------------------------------------


def read_object(content: bytes, kind: str, database: str, name: str | None) -> tuple[str, Stored]:
    """Return the name and the object in the content of a file.

    Args:
        content: the bytes of the file.
        kind: the folder of the file.
        database: the database to which the folder belongs.
        name: the object name from the file name; None if the file name is truncated.

    Raises:
        Broken: the content is not UTF-8, not a single statement of the kind, or invalid.
    """
    text = _decode(content)
    try:
        statement = parse_syntax(text, Dialect.SPARK, "stored")
        return _read_name(statement, text, kind, database, name), _MADE[type(statement)](statement, text)
    except SqlParserException as error:
        raise Broken(_several(text) or str(error)) from None
    except TableException as error:
        raise Broken(str(error)) from None


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Broken(f"It is not UTF-8: line {line} has the byte 0x{content[error.start]:02X}.") from None


def _several(text: str) -> str | None:
    tokens = words(text)
    if not tokens:
        return "It holds no statement."
    found = separator(tokens)
    return None if found is None else f"It holds several statements.\n{place(text, found.position)}"


def _read_name(statement: Any, text: str, kind: str, database: str, name: str | None) -> str:
    position = statement.name.position
    if statement.called != KINDS[kind]:
        raise Broken(f"It holds {statement.called} and not {KINDS[kind]}.\n{place(text, statement.position)}")
    if getattr(statement, "temporary", False) or getattr(statement, "system", False):
        raise Broken(f"What is stored is not temporary.\n{place(text, statement.position)}")
    parts = statement.name.parts
    said: str = parts[-1]
    if name is not None and fold(said) != fold(name):
        raise Broken(f"It is the file of {name!r} and says {said!r}; rename one or the other.\n{place(text, position)}")
    if len(parts) > 1 and kind != "database" and fold(parts[-2]) != fold(database):
        raise Broken(f"It is in the database {database!r} and says {parts[-2]!r}.\n{place(text, position)}")
    return said


def _verbatim(text: str, start: int) -> str:
    """Return the text from a position to the end, without the semicolon of the statement."""
    end = len(text)
    for token in reversed(words(text)):
        if token.text != ";":
            break
        end = token.position
    return text[start:end].strip()


def _settings(text: str) -> dict[str, str]:
    found, position = {}, 0
    while match := _SETTING.match(text, position):
        found[match[1]] = match[2]
        position = match.end()
    return found


def _view(statement: st.CreateView, text: str) -> StoredView:
    columns = [(column.name.text, column.comment) for column in statement.columns or ()]
    folded = [fold(name) for name, _ in columns]
    for index, column in enumerate(statement.columns or ()):
        if folded[index] in folded[:index]:
            raise Broken(f"The column {column.name.text!r} is there twice.\n{place(text, column.position)}")
    return StoredView(
        text=_verbatim(text, statement.body),
        columns=tuple(columns),
        comment=statement.options.get("comment"),
        properties=statement.options.get("properties", {}),
        settings=_settings(text),
        content=text,
        query=statement.query,
        schema_mode=statement.options.get("schema mode", ""),
    )


def _table(statement: st.CreateTable, text: str) -> CatalogTable:
    options = statement.options
    is_declared = "format" not in options
    odd = statement.computed_or_watermark if is_declared else statement.only_in_tables_of_flink
    if odd is not None:
        raise Broken(
            "A table in a file has columns that are stored, and no keys, watermarks or computed columns.\n"
            + place(text, odd.position)
        )
    foreign = statement.only_in_storage_of_spark if is_declared else statement.only_in_catalogs_of_spark
    if foreign is not None:
        raise Broken(f"A table in a file has no {foreign[1]}.\n{place(text, foreign[0])}")
    if statement.query is not None or not statement.columns or "connector" in options:
        raise Broken("A table in a file lists its columns, and has neither WITH nor AS with a query.")
    declared = [column for column in statement.columns if isinstance(column, st.DeclaredColumn)]
    schema = ResolvedSchema(tuple([Column(c.name.text, c.data_type, c.comment) for c in declared]))
    keys = tuple([schema.column(key.name).name for key in options.get("partition keys", ())])
    comment = options.get("comment")
    if is_declared:
        if "location" in options or "options" in options:
            raise Broken("A table at a LOCATION has a format: USING csv, json, parquet ….")
        definition = _definition(statement, text) if statement.rules or statement.keys else None
        properties = options.get("properties", {})
        return CatalogTable(schema, comment, properties, partition_keys=keys, definition=definition)
    format = fold(options["format"])
    if format == external_tables.JDBC:
        return _table_behind_jdbc(options, schema, comment)
    if format not in FORMATS:
        raise Broken(f"The format {options['format']!r} is not one of {', '.join(FORMATS)}.")
    if "location" not in options:
        raise Broken("A table of files needs a LOCATION.")
    inside = [column for column in schema.columns if column.name not in keys]
    check_types(ResolvedSchema(tuple(inside)), format, "the table")
    given = dict(options.get("options", {}))
    said = given.pop(STREAMING, "false")
    if said not in ("true", "false"):
        raise Broken(f"The option {STREAMING!r} is 'true' or 'false', but is {said!r}.")
    files = FileTable(format, options["location"], given, schema, keys, (), comment, is_stream=said == "true")
    return CatalogTable(files.source.schema, comment, files.options, files.source, files, keys)


def _definition(statement: st.CreateTable, text: str) -> TableDefinition:
    """Return the columns and constraints of a declared table, whose expressions call built-in functions alone."""
    command = build_command(statement, text, Surroundings(), _OtherTables())
    assert isinstance(command, CreateTable)
    return TableDefinition(command.definition.columns, command.definition.constraints)


class _OtherTables:
    """Resolves the names of tables in a file with a declared table without reading these tables."""

    def full_name(self, parts: tuple[str, ...]) -> ObjectIdentifier:
        return ObjectIdentifier(parts[-1])

    def altered_table(self, identifier: ObjectIdentifier) -> None:
        return None

    def value_rules(self, identifier: ObjectIdentifier) -> ValueRules:
        return NO_RULES

    def refuse_view(self, identifier: ObjectIdentifier) -> None:
        """Accept every name."""


def _table_behind_jdbc(options: Mapping[str, Any], schema: ResolvedSchema, comment: str | None) -> CatalogTable:
    try:
        given, variable = jdbc.options_of_jdbc(options.get("options", {}), "the table")
    except TableException as error:
        raise Broken(str(error)) from None
    table = external_tables.ExternalTable(
        external_tables.JDBC, None, given, schema, (), (), comment, password_variable=variable
    )
    return CatalogTable(table.source.schema, comment, table.stored_options, table.source, table)


def function_of(statement: st.CreateFunction, text: str) -> CatalogFunction:
    """Return the function that a statement creates.

    Raises:
        Broken: the declared language does not fit the body, or the statement is not supported.
    """
    options = statement.options
    comment, deterministic = options.get("comment"), options.get("deterministic", True)
    if statement.aggregate and (statement.code is not None or "returns table" in options):
        raise Broken("An AGGREGATE FUNCTION is one of SQL and gives one value: RETURNS a type RETURN an expression.")
    if statement.code is not None:
        if options.get("language") != "PYTHON":
            said = options.get("language", "no language")
            raise Broken(
                f"A function AS 'package.module.name' is one of LANGUAGE PYTHON; the statement says {said}."
                + see(Section.JAVA)
            )
        if not is_import_path(statement.code):
            raise Broken(f"{statement.code!r} is no import path of Python: AS 'package.module.name' names a function.")
        return CatalogFunction(FunctionLanguage.PYTHON, statement.code, comment=comment, is_deterministic=deterministic)
    if options.get("language", "SQL") != "SQL":
        raise Broken(f"A function with RETURN is one of LANGUAGE SQL; the statement says {options['language']}.")
    returns = options.get("returns")
    columns = options.get("returns table")
    if columns:
        fields = [RowField(column.name.text, column.data_type, column.comment) for column in columns]
        returns = RowType(tuple(fields), nullable=False)
    parameters = [
        FunctionParameter(
            parameter.name.text,
            parameter.data_type,
            None if parameter.default is None else _default(text, parameter.default[0]),
            parameter.comment,
        )
        for parameter in statement.parameters or ()
    ]
    return CatalogFunction(
        FunctionLanguage.SQL,
        _verbatim(text, statement.body_position),
        tuple(parameters),
        returns,
        columns is not None,
        comment,
        deterministic,
        _settings(text),
        statement.aggregate,
        statement.aggregate or options.get("inline", False),
    )


def _default(text: str, start: int) -> str:
    """Return the text of a default, which ends with its parameter or before COMMENT."""
    depth = 0
    for token in words(text):
        if token.position < start:
            continue
        ends = token.text in (",", ")") or token.text.upper() == "COMMENT"
        if depth == 0 and ends:
            return text[start : token.position].strip()
        depth += (token.text in "([") - (token.text in ")]")
    raise AssertionError("a parameter ends before its statement")


def _database(statement: st.CreateDatabase, text: str) -> CatalogDatabase:
    return CatalogDatabase(statement.options.get("comment"), statement.options.get("properties", {}))


_MADE: Final[Mapping[type, Any]] = {
    st.CreateView: _view,
    st.CreateTable: _table,
    st.CreateFunction: function_of,
    st.CreateDatabase: _database,
}
