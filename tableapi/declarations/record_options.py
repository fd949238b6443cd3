"""Options of tables of records: the formats of key and value, and what happens to unreadable records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ir import light_attrs as attrs
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.identifiers import fold
from ir.schema import Column
from tableapi.declarations.file_options import capitalize
from tableapi.declarations.record_names import FORMATS, ON_ERROR, RECORD_OPTIONS, is_option_of_format
from tableapi.declarations.value_formats import ValueFormat, read_format, require_columns

FAIL: Final = "fail"
SKIP: Final = "skip"
KEEP: Final = "keep"
_POLICIES: Final = (FAIL, SKIP, KEEP)
_ALL: Final = "ALL"
_EXCEPT_KEY: Final = "EXCEPT_KEY"


@attrs.frozen
class Part:
    """The key or the value of a record: its format, and the columns in it.

    Attributes:
        format: the format.
        columns: the columns by their names in the format.
        names: the names of the columns in the table.
    """

    format: ValueFormat
    columns: tuple[Column, ...]
    names: tuple[str, ...]


@attrs.frozen
class RecordFormats:
    """The formats of the records of a table.

    Attributes:
        value: the value.
        key: the key; None if it has no columns.
        on_error: what happens to records that cannot be read: ``fail``, ``skip`` or ``keep``.
    """

    value: Part
    key: Part | None
    on_error: str


def read_record_formats(
    options: Mapping[str, str], columns: Sequence[Column], name: str
) -> tuple[RecordFormats, dict[str, str]]:
    """Return the formats of the records of a table, and the options that say something else.

    Args:
        options: the options of the descriptor.
        columns: the stored columns, as they are read.
        name: the name of the table in messages.

    Raises:
        ValidationException: an option is missing, has an invalid value, or contradicts another one.
        TableException: a format, an option of a format, or the type of a column is not supported.
    """
    rest = dict(options)
    if "format" in rest and "value.format" in rest:
        raise ValidationException(f"{capitalize(name)} has both 'format' and 'value.format'. Leave one of them out.")
    chosen = next((key for key in ("format", "value.format") if key in rest), None)
    if chosen is None:
        raise ValidationException(
            f"{capitalize(name)} has no option 'format', which says what the values of its records are: one of "
            f"[{listing(FORMATS)}]."
        )
    value_format, taken = read_format(rest, chosen, name, ("value.", ""))
    key_format, taken_by_key = None, frozenset[str]()
    if "key.format" in rest:
        key_format, taken_by_key = read_format(rest, "key.format", name, ("key.",))
    key_names = _key_names(rest, columns, key_format is not None, name)
    includes = rest.get("value.fields-include", _ALL)
    if includes not in (_ALL, _EXCEPT_KEY):
        raise ValidationException(
            f"The option 'value.fields-include' of {name} takes {_ALL!r} or {_EXCEPT_KEY!r}, but was given "
            f"{includes!r}." + did_you_mean(includes, (_ALL, _EXCEPT_KEY)),
            option_value="value.fields-include",
        )
    prefix = rest.get("key.fields-prefix", "")
    _check_prefix(prefix, key_names, includes, name)
    key = None
    if key_format is not None:
        in_key = [column for column in columns if column.name in key_names]
        without = [column.evolve(name=column.name.removeprefix(prefix)) for column in in_key]
        require_columns(key_format, without, f"the key of {name}")
        key = Part(key_format, tuple(without), tuple([column.name for column in in_key]))
    in_value = [column for column in columns if includes == _ALL or column.name not in key_names]
    require_columns(value_format, in_value, f"the value of {name}")
    value = Part(value_format, tuple(in_value), tuple([column.name for column in in_value]))
    formats = RecordFormats(value, key, _policy(rest, (value_format, key_format), name))
    left = {key: text for key, text in rest.items() if key not in (*RECORD_OPTIONS, *taken, *taken_by_key)}
    _refuse_other_formats(left, name)
    return formats, left


def _key_names(options: Mapping[str, str], columns: Sequence[Column], has_format: bool, name: str) -> tuple[str, ...]:
    given = options.get("key.fields")
    if (given is not None) is not has_format:
        present, absent = ("key.fields", "key.format") if given is not None else ("key.format", "key.fields")
        raise ValidationException(
            f"{capitalize(name)} has {present!r} and no {absent!r}; the columns in the key of a record need both."
        )
    if given is None:
        return ()
    known = {fold(column.name): column.name for column in columns}
    found: list[str] = []
    for part in given.split(";"):
        column = known.get(fold(part.strip()))
        if column is None or column in found:
            problem = "twice" if column is not None else f"which is no stored column: [{listing(known.values())}]"
            raise ValidationException(
                f"The option 'key.fields' of {name} names {part.strip()!r}, {problem}."
                + did_you_mean(part.strip(), known.values())
            )
        found.append(column)
    return tuple(found)


def _check_prefix(prefix: str, names: Sequence[str], includes: str, name: str) -> None:
    if not prefix:
        return
    if includes != _EXCEPT_KEY:
        raise ValidationException(
            f"{capitalize(name)} has 'key.fields-prefix', which needs 'value.fields-include' = {_EXCEPT_KEY!r}: the "
            "values have no columns with the prefix."
        )
    for column in names:
        if not column.startswith(prefix) or column == prefix:
            raise ValidationException(
                f"The column {column!r} of 'key.fields' of {name} does not begin with the prefix {prefix!r}."
            )


def _policy(options: Mapping[str, str], formats: Sequence[ValueFormat | None], name: str) -> str:
    given = options.get(ON_ERROR)
    skips = any(format is not None and format.skips_errors for format in formats)
    if given is None:
        return SKIP if skips else FAIL
    if given not in _POLICIES:
        raise ValidationException(
            f"The option {ON_ERROR!r} of {name} takes one of [{listing(_POLICIES)}], but was given {given!r}."
            + did_you_mean(given, _POLICIES),
            option_value=ON_ERROR,
        )
    if skips and given != SKIP:
        raise ValidationException(
            f"{capitalize(name)} has 'ignore-parse-errors' = 'true' and {ON_ERROR!r} = {given!r}. Leave one of them "
            "out."
        )
    return given


def _refuse_other_formats(left: Mapping[str, str], name: str) -> None:
    for key in left:
        if is_option_of_format(key):
            raise TableException(
                f"{capitalize(name)} has the option {key!r}, which belongs to no format of the table. Options of the "
                "key begin with 'key.' and the format.",
                option=key,
            )
