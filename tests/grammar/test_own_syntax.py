"""Calls in a syntax of their own: the grammar reads each, and the serializer writes each."""

from __future__ import annotations

from grammar.builder.column_names.display_functions import find_own_syntax
from grammar.builder.expressions.special_calls import SPECIAL
from grammar.flink.calls import READERS
from ir.dialects.syntax import OwnSyntax
from ir.functions.builtins import BUILT_INS
from serializer.call_syntax import CALL_WRITERS

ALL = {syntax for name, syntax in vars(OwnSyntax).items() if name.isupper()}
# Words that are functions in such a syntax alone, so that no entry has them.
WORDS = {find_own_syntax(word) for word in ("row", "timediff", "week")}


def test_the_grammar_reads_each_syntax_that_an_entry_names() -> None:
    named = {function.emission.read_as for function in BUILT_INS if function.emission.read_as is not None}
    assert named | WORDS == SPECIAL.keys() | READERS.keys()


def test_the_serializer_writes_each_syntax_that_an_entry_names() -> None:
    syntaxes = [s for f in BUILT_INS for s in (f.emission.syntax, f.emission.flink_syntax) if s is not None]
    assert {syntax.special for syntax in syntaxes if syntax.special is not None} == CALL_WRITERS.keys()


def test_no_syntax_is_without_use() -> None:
    assert SPECIAL.keys() | READERS.keys() | CALL_WRITERS.keys() == ALL
