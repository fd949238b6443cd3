"""Write CREATE statements for the objects of catalogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ir import light_attrs as attrs
from ir.literals import literal
from ir.rendering import Dialect, Layout, Quoting
from ir.schema import Column
from ir.types import ArrayType, LogicalType, MapType, RowType
from serializer import notation_of
from serializer.names import name_text
from serializer.quoting import quote_if_needed
from tableapi.catalog.catalog import CatalogTable
from tableapi.catalog.functions import CatalogFunction, FunctionLanguage, FunctionParameter
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from grammar import formatting
    from serializer.commands import tables as written_tables
    from serializer.commands import writing as command_writing
else:
    formatting = lazy(__name__, "grammar.formatting")
    written_tables = lazy(__name__, "serializer.commands.tables")
    command_writing = lazy(__name__, "serializer.commands.writing")

TypeText = Callable[[LogicalType], str]


@attrs.frozen
class ViewDefinition:
    """A view as CREATE VIEW describes it, with everything that Spark stores.

    Attributes:
        text: the query.
        columns: the names of the columns with their comments.
        comment: the comment of the view.
        properties: the properties of the user and of this library.
        schema_mode: the rest of a ``WITH SCHEMA`` clause, if it is not Spark's default.
        renames: whether the column names differ from those of the query.
        collation: the default collation of strings; empty without one.
        owner: the owner that the catalog reports, which CREATE VIEW does not set.
    """

    text: str
    columns: tuple[tuple[str, str | None], ...]
    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)
    schema_mode: str | None = None
    renames: bool = False
    collation: str = ""
    owner: str = ""

    @property
    def comments(self) -> dict[str, str]:
        """The comments of the columns that have one, by name."""
        return {name: comment for name, comment in self.columns if comment is not None}


def string(text: str) -> str:
    """Return a string literal that no session's variable substitution changes."""
    return literal(text).as_serializable_string(Dialect.SPARK)


def _name(name: str) -> str:
    """Return an identifier that no session's variable substitution changes."""
    return name_text(name, notation_of(Dialect.SPARK))


def view_path(*parts: str) -> str:
    """Return the name of a view for ``create_view``, with the quotes that are needed, as in the text of its query."""
    return ".".join(map(quote_if_needed, parts))


def property_list(properties: Mapping[str, str]) -> str:
    """Return keys and values in parentheses, sorted, one per line."""
    return "(\n" + ",\n".join(f"  {string(key)} = {string(properties[key])}" for key in sorted(properties)) + ")"


# --- views -----------------------------------------------------------------------------------------------------------


def create_view(target: str, view: ViewDefinition, *, or_replace: bool = False) -> str:
    """Return the CREATE VIEW statement of a definition; it lists the columns only for new names or comments."""
    lists_columns = bool(view.comments) or view.renames
    lines = [f"CREATE {'OR REPLACE ' if or_replace else ''}VIEW {target}" + (" (" if lists_columns else "")]
    if lists_columns:
        notation = notation_of(Dialect.SPARK, quoting=Quoting.NEEDED)
        columns = [f"  {name_text(name, notation)}{_comment(comment)}" for name, comment in view.columns]
        lines.append(",\n".join(columns) + ")")
    if view.comment is not None:
        lines.append(f"COMMENT {string(view.comment)}")
    if view.collation:
        lines.append(f"DEFAULT COLLATION {view.collation}")
    if view.properties:
        lines.append(f"TBLPROPERTIES {property_list(view.properties)}")
    if view.schema_mode is not None:
        lines.append(f"WITH SCHEMA {view.schema_mode}")
    return "\n".join([*lines, "AS", view.text])


# --- tables ----------------------------------------------------------------------------------------------------------


def create_table(target: str, table: CatalogTable) -> str:
    """Return the CREATE TABLE statement of a table of files, or of a table that is only declared.

    Its layout is that of ``tableapi fmt``, which leaves the files of a catalog as they are.
    """
    files = table.files
    schema = table.schema if files is None or files.schema is None else files.schema
    if files is None and table.definition is not None:
        writing = command_writing.CommandWriting(notation_of(Dialect.SPARK), Layout.MERGED)
        elements = [written_tables.column_text(column, writing) for column in table.definition.columns]
        elements += [written_tables.constraint_text(constraint, writing) for constraint in table.definition.constraints]
    else:
        elements = [_column(column) for column in schema.columns]
    lines = [f"CREATE TABLE {target} (", ",\n".join(f"  {element}" for element in elements) + ")"]
    if files is not None:
        lines.append(f"USING {files.format}")
        if files.stored_options:
            lines.append(f"OPTIONS {property_list(files.stored_options)}")
    if table.partition_keys:
        lines.append(f"PARTITIONED BY ({', '.join(map(_name, table.partition_keys))})")
    if files is not None and files.path is not None:
        lines.append(f"LOCATION {string(files.path)}")
    if table.comment is not None:
        lines.append(f"COMMENT {string(table.comment)}")
    if files is None and table.options:
        lines.append(f"TBLPROPERTIES {property_list(table.options)}")
    return formatting.format_text("\n".join(lines), Dialect.SPARK, formatting.DEFAULT_WIDTH).text


# --- functions -------------------------------------------------------------------------------------------------------


def create_function(
    target: str, function: CatalogFunction, *, or_replace: bool = False, type_text: TypeText | None = None
) -> str:
    """Return the CREATE FUNCTION statement; ``type_text`` writes types, by default with nullability and comments."""
    types = type_text or full_type
    kind = "AGGREGATE FUNCTION" if function.is_aggregate else "FUNCTION"
    verb = f"CREATE {'OR REPLACE ' if or_replace else ''}{kind} {target}"
    if function.language is FunctionLanguage.PYTHON:
        lines = [verb, *_characteristics(function), f"AS {string(function.body)}", "LANGUAGE PYTHON"]
        return "\n".join(lines)
    parameters = ",\n".join(f"  {_parameter(parameter, types)}" for parameter in function.parameters)
    lines = [f"{verb}(\n{parameters})" if parameters else f"{verb}()", *_returns(function, types)]
    return "\n".join([*lines, *_characteristics(function), "RETURN", function.body])


def _returns(function: CatalogFunction, type_text: TypeText) -> list[str]:
    if not function.is_table:
        return [] if function.returns is None else [f"RETURNS {type_text(function.returns)}"]
    if not isinstance(function.returns, RowType):
        return ["RETURNS TABLE"]
    columns = [f"  {_name(f.name)} {type_text(f.data_type)}{_comment(f.description)}" for f in function.returns.fields]
    return ["RETURNS TABLE(\n" + ",\n".join(columns) + ")"]


def _characteristics(function: CatalogFunction) -> list[str]:
    lines = [] if function.comment is None else [f"COMMENT {string(function.comment)}"]
    lines += [] if function.is_deterministic else ["NOT DETERMINISTIC"]
    # A SQL aggregate is always inlined.
    return [*lines, "INLINE"] if function.is_inline and not function.is_aggregate else lines


def _parameter(parameter: FunctionParameter, type_text: TypeText) -> str:
    written = f"{_name(parameter.name)} {type_text(parameter.data_type)}{_comment(parameter.comment)}"
    return written if parameter.default is None else f"{written} DEFAULT {parameter.default}"


# --- their parts -----------------------------------------------------------------------------------------------------


def _column(column: Column) -> str:
    return f"{_name(column.name)} {full_type(column.data_type)}{_comment(column.comment)}"


def _comment(comment: str | None) -> str:
    return "" if comment is None else f" COMMENT {string(comment)}"


def full_type(data_type: LogicalType) -> str:
    """Return the complete text of a type, with nullability at every depth and comments of fields.

    >>> from ir.types import INT, RowField, STRING
    >>> full_type(ArrayType(RowType((RowField("a b", INT, "it's"), RowField("c", STRING.not_null())), nullable=False)))
    "ARRAY<STRUCT<`a b`: INT COMMENT 'it\\\\'s', `c`: STRING NOT NULL> NOT NULL>"
    """
    match data_type:
        case ArrayType():
            written = f"ARRAY<{full_type(data_type.element)}>"
        case MapType():
            written = f"MAP<{full_type(data_type.key)}, {full_type(data_type.value)}>"
        case RowType():
            fields = [f"{_name(f.name)}: {full_type(f.data_type)}{_comment(f.description)}" for f in data_type.fields]
            written = f"STRUCT<{', '.join(fields)}>"
        case _:
            written = data_type.as_serializable_string(Dialect.SPARK)
    return written if data_type.nullable else f"{written} NOT NULL"
