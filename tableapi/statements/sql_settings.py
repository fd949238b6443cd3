"""SET and RESET: the configuration of the environment and the settings of the Spark session.

A value is raw text up to the end of the statement, so these statements are not parsed by the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException
from tableapi.catalog.time_zones import TIME_ZONE
from tableapi.environment_settings import LOCAL_TIME_ZONE, is_environment_key
from tableapi.lazy import lazy
from tableapi.queries.runtime import Runtime
from tableapi.queries.statement_runner import Statements
from tableapi.result import TableResult

if TYPE_CHECKING:
    from tableapi.spark import settings as spark_settings
else:
    spark_settings = lazy(__name__, "tableapi.spark.settings")

_QUOTED = re.compile(r"'((?:[^']|'')*)'\s*(?:=\s*'((?:[^']|'')*)')?\s*", re.DOTALL)
_PLAIN = re.compile(r"(`(?:[^`]|``)*`|[\w.\-]+)\s*(?:=\s*(.*?))?\s*", re.DOTALL)


class SqlSettings:
    """Executes SET and RESET."""

    def __init__(self, runtime: Runtime, statements: Statements) -> None:
        self._runtime = runtime
        self._statements = statements

    def concerns(self, tokens: Sequence[Any]) -> bool:
        """Whether a statement is SET or RESET."""
        return bool(tokens) and tokens[0].text.upper() in ("SET", "RESET")

    def execute(self, text: str, tokens: Sequence[Any]) -> TableResult:
        """Execute a statement.

        Raises:
            ValidationException: the value is invalid for the key.
            TableException: Spark rejects the setting.
        """
        word = tokens[0]
        rest = text[word.position + len(word.text) :].strip()
        while len(tokens) > 1 and rest.endswith(";"):
            rest = rest[:-1].rstrip()
        quoted = _QUOTED.fullmatch(rest)
        found = quoted or _PLAIN.fullmatch(rest)
        key = value = None
        if found is not None:
            key, value = found.groups()
            if quoted is not None:
                key, value = key.replace("''", "'"), None if value is None else value.replace("''", "'")
            elif key.startswith("`"):
                key = key[1:-1].replace("``", "`")
        if word.text.upper() == "RESET":
            return self._reset(text, rest, key, quoted is not None)
        return self._set(text, rest, key, value, quoted is not None)

    def _set(self, text: str, rest: str, key: str | None, value: str | None, quoted: bool) -> TableResult:
        config = self._runtime.config
        if not rest:
            rows = sorted(config.to_map().items())
            if self._runtime.started is not None:
                found = self._statements.execute_sql("SET", under_any_settings=True)
                rows += [(row[0], row[1]) for row in found.collect()]
            return TableResult.of_rows(["key", "value"], rows)
        if key is not None and (is_environment_key(key) or key in config.to_map()):
            if value is None:
                return TableResult.of_rows(["key", "value"], [(key, config.get(key, "<undefined>"))])
            config.set(key, value)
            return TableResult.ok()
        if key is not None and value is not None:
            _refuse_violations(key, value)
        if key is not None and value is not None and quoted:
            # Flink's quoted form, which Spark cannot parse.
            self._runtime.execution.set(key, value)
            result = TableResult.ok()
        else:
            result = self._statements.execute_sql(text, under_any_settings=True)
        self._follow_time_zone()
        return result

    def _reset(self, text: str, rest: str, key: str | None, quoted: bool) -> TableResult:
        config = self._runtime.config
        if not rest:
            config.clear()
            if self._runtime.started is None:
                return TableResult.ok()
        elif key is not None and (is_environment_key(key) or key in config.to_map()):
            config.clear(key)
            return TableResult.ok()
        elif key is not None and quoted:
            self._runtime.execution.set(key, None)
            return TableResult.ok()
        return self._statements.execute_sql(text, under_any_settings=True)

    def _follow_time_zone(self) -> None:
        """If the environment has its own time zone, update it to the time zone that a statement set in the session."""
        config, started = self._runtime.config, self._runtime.started
        if started is not None and LOCAL_TIME_ZONE in config.to_map():
            config.set(LOCAL_TIME_ZONE, str(started.session.conf.get(TIME_ZONE)))


def _refuse_violations(key: str, value: str) -> None:
    """Reject a Spark setting that changes the meaning of queries.

    Raises:
        ValidationException: the setting changes the meaning of queries.
    """
    wrong = spark_settings.violations({key: value.strip()})
    if wrong:
        raise ValidationException(f"{wrong[0]}. Nothing was set.")
