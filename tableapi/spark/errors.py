"""Translate Spark's exceptions into the exceptions of this library, with readable messages.

Spark's own messages include a JVM stack, the analysed plan, or a py4j wrapper whose third line is the message. The
translation keeps the parts that help a user: message, error condition, SQLSTATE, and the part of the SQL that failed.
"""

from __future__ import annotations

import contextlib
import functools
import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from attrs import evolve, frozen

from ir.errors import TableException, ValidationException
from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.worker_pythons import explain_worker_python

if TYPE_CHECKING:
    from py4j import protocol
    from py4j.protocol import Py4JJavaError
    from pyspark import errors as pyspark_errors
    from pyspark.errors import PySparkException
    from pyspark.errors.exceptions import captured

    from grammar import errors as grammar_errors
else:
    grammar_errors = lazy(__name__, "grammar.errors")
    protocol = lazy(__name__, "py4j.protocol")
    pyspark_errors = lazy(__name__, "pyspark.errors")
    captured = lazy(__name__, "pyspark.errors.exceptions.captured")


_T = TypeVar("_T")


@frozen
class QueryContext:
    """The part of a SQL text to which a Spark error refers.

    Attributes:
        fragment: the text of the part.
        start: the index of its first character in the SQL.
        stop: the index of its last character in the SQL.
        object_type: ``VIEW`` or ``FUNCTION`` if the text is the body of such an object, otherwise empty.
        object_name: the name of the object, otherwise empty.
    """

    fragment: str
    start: int
    stop: int
    object_type: str = ""
    object_name: str = ""

    def __str__(self) -> str:
        where = f"in {self.object_type.lower()} {self.object_name}, " if self.object_type else ""
        return f"{self.fragment}   ({where}characters {self.start} to {self.stop} of the SQL)"


class SparkExecutionException(TableException):
    """An error that Spark raised at run time; see ``TableException`` for condition and SQLSTATE."""

    __module__ = "tableapi.exceptions"

    def __init__(
        self,
        message: str,
        *,
        condition: str | None = None,
        sql_state: str | None = None,
        query_context: QueryContext | None = None,
    ) -> None:
        super().__init__(message, condition=condition, sql_state=sql_state)
        self.query_context = query_context


class SparkAnalysisException(ValidationException):
    """A SQL text or plan that Spark's parser or analyzer rejected."""

    __module__ = "tableapi.exceptions"

    def __init__(
        self,
        message: str,
        *,
        condition: str | None = None,
        sql_state: str | None = None,
        query_context: QueryContext | None = None,
    ) -> None:
        super().__init__(message, condition=condition, sql_state=sql_state)
        self.query_context = query_context


@frozen
class _Facts:
    """The information about an error of Spark, which has several forms."""

    message: str
    condition: str | None = None
    sql_state: str | None = None
    context: QueryContext | None = None
    analysis: bool = False
    line: int | None = None
    """The line of the text at which the error occurred, counted from 1."""
    column: int | None = None
    """The column in the line, counted from 0."""


# After the SQLSTATE Spark appends the position, the SQL and the analysed plan.
_AFTER_SQL_STATE = re.compile(r"(SQLSTATE: [0-9A-Z]{5}).*", re.DOTALL)
# Spark 3.5 has no SQLSTATE in its messages, but appends the same.
_AFTER_MESSAGE = re.compile(r"(?:; line \d+ pos \d+;?\n|\(line \d+, pos \d+\)\s*== SQL|\s*\n== SQL).*", re.DOTALL)
# Sail writes a sentence before it.
_CONDITION = re.compile(r"^(?:[A-Z][a-z]+(?: [a-z]+)*: )?\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)*)\] ")
_SQL_STATE = re.compile(r"SQLSTATE: ([0-9A-Z]{5})")
_JVM_FRAMES = re.compile(r"\n\s+at [\w.$/]+\(.*", re.DOTALL)
_JVM_CLASS = re.compile(r"^(?:[a-z]\w*\.)+([A-Z][\w$]*): ")
# Exceptions of Spark's optimizer that no query should cause: bugs of Spark, which its message does not say.
_OF_SPARK_ITSELF = re.compile(
    r"^(?:java\.util|java\.lang|scala)\.(NoSuchElementException|NullPointerException|ClassCastException|MatchError)\b"
)
# Users must not change the ANSI mode of the session (see settings.py), so that Spark's advice to do so misleads.
_ANSI_ADVICE = re.compile(r'\s*If necessary,? set "?spark\.sql\.ansi\.enabled"? to "?false"? to bypass this error\.')
# The position at which the parser stopped, and the line at which a script stopped.
_PARSED_UNTIL = re.compile(r"\(line (\d+), pos (\d+)\)")
_LINE_OF_SCRIPT = re.compile(r"^(?:\([\w.$]+\) )?\{LINE:(\d+)\} ")
_FUNCTION_FAILED = re.compile(r"TABLEAPI_FUNCTION_FAILED (\{.*\})$", re.MULTILINE)
_SOURCE_FAILED = re.compile(r'TABLEAPI_SOURCE_FAILED (".*")$', re.MULTILINE)
_FULL_DISK = re.compile(r"No space left on device|Disk quota exceeded")
_WORKER_ENDED = "Python worker exited unexpectedly"
_WRITING = re.compile(r"Task failed while writing rows to (\S+?)\.?(?:\s|$)")
_DERBY_IN_USE = "XSDB6"
_FETCHED_STREAM = "Queries with streaming sources must be executed with writeStream.start()"
_TOO_DEEP = "reached for batch Resolution"
_DERBY_TEXT_LIMIT = "shrink LONG VARCHAR"
_MAXIMUM_CAUSES = 50


def translate(exception: BaseException, operation: str | None = None, sql: str | None = None) -> TableException:
    """Translate an exception into one of this library.

    Args:
        exception: an exception of PySpark or py4j; an exception of this library is returned unchanged.
        operation: the failed operation, with which the message begins, for instance ``CREATE VIEW v`` or ``Project``.
        sql: the executed text, from which the failing part is quoted. Spark's own quotation is wrong after an emoji,
            because Spark counts it in UTF-16 units.

    Returns:
        A ``SparkAnalysisException`` (a ``ValidationException``) for an error of the parser or analyzer, otherwise a
        ``SparkExecutionException`` (a ``TableException``), with ``condition``, ``sql_state`` and ``query_context``.
    """
    if isinstance(exception, TableException):
        return exception
    facts = _facts(exception)
    failed = function_failure(facts.message)
    if failed is not None:
        return SparkExecutionException(failed, condition=facts.condition, sql_state=facts.sql_state)
    reason = _SOURCE_FAILED.search(facts.message)
    if reason is not None:
        return SparkExecutionException(
            json.loads(reason.group(1)), condition=facts.condition, sql_state=facts.sql_state
        )
    # Spark Connect has no causes, but the messages of all of them.
    facts = evolve(facts, message=explain_worker_python(facts.message) or facts.message)
    context = _quote_fragment(sql, facts.context)
    lines = [f"{operation} failed: {facts.message}" if operation else facts.message]
    if context is not None and context.fragment:
        lines.append(f"  at: {context}")
    elif sql is not None and facts.line is not None:
        lines.append(_place(sql, facts.line, facts.column))
    kind = SparkAnalysisException if facts.analysis else SparkExecutionException
    return kind("\n".join(lines), condition=facts.condition, sql_state=facts.sql_state, query_context=context)


def extend_message(error: TableException, more: str) -> TableException:
    """Return an error of Spark with a further line in its message; the error itself if there is none."""
    if not more or not isinstance(error, (SparkExecutionException, SparkAnalysisException)):
        return error
    return type(error)(
        f"{error}\n{more}",
        condition=error.condition,
        sql_state=error.sql_state,
        query_context=error.query_context,
    )


def _place(sql: str, line: int, column: int | None) -> str:
    """Return a line of a text, with a caret if the column is known."""
    lines = sql.split("\n")
    if not 1 <= line <= len(lines):
        return f"line {line}"
    if column is None:
        return f"line {line}:\n  {lines[line - 1].strip()}"
    before = sum([len(each) + 1 for each in lines[: line - 1]])
    return grammar_errors.place(sql, before + min(column, len(lines[line - 1])))


def function_failure(message: str) -> str | None:
    """Return the failure of a user-defined function if the message reports one, otherwise None."""
    found = _FUNCTION_FAILED.search(message)
    if found is None:
        return None
    told = json.loads(found.group(1))
    arguments = told["arguments"]
    at = "" if arguments is None else f" on ({', '.join(arguments)})"
    attempts = told.get("attempts")
    after = "" if attempts is None else f" after {attempts} attempt{'' if attempts == 1 else 's'}"
    lines = [f"The function {told['function']} failed{at}{after}: {told['error']}"]
    if told["traceback"]:
        lines += ["Traceback of the function (most recent call last):", told["traceback"].rstrip()]
    return "\n".join(lines)


def make_refused_plan_error(text: str) -> TableException:
    """Return the exception for a statement that EXPLAIN rejects, from the text that EXPLAIN returned."""
    message = _clean(text)
    condition = _find_first(_CONDITION, message)
    return SparkAnalysisException(message, condition=condition, sql_state=_find_first(_SQL_STATE, message))


@contextlib.contextmanager
def readable_errors(operation: str | None = None, sql: str | None = None) -> Iterator[None]:
    """Translate exceptions of PySpark and py4j in the block, and hide the original with its JVM stack.

    Exceptions of Python and of other libraries pass unchanged.

    Raises:
        TableException: Spark raised an error; see ``translate``.
    """
    try:
        yield
    except TableException:
        raise
    except Exception as error:
        if not _is_sparks(error):
            raise
        translated = translate(error, operation, sql)
        raise translated from None


def _is_sparks(error: Exception) -> bool:
    if isinstance(error, ImportError) and isinstance(error.__cause__, ImportError):
        # A package is missing that PySpark needs. The public function names the extra that brings it.
        return False
    # After the JVM has ended, py4j finds a closed socket.
    return (
        isinstance(error, pyspark_errors.PySparkException)
        or _is_of_py4j(error)
        or (isinstance(error, ConnectionError) and _is_raised_in(error, "py4j"))
    )


def _is_of_py4j(error: BaseException) -> bool:
    """Whether an exception is one of py4j, which clients of Spark Connect do not have."""
    return any(base.__module__ == "py4j.protocol" for base in type(error).__mro__)


def _is_raised_in(error: BaseException, package: str) -> bool:
    trace = error.__traceback__
    while trace is not None:
        if str(trace.tb_frame.f_globals.get("__name__", "")).split(".")[0] == package:
            return True
        trace = trace.tb_next
    return False


def _facts(exception: BaseException) -> _Facts:
    if isinstance(exception, pyspark_errors.PySparkException):
        return _read_pyspark_facts(exception)
    is_of_py4j = _is_of_py4j(exception)
    if is_of_py4j and isinstance(exception, protocol.Py4JJavaError):
        return _read_java_facts(exception)
    if isinstance(exception, ConnectionError) or (is_of_py4j and isinstance(exception, protocol.Py4JNetworkError)):
        return _Facts("The Spark process has ended or cannot be reached; start a new session.")
    if is_of_py4j:
        # The message is "An error occurred while calling o7.f. Trace:", followed by the cause.
        return _Facts(_clean(str(exception).rpartition("Trace:\n")[2]))
    return _Facts(f"{type(exception).__name__}: {exception}")


def _read_pyspark_facts(exception: PySparkException) -> _Facts:
    origin = getattr(exception, "_origin", None)
    cause = _find_known_cause(origin) if origin is not None else None
    if cause is not None:
        return cause
    # PySpark 3.5 has no such method.
    message = _ask(lambda: exception.getMessage()) or ""
    if not message:
        # Without a condition, use Spark's own text, but not the stack that PySpark's __str__ may append.
        message = getattr(exception, "_desc", None) or str(exception)
    message, line = _split_line(_clean(message))
    message = _with_reason(message, origin)
    if _FETCHED_STREAM in message:
        message = (
            "The query reads a stream, whose rows have no end, so that they cannot be fetched or inserted at once. "
            "Read them as they come with table.execute().collect(), or write them with table.execute_insert(…)."
        )
    condition = _ask(lambda: versions.condition_of(exception)) or _find_first(_CONDITION, message)
    sql_state = _ask(exception.getSqlState) or _find_first(_SQL_STATE, message)
    contexts = _ask(lambda: versions.sql_contexts_of(exception)) or []
    stopped = _PARSED_UNTIL.search(str(exception)) if isinstance(exception, pyspark_errors.ParseException) else None
    return _Facts(
        message=message,
        condition=condition,
        sql_state=sql_state,
        context=_context_of(contexts[0]) if contexts else None,
        analysis=isinstance(exception, pyspark_errors.AnalysisException),
        line=int(stopped[1]) if stopped else line,
        column=int(stopped[2]) if stopped else None,
    )


def _with_reason(message: str, java: Any) -> str:
    """Return the message about a file that cannot be read, with the causes, which say what is wrong in the file."""
    if java is None or _UNREADABLE_FILE not in message:
        return message
    given = [_clean(str(_ask(cause.getMessage) or "")) for cause in _causes(java)]
    reasons = [text for text in dict.fromkeys(given) if text and text not in message and _UNREADABLE_FILE not in text]
    shown = [reasons[0], *reasons[1:][-1:]] if reasons else []
    return " ".join([message, *shown])


_UNREADABLE_FILE: Final = "[FAILED_READ_FILE."


def _read_java_facts(exception: Py4JJavaError) -> _Facts:
    """Return facts of the first exception in the chain of causes with an error condition, or of the root cause."""
    known = _find_known_cause(exception.java_exception)
    if known is not None:
        return known
    chain = list(_causes(exception.java_exception))
    for java in chain:
        condition = _ask(functools.partial(versions.condition_of_java, java))
        if condition is not None:
            converted = captured.convert_exception(java)
            if not isinstance(converted, captured.UnknownException):
                facts = _read_pyspark_facts(converted)
                return evolve(facts, message=_with_reason(facts.message, java))
            message, line = _split_line(_clean(str(java.getMessage())))
            return _Facts(_with_reason(message, java), str(condition), _ask(java.getSqlState), line=line)
    text = str(chain[-1].toString() if chain else exception)
    own = _OF_SPARK_ITSELF.match(text)
    if own is not None:
        return _Facts(
            f"Spark stopped with an error of its own, {own.group(1)}: {_clean(text)}. The query is not wrong; written "
            "in another way, for instance with fewer subqueries, it may run."
        )
    return _Facts(_clean(text))


def _find_known_cause(java: Any) -> _Facts | None:
    """Return the real reason of an error if a cause deep in Spark or the metastore shows it."""
    for cause in _causes(java):
        text = str(_ask(cause.toString))
        other_python = explain_worker_python(text)
        if other_python is not None:
            return _Facts(other_python)
        if _DERBY_IN_USE in text:
            where = re.search(r"the database (.+?)\.?$", text, re.MULTILINE)
            return _Facts(
                "Another process has the metastore open"
                + (f" ({where.group(1)})" if where else "")
                + ", and its database, Derby, serves one process at a time. End that process, or give this one a "
                "directory of its own: set TABLEAPI_HOME, or pass warehouse=... to TableEnvironment.create()."
            )
        full = _FULL_DISK.search(text)
        if full is not None:
            writing = next((found for c in _causes(java) if (found := _WRITING.search(str(_ask(c.toString))))), None)
            shown = "" if writing is None else f" while {writing[1]} was written"
            return _Facts(f"A disk is full{shown}: {full[0]}. Make room, and run it again.")
        if _WORKER_ENDED in text:
            return _Facts(
                "A Python worker ended in the middle of its rows: a function ended the process, as os._exit and a "
                "crash of native code do, or the system did, as when memory is short. With the setting "
                "spark.sql.execution.pyspark.udf.faulthandler.enabled, the log of Spark says where it was."
            )
        if "StackOverflowError" in text:
            return _Facts(
                "The query is nested too deeply for the stack of Spark's threads. Start Spark with a larger one "
                "(spark.driver.extraJavaOptions=-Xss64m), or store a part of the query with create_view, where its "
                "steps are many, and nest less, where its expressions are long.",
            )
        if _TOO_DEEP in text:
            return _Facts(
                "The query has too many steps one after the other for Spark to plan. Store the first part of it with "
                "create_view, and query the view: each view is resolved by itself.",
            )
        if _DERBY_TEXT_LIMIT in text:
            return _Facts(
                "The text is too long for the metastore: Derby holds 32,700 characters of a view.",
                condition="_LEGACY_ERROR_TEMP_3065",
            )
    return None


def _causes(java: Any) -> Iterator[Any]:
    for _ in range(_MAXIMUM_CAUSES):
        if java is None:
            return
        yield java
        java = _ask(java.getCause)


def _context_of(context: Any) -> QueryContext:
    return QueryContext(
        fragment=str(context.fragment()),
        start=int(context.startIndex()),
        stop=int(context.stopIndex()),
        object_type=str(context.objectType()),
        object_name=str(context.objectName()),
    )


def _quote_fragment(sql: str | None, context: QueryContext | None) -> QueryContext | None:
    """Return the context with its fragment cut from ``sql``, if Spark refers to this text."""
    if context is None:
        return None
    start, stop = context.start, context.stop
    if sql is not None and not context.object_type and 0 <= start <= stop < len(sql):
        # Spark counts code points but cuts UTF-16 units. A fragment that was cut like this comes from this text.
        cut = sql.encode("utf-16-le", "surrogatepass")[2 * start : 2 * stop + 2].decode("utf-16-le", "replace")
        if cut.strip("\ufffd?") == context.fragment.strip("\ufffd?"):
            return QueryContext(sql[start : stop + 1], start, stop)
    return evolve(context, fragment=context.fragment.strip())


def _clean(message: str) -> str:
    """Remove the plan, SQL, JVM frames, class names, and advice that does not apply here from a message."""
    text = _AFTER_MESSAGE.sub("", _AFTER_SQL_STATE.sub(r"\1", message))
    text = _JVM_FRAMES.sub("", text)
    text = _ANSI_ADVICE.sub("", text)
    text = text.removeprefix("An error occurred while calling ").strip()
    while (match := _JVM_CLASS.match(text)) is not None:
        text = text[match.end() :] or match.group(1)
    return text.strip() or "Spark gave no reason."


def _split_line(message: str) -> tuple[str, int | None]:
    """Split a message about a script into the message, and the number of the script line; None for no script."""
    found = _LINE_OF_SCRIPT.match(message)
    return (message, None) if found is None else (message[found.end() :], int(found[1]))


def _find_first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match.group(1) if match else None


def _ask(question: Callable[[], _T]) -> _T | None:
    """Return an exception's answer about itself; None if it has no answer, or its JVM no longer answers.

    Use it only to describe an error that is already being raised, because another error must not replace that one.
    """
    try:
        return question()
    except Exception:
        return None
