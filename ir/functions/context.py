"""Functions of the session, of the type of a value, and assertions.

Source: https://spark.apache.org/docs/latest/api/sql/#misc-functions
"""

from __future__ import annotations

from ir import types as t
from ir.contents import CHANGES
from ir.dialects.syntax import FUNCTION, CallSyntax, OwnSyntax, special
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_function, as_property, scalar
from ir.functions.definition import FluentForm, FunctionDefinition, Shown
from ir.inference.arguments import ANY, STRING, Family, Where, uncollated
from ir.inference.inputs import Positional, positional
from ir.inference.results import maybe_null, never_null
from ir.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ir.functions.entries import FamilyFacts

# --- the session ------------------------------------------------------------------------------------------------------


def _define_session_function(
    name: str,
    sql: str,
    doc: str,
    example: tuple[str, str],
    *,
    fluent: tuple[FluentForm, ...] = (),
    syntax: CallSyntax = FUNCTION,
    **facts: Unpack[FamilyFacts],
) -> FunctionDefinition:
    if "in_flink" not in facts:
        facts["in_flink"] = False
    return scalar(
        name,
        positional(),
        never_null(t.STRING),
        sql=sql,
        syntax=syntax,
        fluent=fluent or as_function(name),
        doc=doc,
        example=example,
        **facts,
    )


CURRENT_DATABASE = _define_session_function(
    "currentDatabase",
    "CURRENT_DATABASE",
    "The name of the current database of the session that runs the query.",
    ("CURRENT_DATABASE() IS NOT NULL", "TRUE"),
    also=("CURRENT_SCHEMA",),
    fluent=as_function("current_database"),
    in_flink=True,
    shown=Shown(names={"current_database": "current_schema"}),
)
CURRENT_CATALOG = _define_session_function(
    "current_catalog",
    "CURRENT_CATALOG",
    "The name of the current catalog of the session that runs the query.",
    ("CURRENT_CATALOG()", "'spark_catalog'"),
)
CURRENT_USER = _define_session_function(
    "current_user",
    "CURRENT_USER",
    "The name of the user who runs the query.",
    ("CURRENT_USER() IS NOT NULL", "TRUE"),
    also=("USER", "SESSION_USER"),
    syntax=special(OwnSyntax.BARE_NAME),
    bare_names=("current_user", "session_user", "user"),
)
CURRENT_PATH = _define_session_function(
    "current_path",
    "CURRENT_PATH",
    "The schemas that the session searches for functions and tables, in order.",
    ("CURRENT_PATH() IS NOT NULL", "TRUE"),
    bare_names=("current_path",),
    before_columns=True,
)
VERSION = _define_session_function(
    "version",
    "VERSION",
    "The version of Spark that runs the query, and the revision that it was built from.",
    ("VERSION() LIKE '4.%'", "TRUE"),
)

# --- types ------------------------------------------------------------------------------------------------------------

TYPE_OF = scalar(
    "TYPEOF",
    positional(ANY, names="value"),
    never_null(t.STRING),
    sql="TYPEOF",
    fluent=as_property("type_of"),
    in_flink=False,
    difference="Flink's TYPEOF names Flink's types and says NOT NULL; Spark's names Spark's types.",
    doc="The name of the Spark type of value, in lower case.",
    example=("TYPEOF(1)", "'int'"),
)

# --- errors -----------------------------------------------------------------------------------------------------------

ASSERT_TRUE = scalar(
    "assert_true",
    positional(Family("BOOLEAN", (t.BooleanType, t.NullType)), STRING, optional=1, names="condition message"),
    maybe_null(t.NULL),
    sql="ASSERT_TRUE",
    in_flink=False,
    doc="NULL if condition is TRUE; otherwise an error with message.",
    example=("ASSERT_TRUE(1 < 2)", "NULL"),
    can_fail=True,
)
RAISE_ERROR = scalar(
    "raise_error",
    positional(STRING, names="message"),
    maybe_null(t.NULL),
    sql="RAISE_ERROR",
    in_flink=False,
    doc="An error with message instead of a result.",
    example=("CASE WHEN 1 < 2 THEN NULL ELSE RAISE_ERROR('no') END", "NULL"),
    can_fail=True,
    holds=CHANGES,
)

# --- Java -------------------------------------------------------------------------------------------------------------


def _is_qualified(given: ResolvedExpression) -> bool:
    return isinstance(given, ValueLiteral) and isinstance(given.value, str) and "." in given.value


def _is_name(given: ResolvedExpression) -> bool:
    return isinstance(given, ValueLiteral) and isinstance(given.value, str)


_ARGUMENT = uncollated(
    Family(
        "BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE or STRING",
        (t.BooleanType, t.IntegralType, t.FractionalType, t.CharacterType),
    )
)
_METHOD = Positional(
    (Where(ANY, _is_qualified, "literal with the full name of a class"), Where(ANY, _is_name, "STRING literal")),
    0,
    _ARGUMENT,
    ("class", "method"),
)


def _reflection(name: str, doc: str, example: tuple[str, str], also: tuple[str, ...] = ()) -> FunctionDefinition:
    return scalar(
        name,
        _METHOD,
        maybe_null(t.STRING),
        sql=name.upper(),
        also=also,
        is_deterministic=False,
        in_flink=False,
        doc=doc,
        example=example,
        runs_code=True,
    )


REFLECT = _reflection(
    "reflect",
    "The result of a static method of a Java class, as a string; Spark looks the method up when the query runs.",
    ("REFLECT('java.lang.Math', 'abs', -1)", "'1'"),
    ("JAVA_METHOD",),
)
TRY_REFLECT = _reflection(
    "try_reflect",
    "The result of a static method of a Java class, as a string; NULL if the method fails.",
    ("TRY_REFLECT('java.util.UUID', 'fromString', 'no')", "NULL"),
)
