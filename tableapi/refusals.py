"""What PyFlink has and this library refuses: by name, with the reason and the way out."""

from __future__ import annotations

import functools
from typing import Any, Final, NoReturn, TypeVar

from ir.errors import TableException
from ir.functions.refused import REFUSED as _FUNCTIONS

_STREAM = "it is for streams, and queries here run over bounded input"
_JAVA = "functions of Java classes are Flink's own"
_MODULE = "there are no modules; all built-in functions are always there"
_MODEL = "there are no machine learning models"
_PLAN = "plans that outlive the program are Flink's own; what outlives it here is a view"
_FILES = "dependencies of functions are those of the Spark session"

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
        "list_materialized_tables": ("there are no materialized tables", "Use list_tables."),
        "list_models": (_MODEL, "There is nothing to list."),
        "list_modules": (_MODULE, "There is nothing to list."),
        "list_temporary_models": (_MODEL, "There is nothing to list."),
        "load_module": (_MODULE, "Use execute_sql for functions that the Spark session has."),
        "load_plan": (_PLAN, _STORE_VIEW),
        "set_python_requirements": (_FILES, _SPARK_FILES),
        "unload_module": (_MODULE, "There is nothing to unload."),
        "use_modules": (_MODULE, "There is nothing to choose."),
    },
    "Table": {
        **{name: _FUNCTIONS[name] for name in ("from_changelog", "to_changelog")},
    },
    "TablePipeline": {"compile_plan": (_PLAN, _STORE_VIEW)},
    "Expression": {
        **{name: refusal for name, refusal in _FUNCTIONS.items() if name.startswith("bitmap_")},
    },
    "expressions": {
        "current_watermark": (_STREAM, "A window over a time knows its end: col('w').end."),
        "source_watermark": (_STREAM, "A watermark of a table has no effect in batch."),
    },
    "StatementSet": {
        "attach_as_datastream": (_STREAM, "Use execute."),
        "compile_plan": (_PLAN, _STORE_VIEW),
    },
    "EnvironmentSettings": {
        "get_configuration": ("there is no Configuration of Flink's", "See TableEnvironment.get_config().to_map()."),
    },
    "TableConfig": {
        "add_configuration": ("there is no Configuration of Flink's", "Use set for each key."),
        "get_configuration": ("there is no Configuration of Flink's", "Use get and to_map."),
        "get_idle_state_retention": (_STREAM, "There is no state that could be idle."),
        "get_max_generated_code_length": ("Spark generates the code", "See spark.sql.codegen.* of the session."),
        "get_python_executable": ("Spark starts the workers", "See spark.pyspark.python of the session."),
        "get_sql_dialect": ("statements are Spark's SQL", "Queries are written with as_serializable_string(dialect)."),
        "set_idle_state_retention": (_STREAM, "There is no state that could be idle."),
        "set_max_generated_code_length": ("Spark generates the code", "See spark.sql.codegen.* of the session."),
        "set_python_executable": ("Spark starts the workers", "See spark.pyspark.python of the session."),
        "set_sql_dialect": ("statements are Spark's SQL", "Queries are written with as_serializable_string(dialect)."),
    },
}
"""Methods of PyFlink's classes that are refused, each with the reason and with what to do instead."""


_Class = TypeVar("_Class", bound=type)


def refuses(cls: _Class) -> _Class:
    """Give a class its refused methods, each of which raises ``TableException`` with whatever it is called."""
    for name, (reason, instead) in REFUSED[cls.__name__].items():
        setattr(cls, name, _refusal(f"{cls.__name__}.{name}", reason, instead))
    return cls


def refused_function(module: str, name: str) -> Any:
    """Return the function of a module that raises ``TableException`` with whatever it is called."""
    reason, instead = REFUSED[module][name]
    return functools.partial(_refusal(name, reason, instead), None)


def _refusal(name: str, reason: str, instead: str) -> Any:
    def refuse(self: Any, *arguments: Any, **named: Any) -> NoReturn:
        raise TableException(f"{name} is not supported: {reason}. {instead}")

    refuse.__name__ = name.rpartition(".")[2]
    refuse.__qualname__ = name
    refuse.__doc__ = f"Not supported: {reason}. {instead}"
    return refuse
