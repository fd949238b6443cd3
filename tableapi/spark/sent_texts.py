"""Texts that Spark runs, with the operations of their parts, so that an error names the operation that failed."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ir.operations.operation import QueryOperation
from serializer.text import Span
from tableapi.spark.errors import QueryContext, extend_message, translate

PREFIX = "__tableapi_"
"""The prefix of the names that objects of this library have in a session."""
# The prefix that names of user-defined functions get in a session.
_OF_A_SESSION = re.compile(rf"{PREFIX}[0-9a-f]{{12}}_[fp]\d+_")


class SentText(NamedTuple):
    """A text that Spark runs, the operations of its parts, the offset of the query in it, and the query."""

    text: str
    spans: list[Span]
    offset: int
    query: QueryOperation


@contextlib.contextmanager
def explain_failures(texts: Sequence[SentText], explain: Callable[[str], str] = lambda message: "") -> Iterator[None]:
    """Translate errors of running the first of several texts, which reads the results of the others.

    Args:
        texts: the texts.
        explain: returns what to add to a message.
    """
    try:
        yield
    except Exception as error:
        if translate(error) is error:
            raise
        text, at = texts[0], None
        for made in texts:
            context = getattr(translate(error, None, made.text), "query_context", None)
            at = at or context
            if context is not None and made.text[context.start : context.stop + 1] == context.fragment:
                text, at = made, context
                break
        operation = _operation_at(at, text.spans, text.offset, text.query)
        translated = translate(error, operation, text.text)
        raise extend_message(translated, explain(str(translated))) from None


def _operation_at(context: QueryContext | None, spans: list[Span], offset: int, root: QueryOperation) -> str:
    """Describe the innermost operation whose text contains the place of an error, or else the whole query."""
    found: QueryOperation = root
    if context is not None and not context.object_type and context.start >= offset:
        start = context.start - offset
        holding = [span for span in spans if span.start <= start < span.end]
        if holding:
            found = min(holding, key=lambda span: span.end - span.start).operation
    return f"{found.title}: {_shorten(_OF_A_SESSION.sub('', found.describe()))}"


def _shorten(text: str, limit: int = 300) -> str:
    return text if len(text) <= limit else text[:limit] + "…"
