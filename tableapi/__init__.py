"""A fluent Table API, in PyFlink's terms, that becomes SQL, permanent views and rows on Apache Spark."""

from tableapi._packages import require_own_packages

require_own_packages()

# The order matters: whether the packages are ours is asked before any of them is used.
import serializer as _serializer  # noqa: E402, F401  # registers itself with ir
from ir import lowerings as _lowerings  # noqa: E402, F401  # registers the raisings
from ir.errors import (  # noqa: E402
    CatalogException,
    CatalogNotExistException,
    DatabaseNotExistException,
    SqlParserException,
    TableAlreadyExistException,
    TableException,
    TableNotExistException,
    ValidationException,
)
from ir.rendering import Dialect, Layout  # noqa: E402
from ir.schema import Column, ResolvedSchema  # noqa: E402
from tableapi.catalog import Catalog, CatalogTable, CatalogView  # noqa: E402
from tableapi.catalog.in_memory import InMemoryCatalog  # noqa: E402
from tableapi.environment import TableEnvironment  # noqa: E402
from tableapi.environment_settings import EnvironmentSettings, TableConfig  # noqa: E402
from tableapi.explain_detail import ExplainDetail  # noqa: E402
from tableapi.expression import Expression, JsonOnNull, TimeIntervalUnit, TimePointUnit  # noqa: E402
from tableapi.grouped_table import AggregatedTable, GroupedTable, PivotedTable  # noqa: E402
from tableapi.result import CloseableIterator, ResultKind, TableResult  # noqa: E402
from tableapi.schema import Schema  # noqa: E402
from tableapi.statement_set import StatementSet  # noqa: E402
from tableapi.table import Table  # noqa: E402
from tableapi.table_descriptor import FormatDescriptor, TableDescriptor  # noqa: E402
from tableapi.table_pipeline import TablePipeline  # noqa: E402
from tableapi.table_schema import TableSchema  # noqa: E402
from tableapi.types import DataTypes, Row  # noqa: E402
from tableapi.window.group import GroupWindow, Session, Slide, Tumble  # noqa: E402
from tableapi.windowed_table import (  # noqa: E402
    GroupWindowedTable,
    OverWindowedTable,
    WindowGroupedTable,
)

__all__ = [
    "AggregatedTable",
    "Catalog",
    "CatalogException",
    "CatalogNotExistException",
    "CatalogTable",
    "CatalogView",
    "CloseableIterator",
    "Column",
    "DataTypes",
    "DatabaseNotExistException",
    "Dialect",
    "EnvironmentSettings",
    "ExplainDetail",
    "Expression",
    "FormatDescriptor",
    "GroupWindow",
    "GroupWindowedTable",
    "GroupedTable",
    "InMemoryCatalog",
    "JsonOnNull",
    "Layout",
    "OverWindowedTable",
    "PivotedTable",
    "ResolvedSchema",
    "ResultKind",
    "Row",
    "Schema",
    "Session",
    "Slide",
    "SqlParserException",
    "StatementSet",
    "Table",
    "TableAlreadyExistException",
    "TableConfig",
    "TableDescriptor",
    "TableEnvironment",
    "TableException",
    "TableNotExistException",
    "TablePipeline",
    "TableResult",
    "TableSchema",
    "TimeIntervalUnit",
    "TimePointUnit",
    "Tumble",
    "ValidationException",
    "WindowGroupedTable",
]
