"""Options of tables of NATS JetStream. The names follow those of Flink's connector of Kafka."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from tableapi.declarations.file_options import MONITOR_INTERVAL, STREAMING, capitalize
from tableapi.declarations.jdbc import PASSWORD_VARIABLE
from tableapi.declarations.record_names import ON_ERROR, is_option_of_format
from tableapi.spark.runtime.nats import settings

TOKEN_VARIABLE: Final = "token-variable"
_STARTS: Final = (settings.EARLIEST, settings.LATEST, settings.AT_TIMESTAMP, settings.AT_SEQUENCE)
_FORMATS: Final = ("format", "value.format", ON_ERROR)


def _is_count(value: str) -> bool:
    return value.isdecimal() and int(value) > 0


def _is_seconds(value: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", value) is not None and float(value) > 0


@attrs.frozen
class _Option:
    """An option: which values it takes, in words for a message."""

    accepts: Callable[[str], object]
    accepted: str


_COUNT: Final = _Option(_is_count, "a whole number from 1")
_TEXT: Final = _Option(bool, "a text that is not empty")
_OPTIONS: Final[Mapping[str, _Option]] = {
    settings.SERVERS: _Option(
        re.compile(r"\s*((nats|tls)://)?[^\s,/]+(\s*,\s*((nats|tls)://)?[^\s,/]+)*\s*").fullmatch,
        "URLs with commas between them, such as 'nats://localhost:4222'",
    ),
    settings.STREAM: _Option(
        re.compile(r"[^\s.*>/\\]+").fullmatch, "the name of a stream: without spaces, dots, '*', '>' and slashes"
    ),
    settings.SUBJECT: _Option(
        re.compile(r"[^\s.]+(\.[^\s.]+)*").fullmatch, "a subject: words with dots between them, such as 'orders.eu'"
    ),
    settings.USERNAME: _TEXT,
    settings.PASSWORD: _TEXT,
    PASSWORD_VARIABLE: _TEXT,
    settings.TOKEN: _TEXT,
    TOKEN_VARIABLE: _TEXT,
    settings.TIMEOUT: _Option(_is_seconds, "a number of seconds above 0"),
    settings.STARTUP_MODE: _Option(_STARTS.__contains__, f"one of [{listing(_STARTS)}]"),
    settings.STARTUP_SEQUENCE: _COUNT,
    settings.STARTUP_TIMESTAMP: _Option(str.isdecimal, "a number of milliseconds since 1970"),
    settings.MESSAGES_PER_TRIGGER: _COUNT,
    settings.MESSAGES_PER_PARTITION: _COUNT,
    settings.FAIL_ON_DATA_LOSS: _Option(("true", "false").__contains__, "'true' or 'false'"),
}
OPTIONS: Final = (*_OPTIONS, *_FORMATS, STREAMING)
"""The options of tables of NATS besides those of the formats."""
REFUSED: Final[Mapping[str, str]] = {
    "key.format": "A message of NATS has no key. Its subject is the metadata 'subject'",
    "key.fields": "A message of NATS has no key. Its subject is the metadata 'subject'",
    "key.fields-prefix": "A message of NATS has no key. Its subject is the metadata 'subject'",
    "value.fields-include": "A message of NATS has no key, so that its value has all columns",
    "topic": "NATS has streams of subjects: 'stream' and 'subject'",
    "properties.bootstrap.servers": "Its name is 'servers'",
    "url": "Its name is 'servers'",
    "consumer": "Spark keeps in the checkpoint how far a query has read, and the readers need no durable consumer",
    "durable": "Spark keeps in the checkpoint how far a query has read, and the readers need no durable consumer",
    "scan.startup.specific-offsets": "Its name is 'scan.startup.sequence'",
    "scan.bounded.mode": "A table that is no stream ends with the messages that there are: 'streaming' = 'false'",
    MONITOR_INTERVAL: "A stream of NATS reads what is new in each batch; the trigger of the query says when",
    "sink.delivery-guarantee": "The sink sends an identifier with each message, by which the stream ignores repeats",
    "credentials": "NKeys and JWTs are not supported. Use 'username' and 'password', or 'token'",
    "nkey": "NKeys and JWTs are not supported. Use 'username' and 'password', or 'token'",
}
_PARTNERS: Final = {
    settings.STARTUP_SEQUENCE: settings.AT_SEQUENCE,
    settings.STARTUP_TIMESTAMP: settings.AT_TIMESTAMP,
}


@attrs.frozen
class NatsOptions:
    """Checked options of a table of NATS.

    Attributes:
        options: the options of the data source, without secrets that are in the environment.
        variables: the environment variables of the other secrets, by the option.
    """

    options: Mapping[str, str]
    variables: Mapping[str, str]


def refuse_nats_option(key: str) -> None:
    """Reject an option that tables of NATS do not have.

    Raises:
        TableException: there is no such option; the message has the reason or suggests the nearest name.

    >>> refuse_nats_option("servers")
    """
    if key in (*OPTIONS, "connector") or (is_option_of_format(key) and not key.startswith("key.")):
        return
    reason = REFUSED.get(key) or (REFUSED["key.format"] if key.startswith("key.") else None)
    if reason is not None:
        raise TableException(f"The option {key!r} of the connector 'nats' is not supported. {reason}.", option=key)
    near = did_you_mean(key, OPTIONS) or f" Its options are [{listing(OPTIONS, 100)}]."
    raise TableException(f"The connector 'nats' has no option {key!r}.{near}", option=key)


def read_nats_options(options: Mapping[str, str], name: str, *, is_stream: bool) -> NatsOptions:
    """Check the options of a table of NATS, without those of its format.

    Args:
        options: the options of the descriptor, without the connector and the options of the format.
        name: the name of the table in messages.
        is_stream: whether the rows do not end.

    Raises:
        ValidationException: an option is missing, has an invalid value, or contradicts another one.
        TableException: an option is not supported; the message has the reason or suggests the nearest name.
    """
    for key, value in options.items():
        refuse_nats_option(key)
        known = _OPTIONS[key]
        if not known.accepts(value):
            raise ValidationException(
                f"The option {key!r} of {name} is {known.accepted}, but was given {value!r}."
                + (did_you_mean(value, _STARTS) if key == settings.STARTUP_MODE else ""),
                option_value=key,
            )
    for key, use in ((settings.SERVERS, "names the servers, such as 'nats://localhost:4222'"), (settings.STREAM, "")):
        if key not in options:
            raise ValidationException(
                f"{capitalize(name)} has no option {key!r}, which {use or 'names the stream that stores its messages'}."
            )
    _check_start(options, name, is_stream)
    if settings.MESSAGES_PER_TRIGGER in options and not is_stream:
        raise ValidationException(
            f"{capitalize(name)} has the option {settings.MESSAGES_PER_TRIGGER!r}, which is for streams, and its rows "
            "end. Leave it out.",
            option=settings.MESSAGES_PER_TRIGGER,
        )
    variables = _check_user(options, name)
    given = {key: value for key, value in options.items() if key not in (PASSWORD_VARIABLE, TOKEN_VARIABLE)}
    return NatsOptions(given, variables)


def _check_start(options: Mapping[str, str], name: str, is_stream: bool) -> None:
    mode = options.get(settings.STARTUP_MODE, settings.EARLIEST)
    if mode == settings.LATEST and not is_stream:
        raise ValidationException(
            f"{capitalize(name)} has {settings.STARTUP_MODE!r} = {mode!r}, and its rows end now, so that it would have "
            f"none. Say {settings.EARLIEST!r}, or make it a stream: 'streaming' = 'true'."
        )
    for key, needing in _PARTNERS.items():
        if key in options and mode != needing:
            raise ValidationException(
                f"{capitalize(name)} has the option {key!r}, which belongs to {settings.STARTUP_MODE!r} = {needing!r}.",
                option=key,
            )
        if mode == needing and key not in options:
            raise ValidationException(
                f"{capitalize(name)} has {settings.STARTUP_MODE!r} = {mode!r} and no option {key!r}, which it needs."
            )


def _check_user(options: Mapping[str, str], name: str) -> dict[str, str]:
    """Return the environment variables with the secrets of a table, by the option; check the user."""
    variables = {}
    for key, variable in ((settings.PASSWORD, PASSWORD_VARIABLE), (settings.TOKEN, TOKEN_VARIABLE)):
        if key in options and variable in options:
            raise ValidationException(f"Of {key!r} and {variable!r}, {name} needs one.")
        if variable in options:
            variables[key] = options[variable]
    has_password = settings.PASSWORD in options or PASSWORD_VARIABLE in options
    has_token = settings.TOKEN in options or TOKEN_VARIABLE in options
    if (settings.USERNAME in options) is not has_password:
        present, absent = ("username", "password") if not has_password else ("password", "username")
        raise ValidationException(f"{capitalize(name)} has a {present} and no {absent}; a user needs both.")
    if has_password and has_token:
        raise ValidationException(f"{capitalize(name)} has a username and a token. Leave one of them out.")
    return variables
