"""A fluent Table API, in PyFlink's terms, that becomes SQL, permanent views and rows on Apache Spark."""

from typing import TYPE_CHECKING

from tableapi._on_request import on_request
from tableapi._packages import require_own_packages

require_own_packages()

# The order matters: whether the packages are ours is asked before any of them is used.
import grammar as _grammar  # noqa: F401  # registers itself with ir
import serializer as _serializer  # noqa: F401  # registers itself with ir
from ir.errors import (
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
from ir.fine_times import FineTime
from ir.rendering import Dialect, Layout
from ir.schema import Column, ResolvedSchema
from tableapi.catalog import Catalog, CatalogTable, CatalogView
from tableapi.catalog.descriptor import CatalogDescriptor
from tableapi.catalog.in_memory import InMemoryCatalog
from tableapi.environment import TableEnvironment
from tableapi.environment_settings import EnvironmentSettings, TableConfig
from tableapi.explain_detail import ExplainDetail
from tableapi.expression import (
    Expression,
    JsonExistsOnError,
    JsonOnNull,
    JsonQueryOnEmptyOrError,
    JsonQueryWrapper,
    JsonType,
    JsonValueOnEmptyOrError,
    TimeIntervalUnit,
    TimePointUnit,
)
from tableapi.grouped_table import AggregatedTable, FlatAggregateTable, GroupedTable, PivotedTable
from tableapi.partitioned_table import PartitionedTable
from tableapi.result import CloseableIterator, ResultKind, TableResult
from tableapi.table import Table
from tableapi.table_pipeline import TablePipeline
from tableapi.table_schema import TableSchema
from tableapi.types import DataTypes, Row
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
from tableapi.windowed_table import (
    GroupWindowedTable,
    OverWindowedTable,
    WindowGroupedTable,
)

if TYPE_CHECKING:
    from tableapi.catalog.directory import DirectoryCatalog
    from tableapi.process_functions import ProcessTableFunction
    from tableapi.query_diff import QueryDiff, diff
    from tableapi.schema import Schema
    from tableapi.sql_format import format_sql
    from tableapi.statement_set import StatementSet
    from tableapi.table_descriptor import FormatDescriptor, TableDescriptor
    from tableapi.window.group import Cumulate, GroupWindow, Session, Slide, Tumble

# What most programs do without, and is loaded when asked for: the name, and the module that has it.
_ON_REQUEST = {
    "DirectoryCatalog": "tableapi.catalog.directory",
    "FormatDescriptor": "tableapi.table_descriptor",
    "ProcessTableFunction": "tableapi.process_functions",
    "QueryDiff": "tableapi.query_diff",
    "Schema": "tableapi.schema",
    "StatementSet": "tableapi.statement_set",
    "TableDescriptor": "tableapi.table_descriptor",
    "diff": "tableapi.query_diff",
    "format_sql": "tableapi.sql_format",
    **dict.fromkeys(("Cumulate", "GroupWindow", "Session", "Slide", "Tumble"), "tableapi.window.group"),
}

__getattr__, __dir__ = on_request(__name__, _ON_REQUEST)

__all__ = [
    "AggregateFunction",
    "AggregatedTable",
    "AsyncScalarFunction",
    "Catalog",
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
    "FineTime",
    "FlatAggregateTable",
    "FormatDescriptor",
    "FunctionAlreadyExistException",
    "FunctionContext",
    "FunctionNotExistException",
    "GroupWindow",
    "GroupWindowedTable",
    "GroupedTable",
    "InMemoryCatalog",
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
    "Layout",
    "OverWindowedTable",
    "PartitionedTable",
    "PivotedTable",
    "ProcessTableFunction",
    "QueryDiff",
    "ResolvedSchema",
    "ResultKind",
    "Row",
    "ScalarFunction",
    "Schema",
    "Session",
    "Slide",
    "SqlParserException",
    "StatementSet",
    "Table",
    "TableAggregateFunction",
    "TableAlreadyExistException",
    "TableConfig",
    "TableDescriptor",
    "TableEnvironment",
    "TableException",
    "TableFunction",
    "TableNotExistException",
    "TablePipeline",
    "TableResult",
    "TableSchema",
    "TimeIntervalUnit",
    "TimePointUnit",
    "Tumble",
    "UserDefinedFunction",
    "ValidationException",
    "WindowGroupedTable",
    "diff",
    "format_sql",
    "udaf",
    "udf",
    "udtaf",
    "udtf",
]
