"""The shape of a streaming query: the parts of its plan that a checkpoint depends on.

A restart may change filters and projections, as the checkpoint has no trace of them. It must not change what the
offsets and the state belong to: the sources, and the operators with state. Spark itself compares only the types of the
state, so that it would continue the sum of one column with that of another, or windows of ten seconds with windows of
a minute. The shape therefore has the definitions of keys and aggregates, down to the columns of the sources.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from ir.identifiers import fold
from tableapi.declarations.external_tables import KAFKA
from tableapi.declarations.secrets import is_secret
from tableapi.spark.process_functions import StatefulCall
from tableapi.spark.runtime.nats import settings as nats_settings
from tableapi.spark.runtime.process.packing import KEY
from tableapi.spark.streaming.state_changes import CallState, read_call

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

EVOLUTION: Final = "spark.sql.streaming.queryEvolution.enableSourceEvolution"
"""The setting with which sources have names, and Spark finds their offsets by them."""
# The leaves of a plan that have a name.
_NAMED: Final = frozenset({"StreamingRelation", "StreamingRelationV2"})
# A column in the text of an expression: its name, its number, its type, and the delay of its watermark.
_COLUMN: Final = re.compile(r"[^\s(),\[\]]*#(\d+)L?(?:-T\d+ms)?")
_ALIAS: Final = re.compile(r"(.*) AS (.*)#(\d+)L?(?:-T\d+ms)?", re.DOTALL)
_FILES: Final = re.compile(r"FileSource\[(.*)\]", re.DOTALL)
_ADDRESS: Final = re.compile(r"@[0-9a-f]{4,}")
_TOPICS: Final = ("assign", "subscribe", "subscribepattern")
_STREAMS_OF_NATS: Final = (nats_settings.STREAM, nats_settings.SUBJECT)
# How fast a source is read may change between two runs.
_RATES: Final = re.compile(r"(max|min|rows|ramp|num|latest|clean|source)", re.IGNORECASE)


@frozen
class Part:
    """An operator with state, or a source.

    Attributes:
        title: what it is, in words with the names of its columns.
        definition: a digest of its exact definition.
        path: the directory of a source of files; None for others.
        call: the state of a call of a process table function; None for others.
        name: the name that ``DataStreamReader.name`` gave to a source; None without one.
    """

    title: str
    definition: str
    path: str | None = None
    call: CallState | None = None
    name: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the part as a value of JSON."""
        made: dict[str, Any] = {"title": self.title, "definition": self.definition, "path": self.path}
        if self.name is not None:
            made["name"] = self.name
        return made if self.call is None else {**made, "call": self.call.as_json()}


def read_part(given: Mapping[str, Any]) -> Part:
    """Return a part from a value of JSON.

    Raises:
        ValueError, TypeError, KeyError: the value is not a part.
    """
    call = given.get("call")
    path, name = given["path"], given.get("name")
    return Part(
        str(given["title"]),
        str(given["definition"]),
        None if path is None else str(path),
        None if call is None else read_call(call),
        None if name is None else str(name),
    )


@frozen
class Shape:
    """The sources and the operators with state of a query, in the order of the plan, and its columns."""

    sources: tuple[Part, ...]
    state: tuple[Part, ...]
    columns: tuple[tuple[str, str], ...]


def shape_of(frame: DataFrame, calls: Mapping[str, StatefulCall] = MappingProxyType({})) -> Shape:
    """Return the shape of a streaming query of a session in this process.

    Args:
        frame: the query.
        calls: the process table functions of the session, by the views that have their rows.
    """
    has_names = frame.sparkSession.conf.get(EVOLUTION, "false") == "true"
    reader = _Reader(calls, has_names=has_names)
    reader.read(frame._jdf.queryExecution().analyzed())
    columns = tuple([(field.name, field.dataType.simpleString()) for field in frame.schema.fields])
    return Shape(tuple(reader.sources), tuple(reader.state), columns)


def describe_options(source: str, options: Mapping[str, str]) -> str:
    """Return the options that identify a source, as text.

    Passwords and rate limits do not identify a source. Kafka is identified by its topics alone, and NATS by stream and
    subject, because brokers may move, and the starting position only matters for a new checkpoint.

    >>> describe_options("kafka", {"subscribe": "orders", "kafka.bootstrap.servers": "a:9092"})
    "['subscribe=orders']"
    """
    if source == KAFKA:
        kept = [key for key in options if fold(key) in _TOPICS]
    elif source == nats_settings.NAME:
        kept = [key for key in options if fold(key) in _STREAMS_OF_NATS]
    else:
        kept = [key for key in options if not _RATES.match(key) and not is_secret(key)]
    return str(sorted(f"{key}={options[key]}" for key in kept))


def _name_of_source(node: Any) -> str | None:
    """Return the name that a source was given; Spark gives others a name of their own when the query starts."""
    if node.getClass().getSimpleName() not in _NAMED:
        return None
    given = node.sourceIdentifyingName().nameOpt()
    return str(given.get()) if given.isDefined() else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _items(sequence: Any) -> Iterator[Any]:
    """Yield the items of a Scala sequence."""
    for index in range(sequence.size()):
        yield sequence.apply(index)


class _Reader:
    """Reads a plan from its sources up, and remembers how each column is computed."""

    def __init__(self, calls: Mapping[str, StatefulCall], *, has_names: bool) -> None:
        self._calls = calls
        self._has_names = has_names
        # How the keys of the last process function below are computed.
        self._keys: list[str] = []
        self.sources: list[Part] = []
        self.state: list[Part] = []
        self._definitions: dict[str, str] = {}
        # The columns of the queries of WITH, by the identifier of the query.
        self._named: dict[int, list[str]] = {}

    def read(self, plan: Any) -> None:
        # Plans are as deep as queries are long, so that the walk has its own stack.
        waiting: list[tuple[Any, bool]] = [(plan, False)]
        while waiting:
            node, is_known = waiting.pop()
            children = list(_items(node.children()))
            if is_known or not children:
                self._visit(node, children)
            else:
                waiting.append((node, True))
                waiting += [(child, False) for child in reversed(children)]

    def _visit(self, node: Any, children: list[Any]) -> None:
        kind = node.getClass().getSimpleName()
        if kind == "CTERelationRef":
            self._visit_reference(node)
        elif not children:
            self._visit_source(node, kind)
        elif kind == "CTERelationDef":
            self._named[node.id()] = [self._of_attribute(attribute) for attribute in _items(node.output())]
        elif kind == "Project":
            self._define(node.projectList())
        elif kind == "SubqueryAlias":
            self._visit_view(str(node.alias()))
        elif kind == "Aggregate":
            if node.isStreaming():
                self._visit_aggregate(node)
            self._define(node.aggregateExpressions())
        elif node.isStreaming():
            self._visit_operator(node, kind, children)

    def _visit_source(self, node: Any, kind: str) -> None:
        given = _name_of_source(node) if self._has_names and node.isStreaming() else None
        number: object = given or (len(self.sources) if node.isStreaming() else -1)
        for attribute in _items(node.output()):
            self._definitions[str(attribute.exprId().id())] = f"{number}.{attribute.name()}"
        if not node.isStreaming():
            return
        if kind == "StreamingRelation":
            name = str(node.sourceName())
            files = _FILES.fullmatch(name)
            title = f"the source {name}" if files is None else f"the files of {files[1]}"
            self.sources.append(Part(title, _digest(name), None if files is None else files[1], name=given))
            return
        name = str(node.sourceName()) if kind == "StreamingRelationV2" else kind
        options = ""
        if kind == "StreamingRelationV2":
            entries = node.extraOptions().asCaseSensitiveMap()
            options = describe_options(name, {str(key): str(entries[key]) for key in entries})
        self.sources.append(Part(f"the source {name}", _digest(name + options), name=given))

    def _visit_reference(self, node: Any) -> None:
        """Give the columns of a reference to a query of WITH the definitions of the query's columns."""
        defined = self._named[node.cteId()]
        for attribute, definition in zip(_items(node.output()), defined, strict=True):
            self._definitions[str(attribute.exprId().id())] = definition

    def _of_attribute(self, attribute: Any) -> str:
        return self._definitions.get(str(attribute.exprId().id()), "?")

    def _visit_aggregate(self, node: Any) -> None:
        keys = [str(key.toString()) for key in _items(node.groupingExpressions())]
        calls = sorted({call for each in _items(node.aggregateExpressions()) for call in _find_aggregates(each)})
        title = f"the aggregates [{_names(calls)}] by [{_names(keys)}]"
        self._add(title, "Aggregate", [*keys, "|", *calls])

    def _visit_operator(self, node: Any, kind: str, children: list[Any]) -> None:
        if kind in ("Deduplicate", "DeduplicateWithinWatermark"):
            # The keys are in no order that the query decides.
            keys = sorted(self._expand(str(key.toString())) for key in _items(node.keys()))
            names = sorted(_name(str(key.toString())) for key in _items(node.keys()))
            self.state.append(Part(f"the distinct rows by [{', '.join(names)}]", _digest(f"{kind} {keys}")))
        elif kind == "Join" and all(child.isStreaming() for child in children):
            condition = str(node.condition().toString())
            how = str(node.joinType().sql())
            self._add(f"the {how} join of two streams on {_name(condition)}", f"Join {how}", [condition])
        elif kind == "Distinct":
            names = [str(attribute.toString()) for attribute in _items(node.output())]
            self._add(f"the distinct rows by [{_names(names)}]", kind, names)
        elif kind in ("GlobalLimit", "LocalLimit"):
            if kind == "GlobalLimit":
                self._add(f"the limit of {node.limitExpr().toString()} rows", kind, [str(node.limitExpr().toString())])
        elif kind == "MapInArrow":
            self._visit_packing(node, children[0])
        elif kind == "TransformWithStateInPySpark":
            attributes = list(_items(children[0].output()))[: node.groupingAttributesLen()]
            self._keys = [str(attribute.toString()) for attribute in attributes]
            self._add(f"the process function by [{_names(self._keys)}]", kind, self._keys)
            self._define_output(node)
        elif "WithState" in kind:
            keys = [str(key.toString()) for key in _items(node.groupingAttributes())]
            self._add(f"the process function by [{_names(keys)}]", kind, keys)

    def _visit_packing(self, node: Any, input: Any) -> None:
        """Remember how the key of packed rows is computed."""
        first, last = list(_items(node.output()))[:1], list(_items(input.output()))[-1:]
        # Other programs use mapInArrow as well, also on rows without columns.
        for made, given in zip(first, last, strict=False):
            if str(made.name()) == KEY and str(given.name()) == KEY:
                found = self._definitions.get(str(given.exprId().id()))
                if found is not None:
                    self._definitions[str(made.exprId().id())] = found
        self._define_output(node)

    def _define_output(self, node: Any) -> None:
        """Define the output columns of a node by their names and the stateful operators below."""
        for attribute in _items(node.output()):
            self._definitions.setdefault(str(attribute.exprId().id()), f"{len(self.state)}.{attribute.name()}")

    def _visit_view(self, name: str) -> None:
        """Describe the last part of the state by its process table function, if a view has the rows of its call."""
        call = self._calls.get(name.lower())
        if call is not None:
            definition = [call.state.uid, *[self._expand(key) for key in self._keys]]
            self.state[-1] = Part(call.title, _digest(str(definition)), call=call.state)

    def _add(self, title: str, kind: str, texts: list[str]) -> None:
        self.state.append(Part(title, _digest(f"{kind} {[self._expand(text) for text in texts]}")))

    def _define(self, expressions: Any) -> None:
        """Remember how the columns of a projection are computed."""
        found = {}
        for expression in _items(expressions):
            alias = _ALIAS.fullmatch(str(expression.toString()))
            if alias is not None:
                found[alias[3]] = self._expand(alias[1])
        self._definitions.update(found)

    def _expand(self, text: str) -> str:
        """Replace the columns of an expression by their definitions."""
        expanded = _COLUMN.sub(lambda match: self._definitions.get(match[1], "?"), text)
        # Long definitions would double with each projection that uses a column twice.
        expanded = _ADDRESS.sub("", expanded)
        return expanded if len(expanded) < 1_000 else _digest(expanded)


def _find_aggregates(expression: Any) -> Iterator[str]:
    """Yield the aggregate calls in an expression, as text."""
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        if current.getClass().getSimpleName() == "AggregateExpression":
            yield str(current.toString())
        else:
            waiting += list(_items(current.children()))


def _name(text: str) -> str:
    return re.sub(r"#\d+L?(?:-T\d+ms)?", "", text)


def _names(texts: list[str]) -> str:
    return ", ".join(map(_name, texts))
