"""A fluent Table API in PyFlink's terms that compiles to SQL, permanent views and rows on Apache Spark."""

from tableapi._version import __version__
from tableapi.lazy import lazy
from tableapi.packages import require_own_packages

require_own_packages()

# The order matters: the packages are verified before the first import from them.
import grammar as _grammar  # noqa: F401  # registers itself with ir
import serializer as _serializer  # noqa: F401  # registers itself with ir
from ir.light_typing import TYPE_CHECKING
from ir.rendering import Dialect, Layout, Quoting
from tableapi.exceptions import (
    CatalogException,
    CatalogNotExistException,
    DatabaseAlreadyExistException,
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    SqlParserException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)

# Imported eagerly: on lazy loading, the module ``tableapi.udf`` would shadow its decorator.
from tableapi.udf import (
    AggregateFunction,
    AsyncScalarFunction,
    FunctionContext,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
    UserDefinedFunction,
    udaf,
    udf,
    udtaf,
    udtf,
)
from tableapi.unknown_members import names_on_request

if TYPE_CHECKING:
    from ir.far_dates import FarDate, FarTimestamp
    from ir.fine_times import FineTime
    from ir.schema import Column, ResolvedSchema
    from tableapi import catalog as catalog
    from tableapi import environment_settings as environment_settings
    from tableapi import exceptions as exceptions
    from tableapi import expression as expression
    from tableapi import expressions as expressions
    from tableapi import inference as inference
    from tableapi import process_functions as process_functions
    from tableapi import result as result
    from tableapi import schema as schema
    from tableapi import statement_set as statement_set
    from tableapi import table as table
    from tableapi import table_descriptor as table_descriptor
    from tableapi import table_schema as table_schema
    from tableapi import types as types
    from tableapi import window as window
    from tableapi.advice import refusals as _refusals
    from tableapi.catalog import Catalog, CatalogDatabase, CatalogTable, CatalogView
    from tableapi.catalog.descriptor import CatalogDescriptor
    from tableapi.catalog.directory import DirectoryCatalog
    from tableapi.catalog.in_memory import InMemoryCatalog
    from tableapi.catalog.object_path import ObjectPath
    from tableapi.data.shapes import Geography, Geometry
    from tableapi.environment.table_environment import TableEnvironment
    from tableapi.environment_settings import EnvironmentSettings, TableConfig
    from tableapi.explain_detail import ExplainDetail
    from tableapi.expression import Expression
    from tableapi.job_client import JobClient, JobExecutionResult, JobStatus
    from tableapi.members.symbols import (
        JsonExistsOnError,
        JsonOnNull,
        JsonQueryOnEmptyOrError,
        JsonQueryWrapper,
        JsonType,
        JsonValueOnEmptyOrError,
        TimeIntervalUnit,
        TimePointUnit,
    )
    from tableapi.notebook import extension as _extension
    from tableapi.process_functions import ListView, MapView, ProcessTableFunction
    from tableapi.project.declarations import (
        ViewDeclaration,
        materialized_view,
        sink,
        streaming_table,
        temporary_view,
        view,
    )
    from tableapi.project.pipelines.project import PipelineProject
    from tableapi.query_diff.diff import QueryDiff, diff
    from tableapi.result import CloseableIterator, ResultKind, TableResult
    from tableapi.schema import Schema
    from tableapi.sql_format import format_sql
    from tableapi.statement_set import StatementSet
    from tableapi.statements.script import ScriptResults
    from tableapi.steps.grouped_table import AggregatedTable, FlatAggregateTable, GroupedTable, PivotedTable
    from tableapi.steps.partitioned_table import PartitionedTable
    from tableapi.steps.windowed_table import GroupWindowedTable, OverWindowedTable, WindowGroupedTable
    from tableapi.stream_options import StreamOptions
    from tableapi.stream_progress import CallProgress, OperatorProgress, SourceProgress, StreamProgress
    from tableapi.table import Table
    from tableapi.table_alteration import TableAlteration
    from tableapi.table_descriptor import FormatDescriptor, TableDescriptor
    from tableapi.table_pipeline import TablePipeline
    from tableapi.table_schema import TableSchema
    from tableapi.table_statement import TableStatement
    from tableapi.types import DataTypes, Row, RowKind
    from tableapi.window.group import Cumulate, GroupWindow, Session, Slide, Tumble
else:
    _refusals = lazy(__name__, "tableapi.advice.refusals")
    _extension = lazy(__name__, "tableapi.notebook.extension")

# Lazily loaded modules and their public names. A command that formats SQL, or a module that only contains user-defined
# functions, does not load the environment and the resolution of queries.
_MODULES = {
    "ir.far_dates": ("FarDate", "FarTimestamp"),
    "ir.fine_times": ("FineTime",),
    "ir.schema": ("Column", "ResolvedSchema"),
    "tableapi.catalog": ("Catalog", "CatalogDatabase", "CatalogTable", "CatalogView"),
    "tableapi.catalog.descriptor": ("CatalogDescriptor",),
    "tableapi.catalog.directory": ("DirectoryCatalog",),
    "tableapi.catalog.in_memory": ("InMemoryCatalog",),
    "tableapi.catalog.object_path": ("ObjectPath",),
    "tableapi.environment.table_environment": ("TableEnvironment",),
    "tableapi.environment_settings": ("EnvironmentSettings", "TableConfig"),
    "tableapi.explain_detail": ("ExplainDetail",),
    "tableapi.expression": ("Expression",),
    "tableapi.job_client": ("JobClient", "JobExecutionResult", "JobStatus"),
    "tableapi.steps.grouped_table": ("AggregatedTable", "FlatAggregateTable", "GroupedTable", "PivotedTable"),
    "tableapi.steps.partitioned_table": ("PartitionedTable",),
    "tableapi.process_functions": ("ListView", "MapView", "ProcessTableFunction"),
    "tableapi.project.declarations": (
        "ViewDeclaration",
        "materialized_view",
        "sink",
        "streaming_table",
        "temporary_view",
        "view",
    ),
    "tableapi.project.pipelines.project": ("PipelineProject",),
    "tableapi.query_diff.diff": ("QueryDiff", "diff"),
    "tableapi.result": ("CloseableIterator", "ResultKind", "TableResult"),
    "tableapi.schema": ("Schema",),
    "tableapi.data.shapes": ("Geography", "Geometry"),
    "tableapi.sql_format": ("format_sql",),
    "tableapi.statements.script": ("ScriptResults",),
    "tableapi.stream_options": ("StreamOptions",),
    "tableapi.stream_progress": ("CallProgress", "OperatorProgress", "SourceProgress", "StreamProgress"),
    "tableapi.statement_set": ("StatementSet",),
    "tableapi.members.symbols": (
        "JsonExistsOnError",
        "JsonOnNull",
        "JsonQueryOnEmptyOrError",
        "JsonQueryWrapper",
        "JsonType",
        "JsonValueOnEmptyOrError",
        "TimeIntervalUnit",
        "TimePointUnit",
    ),
    "tableapi.table": ("Table",),
    "tableapi.table_descriptor": ("FormatDescriptor", "TableDescriptor"),
    "tableapi.table_pipeline": ("TablePipeline",),
    "tableapi.table_schema": ("TableSchema",),
    "tableapi.table_statement": ("TableStatement",),
    "tableapi.table_alteration": ("TableAlteration",),
    "tableapi.types": ("DataTypes", "Row", "RowKind"),
    "tableapi.window.group": ("Cumulate", "GroupWindow", "Session", "Slide", "Tumble"),
    "tableapi.steps.windowed_table": ("GroupWindowedTable", "OverWindowedTable", "WindowGroupedTable"),
}
_ON_REQUEST = {name: module for module, names in _MODULES.items() for name in names}

# With these, ``import tableapi`` is enough for ``tableapi.expressions.col``.
_PUBLIC_MODULES = (
    "catalog",
    "environment_settings",
    "exceptions",
    "expression",
    "expressions",
    "inference",
    "process_functions",
    "result",
    "schema",
    "statement_set",
    "table",
    "table_descriptor",
    "table_schema",
    "types",
    "window",
)


def _load_refused(name: str) -> object:
    """Return a class that only PyFlink has as a class that raises on use; None for any other name."""
    return _refusals.make_refused_class(name) if name in _refusals.REFUSED["tableapi"] else None


def load_ipython_extension(shell: object) -> None:
    """Load the extension for IPython and notebooks; ``%load_ext tableapi`` calls it."""
    _extension.load(shell)


def unload_ipython_extension(shell: object) -> None:
    """Unload the extension; ``%unload_ext tableapi`` calls it."""
    _extension.unload(shell)


if not TYPE_CHECKING:
    # Hidden from type checkers, which know the names from the imports above and would otherwise accept any name.
    __getattr__, __dir__ = names_on_request(__name__, _ON_REQUEST, _PUBLIC_MODULES, _load_refused)

__all__ = [
    "AggregateFunction",
    "AggregatedTable",
    "AsyncScalarFunction",
    "CallProgress",
    "Catalog",
    "CatalogDatabase",
    "CatalogDescriptor",
    "CatalogException",
    "CatalogNotExistException",
    "CatalogTable",
    "CatalogView",
    "CloseableIterator",
    "Column",
    "Cumulate",
    "DataTypes",
    "DatabaseAlreadyExistException",
    "DatabaseNotExistException",
    "Dialect",
    "DirectoryCatalog",
    "EnvironmentSettings",
    "ExplainDetail",
    "Expression",
    "FarDate",
    "FarTimestamp",
    "FineTime",
    "FlatAggregateTable",
    "FormatDescriptor",
    "FunctionAlreadyExistException",
    "FunctionContext",
    "FunctionNotExistException",
    "Geography",
    "Geometry",
    "GroupWindow",
    "GroupWindowedTable",
    "GroupedTable",
    "InMemoryCatalog",
    "JobClient",
    "JobExecutionResult",
    "JobStatus",
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "Layout",
    "ListView",
    "MapView",
    "ObjectPath",
    "OperatorProgress",
    "OverWindowedTable",
    "PartitionedTable",
    "PipelineProject",
    "PivotedTable",
    "ProcessTableFunction",
    "QueryDiff",
    "Quoting",
    "ResolvedSchema",
    "ResultKind",
    "Row",
    "RowKind",
    "ScalarFunction",
    "Schema",
    "ScriptResults",
    "Session",
    "Slide",
    "SourceProgress",
    "SqlParserException",
    "StatementSet",
    "StreamOptions",
    "StreamProgress",
    "Table",
    "TableAggregateFunction",
    "TableAlreadyExistException",
    "TableAlteration",
    "TableConfig",
    "TableDescriptor",
    "TableEnvironment",
    "TableException",
    "TableFunction",
    "TableNotExistException",
    "TablePipeline",
    "TableResult",
    "TableSchema",
    "TableStatement",
    "TimeIntervalUnit",
    "TimePointUnit",
    "Tumble",
    "UserDefinedFunction",
    "ValidationException",
    "ViewDeclaration",
    "WindowGroupedTable",
    "__version__",
    "diff",
    "format_sql",
    "materialized_view",
    "sink",
    "streaming_table",
    "temporary_view",
    "udaf",
    "udf",
    "udtaf",
    "udtf",
    "view",
]
