"""Options of tables of Kafka, by Flink's names, as options of Spark's source and sink.

Sources: https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/kafka/ and
https://spark.apache.org/docs/latest/streaming/structured-streaming-kafka-integration.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from tableapi.declarations.file_options import MONITOR_INTERVAL, STREAMING, capitalize
from tableapi.declarations.record_names import RECORD_OPTIONS, is_option_of_format

SERVERS: Final = "properties.bootstrap.servers"
PROPERTIES: Final = "properties."
BOUNDED_MODE: Final = "scan.bounded.mode"
STARTUP_MODE: Final = "scan.startup.mode"
_OF_FLINK: Final = (
    "topic",
    "topic-pattern",
    STARTUP_MODE,
    "scan.startup.timestamp-millis",
    "scan.startup.specific-offsets",
    BOUNDED_MODE,
    "scan.bounded.timestamp-millis",
    "scan.bounded.specific-offsets",
    "sink.partitioner",
    "sink.delivery-guarantee",
)
# Options of Spark that say how a topic is read, and have no name in Flink.
_OF_SPARK: Final = (
    "failOnDataLoss",
    "fetchOffset.numRetries",
    "fetchOffset.retryIntervalMs",
    "groupIdPrefix",
    "kafkaConsumer.pollTimeoutMs",
    "maxOffsetsPerTrigger",
    "maxRecordsPerPartition",
    "maxTriggerDelay",
    "minOffsetsPerTrigger",
    "minPartitions",
)
_ONLY_STREAMS: Final = ("maxOffsetsPerTrigger", "maxTriggerDelay", "minOffsetsPerTrigger")
_BY_NAME: Final = {fold(name): name for name in _OF_SPARK}
OPTIONS: Final = (*_OF_FLINK, SERVERS, f"{PROPERTIES}…", *RECORD_OPTIONS, *_OF_SPARK, STREAMING)
REFUSED: Final[Mapping[str, str]] = {
    "scan.topic-partition-discovery.interval": "Spark looks for new partitions and topics before each batch. Leave it "
    "out",
    "scan.startup.timestamp": "The time is 'scan.startup.timestamp-millis', in milliseconds since 1970",
    "scan.parallelism": "Spark reads each partition of a topic in a task; 'minPartitions' asks for more tasks",
    "sink.parallelism": "Spark writes with as many tasks as the query has; repartition the rows in the query",
    "sink.transactional-id-prefix": "Spark's sink has no transactions: it writes at least once",
    "sink.semantic": "Its name is 'sink.delivery-guarantee'",
    "sink.buffer-flush.max-rows": "A producer of Kafka batches by 'properties.batch.size'",
    "sink.buffer-flush.interval": "A producer of Kafka batches by 'properties.linger.ms'",
    "subscribe": "That is Spark's name of 'topic'",
    "subscribepattern": "That is Spark's name of 'topic-pattern'",
    "assign": "Spark's option reads single partitions; read the topic, and filter by the metadata 'partition'",
    "startingoffsets": "That is said by 'scan.startup.mode'",
    "startingtimestamp": "That is said by 'scan.startup.mode' = 'timestamp'",
    "startingoffsetsbytimestamp": "That is said by 'scan.startup.mode' = 'timestamp'",
    "endingoffsets": "That is said by 'scan.bounded.mode'",
    "endingtimestamp": "That is said by 'scan.bounded.mode' = 'timestamp'",
    "endingoffsetsbytimestamp": "That is said by 'scan.bounded.mode' = 'timestamp'",
    "includeheaders": "Declare a column METADATA FROM 'headers', and Spark reads them",
}
# Properties of clients that Spark sets itself, with the reason.
_OWN_PROPERTIES: Final[Mapping[str, str]] = {
    "auto.offset.reset": f"The table says where reading begins: {STARTUP_MODE!r}",
    "enable.auto.commit": "Spark keeps offsets in the checkpoint, and commits none",
    "interceptor.classes": "Spark allows no interceptors, which could change the keys",
    **dict.fromkeys(
        ("key.deserializer", "value.deserializer", "key.serializer", "value.serializer"),
        "Spark reads and writes bytes; 'key.format' and 'value.format' say what they are",
    ),
}
_STARTS: Final = ("earliest-offset", "latest-offset", "timestamp", "specific-offsets")
_ENDS: Final = ("unbounded", "latest-offset", "timestamp", "specific-offsets")
_GROUP: Final = (
    "Spark keeps offsets in the checkpoint of a query, and reads none of a group. A query that is started again "
    "continues where it was; a new one begins at 'earliest-offset' or 'latest-offset'"
)
_OFFSET: Final = re.compile(r"partition:(\d+),\s*offset:(\d+)")


@attrs.frozen
class KafkaOptions:
    """Checked options of a table of Kafka.

    Attributes:
        is_stream: whether the rows do not end.
        read: the options of Spark's source.
        write: the options of Spark's sink.
        topics: the topics, or the pattern of their names, which tell the table from others.
        topic: the topic to write to; None if the table names several, or a pattern.
    """

    is_stream: bool
    read: Mapping[str, str]
    write: Mapping[str, str]
    topics: str
    topic: str | None

    @property
    def servers(self) -> str:
        """The brokers."""
        return self.read["kafka.bootstrap.servers"]


def refuse_kafka_option(key: str) -> None:
    """Reject an option that tables of Kafka do not have.

    Raises:
        TableException: there is no such option; the message has the reason or suggests the nearest name.

    >>> refuse_kafka_option("properties.bootstrap.servers")
    """
    if key in (*_OF_FLINK, *RECORD_OPTIONS, STREAMING, "connector") or fold(key) in _BY_NAME:
        return
    if is_option_of_format(key):
        return
    if key.startswith(PROPERTIES):
        name = key.removeprefix(PROPERTIES)
        reason = _OWN_PROPERTIES.get(name)
        if reason is not None:
            raise TableException(f"The option {key!r} of the connector 'kafka' is not supported. {reason}.", option=key)
        return
    reason = REFUSED.get(fold(key))
    if reason is None and fold(key).startswith("kafka."):
        reason = f"Properties of Kafka's clients are '{PROPERTIES}{key[len('kafka.') :]}'"
    if reason is None and key == MONITOR_INTERVAL:
        reason = "A stream of Kafka reads what is new in each batch; the trigger of the query says when"
    if reason is not None:
        raise TableException(f"The option {key!r} of the connector 'kafka' is not supported. {reason}.", option=key)
    raise TableException(
        f"The connector 'kafka' has no option {key!r}.{did_you_mean(key, OPTIONS)} Its options are "
        f"[{listing(OPTIONS, 100)}].",
        option=key,
    )


def read_kafka_options(
    options: Mapping[str, str], said: bool | None, is_streaming_mode: bool, name: str
) -> KafkaOptions:
    """Return the options of a table of Kafka, without those of its formats, by Spark's names.

    Args:
        options: the options of the descriptor that ``refuse_kafka_option`` accepts, without those of the formats.
        said: what the option ``streaming`` says.
        is_streaming_mode: whether the environment runs in streaming mode.
        name: the name of the table in messages.

    Raises:
        ValidationException: an option is missing, has an invalid value, or contradicts another one.
        TableException: the value of an option has no counterpart in Spark.
    """
    if SERVERS not in options:
        raise ValidationException(
            f"{capitalize(name)} has no option {SERVERS!r}, which names the brokers, such as 'localhost:9092'."
        )
    is_stream = _is_stream(options, said, is_streaming_mode, name)
    clients = {
        f"kafka.{key.removeprefix(PROPERTIES)}": value for key, value in options.items() if key.startswith(PROPERTIES)
    }
    topics = _topics(options, name)
    subscribed = {"subscribePattern": topics} if "topic-pattern" in options else {"subscribe": topics}
    read = {**clients, **subscribed, **_start(options, topics, name, is_stream), **_end(options, topics, name)}
    for key, value in options.items():
        spark = _BY_NAME.get(fold(key))
        if spark is None:
            continue
        if not is_stream and spark in _ONLY_STREAMS:
            raise ValidationException(
                f"{capitalize(name)} has the option {key!r}, which is for streams, and its rows end. Leave it out.",
                option=key,
            )
        read[spark] = value
    _check_sink(options, name)
    topic = options.get("topic")
    only = None if topic is None or ";" in topic else topic.strip()
    # A producer does not know the options of consumers, and ignores them.
    write = {key: value for key, value in clients.items() if key != "kafka.group.id"}
    return KafkaOptions(is_stream, read, write, topics, only)


def _is_stream(options: Mapping[str, str], said: bool | None, is_streaming_mode: bool, name: str) -> bool:
    bounded = options.get(BOUNDED_MODE)
    if bounded in (None, "unbounded"):
        if bounded == "unbounded" and said is False:
            raise ValidationException(
                f"{capitalize(name)} has {BOUNDED_MODE!r} = 'unbounded' and {STREAMING!r} = 'false'. Leave one of them "
                "out."
            )
        return bounded == "unbounded" or (is_streaming_mode if said is None else said)
    if said:
        raise ValidationException(
            f"{capitalize(name)} has {BOUNDED_MODE!r} = {bounded!r}, so that its rows end, and {STREAMING!r} = 'true'. "
            "Leave one of them out. A stream that ends with the rows of now has the trigger 'available-now'."
        )
    return False


def _topics(options: Mapping[str, str], name: str) -> str:
    given, pattern = options.get("topic"), options.get("topic-pattern")
    if (given is None) is (pattern is None):
        raise ValidationException(f"Of the options 'topic' and 'topic-pattern', {name} needs exactly one.")
    if pattern is not None:
        return pattern
    topics = [topic.strip() for topic in str(given).split(";")]
    if not all(topics) or any("," in topic for topic in topics):
        raise ValidationException(
            f"The option 'topic' of {name} is a topic, or several with ';' between them, but was given {given!r}."
        )
    return ",".join(topics)


def _start(options: Mapping[str, str], topics: str, name: str, is_stream: bool) -> dict[str, str]:
    mode = options.get(STARTUP_MODE)
    companions = _companions(options, "startup", mode, name)
    if mode is None:
        # Spark's defaults: a stream begins with new records, and a table has all of them.
        return {}
    _require_mode(STARTUP_MODE, mode, _STARTS, name)
    if mode == "latest-offset" and not is_stream:
        raise ValidationException(
            f"{capitalize(name)} has {STARTUP_MODE!r} = 'latest-offset', and its rows end now, so that it would have "
            "none. Say 'earliest-offset', or make it a stream: 'streaming' = 'true'."
        )
    if mode == "timestamp":
        # A partition without a later record begins with the next one, as in Flink; Spark's default is an error.
        return {"startingTimestamp": companions, "startingOffsetsByTimestampStrategy": "latest"}
    if mode == "specific-offsets":
        return {"startingOffsets": _offsets(companions, "scan.startup.specific-offsets", options, topics, name)}
    return {"startingOffsets": mode.removesuffix("-offset")}


def _end(options: Mapping[str, str], topics: str, name: str) -> dict[str, str]:
    mode = options.get(BOUNDED_MODE)
    companions = _companions(options, "bounded", mode, name)
    if mode is None or mode == "unbounded":
        return {}
    _require_mode(BOUNDED_MODE, mode, _ENDS, name)
    if mode == "timestamp":
        return {"endingTimestamp": companions}
    if mode == "specific-offsets":
        return {"endingOffsets": _offsets(companions, "scan.bounded.specific-offsets", options, topics, name)}
    return {"endingOffsets": "latest"}


def _require_mode(key: str, mode: str, modes: tuple[str, ...], name: str) -> None:
    if mode == "group-offsets":
        raise TableException(
            f"{capitalize(name)} has {key!r} = 'group-offsets', which is not supported. {_GROUP}.", option_value=key
        )
    if mode not in modes:
        raise ValidationException(
            f"The option {key!r} of {name} takes one of [{listing(modes)}], but was given {mode!r}."
            + did_you_mean(mode, modes),
            option_value=key,
        )


def _companions(options: Mapping[str, str], which: str, mode: str | None, name: str) -> str:
    """Return the value of the option that a mode needs; check that no other mode's option is there."""
    found = ""
    for needing, ending in (("timestamp", "timestamp-millis"), ("specific-offsets", "specific-offsets")):
        key = f"scan.{which}.{ending}"
        if key in options and mode != needing:
            raise ValidationException(
                f"{capitalize(name)} has the option {key!r}, which belongs to 'scan.{which}.mode' = {needing!r}.",
                option=key,
            )
        if mode == needing:
            if key not in options:
                raise ValidationException(
                    f"{capitalize(name)} has 'scan.{which}.mode' = {mode!r} and no option {key!r}, which it needs."
                )
            found = options[key]
            if needing == "timestamp" and not found.isdecimal():
                raise ValidationException(
                    f"The option {key!r} of {name} is a number of milliseconds since 1970, but was given {found!r}.",
                    option_value=key,
                )
    return found


def _offsets(given: str, key: str, options: Mapping[str, str], topics: str, name: str) -> str:
    """Return offsets as the JSON that Spark takes.

    Raises:
        ValidationException: the text has another form, names a partition twice, or the table has several topics.
    """
    if "topic-pattern" in options or "," in topics:
        raise ValidationException(f"The option {key!r} of {name} needs one topic, and the table has several.")
    found: dict[str, int] = {}
    for part in given.rstrip(";").split(";"):
        match = _OFFSET.fullmatch(part.strip())
        if match is None or match[1] in found:
            problem = "twice the same partition" if match is not None else repr(part)
            raise ValidationException(
                f"The option {key!r} of {name} has the form 'partition:0,offset:42;partition:1,offset:300', but has "
                f"{problem}."
            )
        found[match[1]] = int(match[2])
    return json.dumps({topics: found})


def _check_sink(options: Mapping[str, str], name: str) -> None:
    partitioner = options.get("sink.partitioner", "default")
    if partitioner != "default":
        raise TableException(
            f"{capitalize(name)} has 'sink.partitioner' = {partitioner!r}, which is one of Flink's tasks. Leave it "
            "out, so that Kafka's partitioner chooses by the key; name another one in "
            "'properties.partitioner.class'; or write the number into a column METADATA FROM 'partition'."
        )
    guarantee = options.get("sink.delivery-guarantee", "at-least-once")
    if guarantee == "exactly-once":
        raise TableException(
            f"{capitalize(name)} has 'sink.delivery-guarantee' = 'exactly-once', and Spark writes to Kafka at least "
            "once: a batch that is repeated is written again. Say 'at-least-once', and have readers ignore repeated "
            "keys."
        )
    if guarantee not in ("at-least-once", "none"):
        raise ValidationException(
            f"The option 'sink.delivery-guarantee' of {name} takes 'at-least-once' or 'none', but was given "
            f"{guarantee!r}."
        )
