"""Ask a version of Spark everything, and describe how its answers differ from those of the newest."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from typing import Any, Final

import attrs
from pyspark.sql.types import StructField

from ir.dialects.call_traits import type_family
from ir.functions.definition import FunctionKind
from tableapi.spark.required_settings import FEATURES, REQUIRED_SETTINGS
from tableapi.spark.types import to_spark
from tests.oracle.oracle import VIEW
from tests.oracle.test_named_arguments import NAMED, UNKNOWN
from tests.spark.test_settings import CHANGED_BY_SETTINGS
from tests.versions.calls import Asked, columns
from tests.versions.files import REFUSED, SAME
from tests.versions.rules import conditions, only_types
from tests.versions.sparks import Spark
from tests.versions.syntax import probes
from tests.versions.texts import tables_of_programs

NULLABILITY: Final = "other nullability"
"""The difference of two answers with equal names, types and rows."""
_DECIDED: Final = {f"spark.sql.{name}": query for name, query in CHANGED_BY_SETTINGS}


@attrs.frozen
class Answers:
    """What one Spark answers to all questions.

    Attributes:
        release: the full version.
        settings: the default of each required setting that it defines.
        decided: the answer to a query for each setting that decides it, while the settings are as required.
        functions: the names of its built-in functions.
        missing_types: the families of types that it lacks.
        syntax: the answer to each probe: schema and rows, or the condition with which it is refused or fails.
        named_arguments: the functions that take named arguments.
        types: for each call, its type and nullability, or the condition with which it is refused. Calls with types that
            the version lacks are not asked about.
    """

    release: str
    settings: Mapping[str, str]
    decided: Mapping[str, Any]
    functions: frozenset[str]
    missing_types: frozenset[str]
    syntax: Mapping[str, Any]
    named_arguments: frozenset[str]
    types: Mapping[str, Any]


def prepare(spark: Spark) -> None:
    """Set the required settings, and make the tables that the probes of syntax read.

    Raises:
        RuntimeError: Spark refuses one of the statements.
    """
    spark.ask("set", values={setting.name: setting.required for setting in REQUIRED_SETTINGS} | FEATURES)
    for refusal in spark.ask("commands", texts=tables_of_programs(["left_bag", "events"])):
        if refusal is not None:
            raise RuntimeError(f"Spark {spark.version} refuses a table of the programs: {refusal}")


def ask(spark: Spark, calls: Sequence[Asked], newest: Answers | None = None) -> Answers:
    """Ask a prepared Spark about settings, syntax, types and calls.

    Args:
        spark: the Spark.
        calls: the calls to ask about.
        newest: the answers of the newest Spark, None if this is it. Of its functions, those that this Spark lacks are
            not asked about, because Spark would refuse each call alone. Calls that it refuses are not compared.
    """
    syntax = answers_to_probes(spark)
    missing_columns = _make_view(spark, has_collations="refused" not in syntax["COLLATE"])
    missing_types = _missing_types(missing_columns)
    names = frozenset(name.lower() for name in spark.ask("functions"))
    types: dict[str, Any] = {}
    lacked = _lacked(spark, names, newest, calls)
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    for call in calls:
        if not call.families & missing_types and not call.columns & missing_columns:
            if newest is not None and not isinstance(newest.types.get(call.text), list):
                continue
            if lacked & _called(call.text):
                types[call.text] = _NO_FUNCTION
            else:
                groups[call.group][call.text] = None
    for texts in map(list, groups.values()):
        types |= zip(texts, spark.ask("expressions", texts=texts), strict=True)
    settings = spark.ask("settings", names=[setting.name for setting in REQUIRED_SETTINGS])
    decided = dict(zip(_DECIDED, spark.queries(list(_DECIDED.values())), strict=True))
    return Answers(spark.release, settings, decided, names, missing_types, syntax, _named_arguments(spark), types)


def answers_to_probes(spark: Spark) -> dict[str, Any]:
    """Return the answer of a prepared Spark to each probe of syntax; one of several statements has no rows."""
    queries = [probe for probe in probes().values() if len(probe.statements) == 1]
    scripts = [probe for probe in probes().values() if len(probe.statements) > 1]
    answers = spark.queries([probe.statements[0] for probe in queries])
    refusals = spark.ask("scripts", scripts=[list(probe.statements) for probe in scripts])
    found = {probe.name: answer for probe, answer in zip(queries, answers, strict=True)}
    return found | {probe.name: refusal or _DONE for probe, refusal in zip(scripts, refusals, strict=True)}


_DONE: Final = {"schema": [], "rows": []}


_NO_FUNCTION: Final = "UNRESOLVED_ROUTINE"
# How many calls show that a name is no function: some arguments are refused before the name is looked up.
_SHOWN = 3


def _lacked(spark: Spark, names: Set[str], newest: Answers | None, calls: Sequence[Asked]) -> frozenset[str]:
    """Return the functions of the newest Spark that the version lacks, as calls show.

    Those that it does not list may be a part of its grammar, as PERCENTILE_CONT is in Spark 3.5.
    """
    if newest is None:
        return frozenset()
    shown: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        for name in newest.functions & _called(call.text) - names:
            if len(shown[name]) < _SHOWN:
                shown[name].append(call.text)
    texts = [text for of_name in shown.values() for text in of_name]
    answers = dict(zip(texts, spark.queries([f"SELECT {t} FROM {VIEW}" for t in texts], rows=False), strict=True))
    conditions_of = {name: {answers[text].get("refused") for text in of_name} for name, of_name in shown.items()}
    return frozenset(name for name, found in conditions_of.items() if found & _UNRESOLVED)


_UNRESOLVED: Final = {_NO_FUNCTION, "UNRESOLVABLE_TABLE_VALUED_FUNCTION"}


def _called(text: str) -> set[str]:
    return {name.lower() for name in re.findall(r"\b(\w+)\(", text)}


def _make_view(spark: Spark, has_collations: bool) -> frozenset[str]:
    """Make the view of all types, and return the columns whose types the version lacks."""
    fields = {
        name: StructField(name, to_spark(data_type), data_type.nullable).json()
        for name, data_type in columns().items()
        # A version without collations ignores the part of the JSON that holds them.
        if has_collations or "COLLATE" not in type_family(data_type)
    }
    missing = spark.ask("view", name=VIEW, columns=list(fields.values()))
    return frozenset([*missing, *columns().keys() - fields.keys()])


def _missing_types(missing_columns: frozenset[str]) -> frozenset[str]:
    """Return the families of types without parts of which the view has no column."""
    scalars = {name: type_family(data_type) for name, data_type in columns().items() if not data_type.children}
    return frozenset(scalars.values()) - {family for name, family in scalars.items() if name not in missing_columns}


def _named_arguments(spark: Spark) -> frozenset[str]:
    """Return the functions for which the version reports that a name is none of their arguments'."""
    texts = {}
    for definition in NAMED:
        names = [*[argument.name for argument in definition.inference.static_arguments or ()], "no_such_name"]
        call = f"{definition.sql_name}({', '.join(f'{name} => NULL' for name in names)})"
        is_table = definition.kind is FunctionKind.TABLE
        texts[definition.name] = f"SELECT * FROM {call}" if is_table else f"SELECT {call}"
    answers = spark.queries(list(texts.values()), rows=False)
    return frozenset(name for name, answer in zip(texts, answers, strict=True) if answer.get("refused") == UNKNOWN)


# --- the differences from the newest -------------------------------------------------------------------------------


def differences(answers: Answers, newest: Answers, calls: Sequence[Asked], *, is_spark: bool = True) -> dict[str, Any]:
    """Return what a version lacks and what it types differently, as the content of its file.

    Another engine than Spark differs in most calls with unusual arguments. Its file has the functions that it lacks,
    and of the arguments that it refuses only those that one trait of many calls explains.
    """
    syntax = other_syntax(answers.syntax, newest.syntax)
    missing: list[str] = []
    refused: dict[str, list[list[str]]] = {}
    results: dict[str, list[dict[str, Any]]] = {}
    unexplained: dict[str, list[str]] = {}
    for function, of_function in _by_function(calls).items():
        found = _Function(answers, newest, of_function, syntax)
        if found.is_missing:
            missing.append(function)
            continue
        if not is_spark:
            plain = found.plain_refusals()
            refused |= {function: plain} if plain else {}
            continue
        for result, traits in found.conditions().items():
            if result == REFUSED:
                refused[function] = traits
            else:
                results.setdefault(function, []).append({"result": result, "when": traits})
        if found.unexplained:
            unexplained[function] = found.unexplained
    return {
        "release": answers.release,
        "types": sorted(answers.missing_types),
        "syntax": syntax,
        "settings": sorted(newest.settings.keys() - answers.settings.keys()),
        "other_answers": _other_answers(answers, newest),
        "defaults": {n: v for n, v in sorted(answers.settings.items()) if newest.settings.get(n) != v},
        "names": sorted(newest.functions - answers.functions),
        "functions": missing,
        "named_arguments": sorted(newest.named_arguments - answers.named_arguments),
        "refused": refused,
        "results": results,
        "unexplained": unexplained,
    }


def is_general(syntax: Container[str], call: Asked, result: str) -> bool:
    """Whether a rule that a probe of syntax shows explains a result, whatever the function is."""
    if result == REFUSED:
        if "TIMEs of two precisions" in syntax and len(call.precisions) > 1:
            return True
        is_filtered = "window with FILTER" in syntax and call.traits >= {"FILTER", "OVER"}
        return is_filtered or ("collation with RTRIM" in syntax and "_RTRIM" in call.text)
    if "nullability of MAP" in syntax and result in ("nullable", "not nullable", "nullability of parts"):
        return True
    if "common type of decimals of many digits" in syntax and "DECIMAL" in call.families:
        return result == "nullable" or '"decimal(' in result
    return False


def _other_answers(answers: Answers, newest: Answers) -> list[str]:
    """Return the settings for which a version answers otherwise, although they are as required."""
    return [n for n, found in sorted(newest.decided.items()) if difference_of_answers(answers.decided[n], found)]


def _by_function(calls: Iterable[Asked]) -> dict[str, list[Asked]]:
    found: dict[str, list[Asked]] = defaultdict(list)
    for call in calls:
        # The form of a call that Spark lacks is a matter of its lowering, and not of the version.
        if call.in_spark:
            found[call.function].append(call)
    return dict(sorted(found.items()))


class _Function:
    """The calls of one function, by how the answer of a version differs from that of the newest."""

    def __init__(self, answers: Answers, newest: Answers, calls: Sequence[Asked], syntax: Container[str]) -> None:
        self._by_result: dict[str, list[Asked]] = defaultdict(list)
        self.unexplained: list[str] = []
        for call in calls:
            expected, answer = newest.types.get(call.text), answers.types.get(call.text)
            if answer is not None and expected is not None and not isinstance(expected, str):
                result = result_of(answer, expected)
                if not is_general(syntax, call, result):
                    self._by_result[result].append(call)
        # Each call is refused, or has a type that the version lacks.
        is_in_newest = any(isinstance(newest.types.get(call.text), list) for call in calls)
        self.is_missing = is_in_newest and not self._by_result.keys() - {REFUSED}

    def conditions(self) -> dict[str, list[list[str]]]:
        """Return the traits of the calls with each result other than the newest's; see ``unexplained`` for the rest."""
        found: dict[str, list[list[str]]] = {}
        for result in sorted(self._by_result.keys() - {SAME}):
            others = [c.traits for other, calls in self._by_result.items() if other != result for c in calls]
            traits, rest = conditions([call.traits for call in self._by_result[result]], others)
            found[result] = [sorted(condition) for condition in traits]
            left = [call.text for call in self._by_result[result] if call.traits in rest]
            self.unexplained += [f"{result}: {text}" for text in left[:5]]
        return found

    def plain_refusals(self) -> list[list[str]]:
        """Return the types of single arguments that many refused calls have and no accepted call has."""
        accepted = [
            only_types(c.traits) for result, calls in self._by_result.items() if result != REFUSED for c in calls
        ]
        refused = [only_types(call.traits) for call in self._by_result[REFUSED]]
        found, _ = conditions(refused, accepted, most=1) if accepted else ([], [])
        return [
            sorted(trait) for trait in found if len(trait) == 1 and sum(trait <= traits for traits in refused) >= _MANY
        ]


# How many calls show that an engine refuses all calls with a trait.
_MANY: Final = 6


def result_of(answer: Any, expected: Any) -> str:
    """Return how the type of a call differs from that of the newest Spark.

    That is ``REFUSED``, ``SAME``, ``nullable``, ``not nullable``, ``nullability of parts``, or the two types.
    """
    if isinstance(answer, str):
        return REFUSED
    if answer == expected:
        return SAME
    if answer[0] == expected[0]:
        return "nullable" if answer[1] else "not nullable"
    if _without_nullability(answer[0]) == _without_nullability(expected[0]):
        return "nullability of parts"
    return f"{json.dumps(answer[0])} for {json.dumps(expected[0])}"


# What Spark reads, and refuses because its own catalogs cannot do it. A version that cannot read it says otherwise.
_OF_CATALOGS = frozenset(["UNSUPPORTED_FEATURE.CHANGE_DATA_CAPTURE"])


def other_syntax(answers: Mapping[str, Any], newest: Mapping[str, Any]) -> dict[str, str]:
    """Return the probes that a version answers otherwise, each with what differs.

    Args:
        answers: the answers of the version to the probes.
        newest: those of the newest Spark.

    Raises:
        ValueError: the newest Spark refuses a probe.
    """
    found = {}
    for name, expected in newest.items():
        if ("refused" in expected and expected["refused"] not in _OF_CATALOGS) or "failed" in expected:
            raise ValueError(f"The newest Spark refuses the probe {name!r}: {expected}")
        difference = difference_of_answers(answers[name], expected)
        if difference is not None:
            found[name] = difference
    return found


def difference_of_answers(answer: Mapping[str, Any], expected: Mapping[str, Any]) -> str | None:
    """Return how the answer to a query differs from that of the newest Spark, None if it does not.

    That is the condition that refuses it; ``fails with`` a condition; ``not`` such an error; ``other names``, ``other
    types``, ``other rows`` or ``other nullability``, whichever is first in this order.
    """
    if _error(answer) != _error(expected):
        return _error(answer) or f"not {_error(expected)}"
    if "refused" in expected or "failed" in expected:
        return None
    if [field[0] for field in answer["schema"]] != [field[0] for field in expected["schema"]]:
        return "other names"
    if _other_types(answer, expected):
        return "other types"
    if sorted(map(repr, answer.get("rows", ()))) != sorted(map(repr, expected.get("rows", ()))):
        return "other rows"
    return None if answer["schema"] == expected["schema"] else NULLABILITY


def has_other_schema(answer: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Return whether the columns of two accepted queries differ in names or types, whatever their nullability is."""
    names = [field[0] for field in answer["schema"]], [field[0] for field in expected["schema"]]
    return names[0] != names[1] or _other_types(answer, expected)


def _error(answer: Mapping[str, Any]) -> str | None:
    """Return the condition that refuses a query or with which it fails, None if it does neither."""
    if "refused" in answer:
        return str(answer["refused"])
    return f"fails with {answer['failed']['refused']}" if "failed" in answer else None


def _other_types(answer: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    return [_without_nullability(field[1]) for field in answer["schema"]] != [
        _without_nullability(field[1]) for field in expected["schema"]
    ]


def _without_nullability(data_type: Any) -> Any:
    match data_type:
        case dict():
            names = ("nullable", "containsNull", "valueContainsNull")
            return {key: _without_nullability(value) for key, value in data_type.items() if key not in names}
        case list():
            return [_without_nullability(part) for part in data_type]
        case _:
            return data_type
