"""Features of PyFlink that are not supported, each with the reason and an alternative."""

from __future__ import annotations

import functools

from ir.errors import TableException
from ir.functions.unsupported import REFUSED as _FUNCTIONS
from ir.functions.unsupported import SECTIONS as _SECTIONS_OF_FUNCTIONS
from ir.functions.unsupported import STREAM as _STREAM
from ir.light_typing import Any, Final, NoReturn, TypeVar
from ir.migration_page import Section, see

_JAVA = "functions of Java classes are Flink's own"
_MODULE = "there are no modules; all built-in functions are always there"
_MODEL = "there are no machine learning models"
_PLAN = "plans that outlive the program are Flink's own; what outlives it here is a view"
_FILES = "dependencies of functions are those of the Spark session"
_NO_CONFIGURATION = "there is no Configuration of Flink's"
_CODE = "Spark generates the code"
_WORKERS = "Spark starts the workers"
_DIALECT = "statements are Spark's SQL"
_MATERIALIZED = "there are no materialized tables"
_DATASTREAM = "the DataStream API is Flink's own"
_HIVE = "it is made by Flink's own code in Java"
_CATALOG_OBJECT = "it describes a table to a catalog of Flink's"
_SINK = "sources and sinks are tables"
_SAVEPOINT = "Spark continues a stream from its checkpoint alone"
_ACCUMULATORS = "functions of Spark's tasks count nothing for the driver"
_TYPE = "values of types of one's own have no SQL"
_SECTIONS = {
    **_SECTIONS_OF_FUNCTIONS,
    **dict.fromkeys((_DATASTREAM, _SAVEPOINT, _ACCUMULATORS), Section.STREAMS),
    **dict.fromkeys((_JAVA, _HIVE), Section.JAVA),
    **dict.fromkeys((_MODULE, _MODEL), Section.MODULES),
    **dict.fromkeys((_PLAN,), Section.PLANS),
    **dict.fromkeys((_FILES, _NO_CONFIGURATION, _CODE, _WORKERS, _DIALECT), Section.CONFIGURATION),
    **dict.fromkeys((_SINK,), Section.CONNECTORS),
    **dict.fromkeys((_CATALOG_OBJECT, _MATERIALIZED), Section.CATALOGS),
    **dict.fromkeys((_TYPE,), Section.FUNCTIONS),
}

_BATCH = "Use TableEnvironment.create(EnvironmentSettings.in_batch_mode())."
_CREATE_FUNCTION = "Write the function in Python, or use a function that the Spark session has."
_STORE_VIEW = "Store the query with create_view, or keep as_serializable_string()."
_SPARK_FILES = (
    "Use the session's own: TableEnvironment.spark.addArtifacts(…), or spark.submit.pyFiles and spark.archives."
)

REFUSED: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "TableEnvironment": {
        "add_python_archive": (_FILES, _SPARK_FILES),
        "add_python_file": (_FILES, _SPARK_FILES),
        "compile_plan_sql": (_PLAN, _STORE_VIEW),
        "create_java_function": (_JAVA, _CREATE_FUNCTION),
        "create_java_temporary_function": (_JAVA, _CREATE_FUNCTION),
        "create_java_temporary_system_function": (_JAVA, _CREATE_FUNCTION),
        "create_model": (_MODEL, "Call the model in a function of your own."),
        "create_temporary_model": (_MODEL, "Call the model in a function of your own."),
        "drop_model": (_MODEL, "There is nothing to drop."),
        "drop_temporary_model": (_MODEL, "There is nothing to drop."),
        "execute_plan": (_PLAN, _STORE_VIEW),
        "list_full_modules": (_MODULE, "There is nothing to list."),
        "list_materialized_tables": (_MATERIALIZED, "Use list_tables."),
        "list_models": (_MODEL, "There is nothing to list."),
        "list_modules": (_MODULE, "There is nothing to list."),
        "list_temporary_models": (_MODEL, "There is nothing to list."),
        "load_module": (_MODULE, "Use execute_sql for functions that the Spark session has."),
        "load_plan": (_PLAN, _STORE_VIEW),
        "set_python_requirements": (_FILES, _SPARK_FILES),
        "unload_module": (_MODULE, "There is nothing to unload."),
        "use_modules": (_MODULE, "There is nothing to choose."),
    },
    "tableapi": {
        "BatchTableEnvironment": (_DATASTREAM, _BATCH),
        "CatalogBaseTable": (_CATALOG_OBJECT, "Use TableEnvironment.create_table with a TableDescriptor."),
        "CompiledPlan": (_PLAN, _STORE_VIEW),
        "Configuration": (_NO_CONFIGURATION, "Use TableEnvironment.get_config().set(key, value)."),
        "CsvTableSink": (_SINK, "Use TableDescriptor.for_connector('filesystem')."),
        "CsvTableSource": (_SINK, "Use TableDescriptor.for_connector('filesystem')."),
        "HiveCatalog": (_HIVE, "The tables of the session's metastore are in spark_catalog."),
        "HiveModule": (_MODULE, "Functions of Hive are those of the Spark session."),
        "JdbcCatalog": (_HIVE, "Configure a JDBC catalog in the Spark session: spark.sql.catalog.NAME."),
        "ModelDescriptor": (_MODEL, "Call the model in a function of your own."),
        "Module": (_MODULE, "There is nothing to load."),
        "ModuleEntry": (_MODULE, "There is nothing to load."),
        "PlanReference": (_PLAN, _STORE_VIEW),
        "SqlDialect": (_DIALECT, "Queries are written with as_serializable_string(dialect)."),
        "StreamExecutionEnvironment": (_DATASTREAM, _BATCH),
        "StreamTableEnvironment": (_DATASTREAM, _BATCH),
        "TableSink": (_SINK, "Use TableDescriptor.for_connector('filesystem')."),
        "TableSource": (_SINK, "Use TableDescriptor.for_connector('filesystem')."),
        "UserDefinedType": (_TYPE, "Use a ROW."),
        "WatermarkStrategy": (_STREAM, "State the delay of a watermark: table.watermark(col('ts'), lit(10).seconds)."),
        "WriteMode": (_SINK, "Use execute_insert(path, overwrite=True)."),
    },
    "JobClient": {
        "get_accumulators": (_ACCUMULATORS, "Use progress() of the result."),
        "stop_with_savepoint": (_SAVEPOINT, "Stop with cancel(), and copy the checkpoint directory."),
        "trigger_savepoint": (_SAVEPOINT, "Copy the checkpoint directory of a stopped query."),
    },
    "TablePipeline": {"compile_plan": (_PLAN, _STORE_VIEW)},
    "Expression": {
        **{name: refusal for name, refusal in _FUNCTIONS.items() if name.startswith("bitmap_")},
    },
    "expressions": {
        "current_watermark": (_STREAM, "A window over a time knows its end: col('w').end."),
        "source_watermark": (_STREAM, "State the delay of the watermark: col('ts') - lit(10).seconds."),
    },
    "StatementSet": {
        "attach_as_datastream": (_STREAM, "Use execute."),
        "compile_plan": (_PLAN, _STORE_VIEW),
    },
    "EnvironmentSettings": {
        "get_configuration": (_NO_CONFIGURATION, "See TableEnvironment.get_config().to_map()."),
    },
    "TableConfig": {
        "add_configuration": (_NO_CONFIGURATION, "Use set for each key."),
        "get_configuration": (_NO_CONFIGURATION, "Use get and to_map."),
        "get_idle_state_retention": (_STREAM, "Spark drops the state of a stream by its watermark."),
        "get_max_generated_code_length": (_CODE, "See spark.sql.codegen.* of the session."),
        "get_python_executable": (_WORKERS, "See spark.pyspark.python of the session."),
        "get_sql_dialect": (_DIALECT, "Queries are written with as_serializable_string(dialect)."),
        "set_idle_state_retention": (_STREAM, "Spark drops the state of a stream by its watermark."),
        "set_max_generated_code_length": (_CODE, "See spark.sql.codegen.* of the session."),
        "set_python_executable": (_WORKERS, "See spark.pyspark.python of the session."),
        "set_sql_dialect": (_DIALECT, "Queries are written with as_serializable_string(dialect)."),
    },
}
"""Unsupported methods, functions and classes of PyFlink by their owner, each with the reason and an alternative."""


_Class = TypeVar("_Class", bound=type)


def add_refusals(cls: _Class) -> _Class:
    """Add the unsupported methods to a class; each raises ``TableException`` for any arguments."""
    for name, (reason, instead) in REFUSED[cls.__name__].items():
        setattr(cls, name, _refusal(f"{cls.__name__}.{name}", reason, instead))
    return cls


def make_refused_function(module: str, name: str) -> Any:
    """Return an unsupported function of a module, which raises ``TableException`` for any arguments."""
    reason, instead = REFUSED[module][name]
    return functools.partial(_refusal(name, reason, instead), None)


class _RefusedClass(type):
    """The metaclass of unsupported PyFlink classes, whose calls and attributes raise ``TableException``."""

    _refusal: tuple[str, str]

    def __call__(cls, *arguments: Any, **named: Any) -> NoReturn:
        __tracebackhide__ = True
        raise _make_error(cls.__name__, *cls._refusal)

    def __getattr__(cls, name: str) -> NoReturn:
        # Tools that display or copy objects look up special attributes.
        if name.startswith("_"):
            raise AttributeError(name)
        __tracebackhide__ = True
        raise _make_error(cls.__name__, *cls._refusal)


def make_refused_class(name: str) -> Any:
    """Return an unsupported PyFlink class, which can be imported and raises ``TableException`` when it is used.

    >>> make_refused_class("ModuleEntry").__doc__
    'Not supported: there are no modules; all built-in functions are always there. There is nothing to load.'
    """
    reason, instead = REFUSED["tableapi"][name]
    return _RefusedClass(name, (), {"_refusal": (reason, instead), "__doc__": f"Not supported: {reason}. {instead}"})


def _refusal(name: str, reason: str, instead: str) -> Any:
    def refuse(self: Any, *arguments: Any, **named: Any) -> NoReturn:
        raise _make_error(name, reason, instead)

    refuse.__name__ = name.rpartition(".")[2]
    refuse.__qualname__ = name
    refuse.__doc__ = f"Not supported: {reason}. {instead}"
    return refuse


def _make_error(name: str, reason: str, instead: str) -> TableException:
    return TableException(f"{name} is not supported: {reason}. {instead}{see(_SECTIONS[reason])}")
