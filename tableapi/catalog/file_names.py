"""File names for object names: readable on every file system, and never the same for two names.

A name is written unchanged, except for characters that some file system rejects, changes or confuses with others. Their
UTF-8 bytes are escaped as ``%41``. The unescaped characters are A to Z, digits, ``_``, a ``-`` that is not the first
one, and other letters that no file system composes, decomposes or folds. Catalogs ignore the case of names, so
case-insensitive file systems cause no problem.

A name that is too long is truncated, followed by ``~`` and a digest; its file contains the whole name.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from ir.errors import ValidationException
from ir.identifiers import fold
from ir.message_texts import with_article

LONGEST: Final = 150
"""The most bytes of a file name without its ending: some file systems take 255 bytes, encrypted ones 143 characters."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]")
_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_CUT: Final = re.compile(r"~[0-9a-f]{32}$")
# On Windows, these are devices, whatever ending follows.
_DEVICES: Final = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com\d|lpt\d)$", re.IGNORECASE)


def file_name(name: str) -> str:
    """Return the name, without ending, of the file that holds an object.

    >>> file_name("late_flights"), file_name("Größe"), file_name("../a.b"), file_name("con")
    ('late_flights', 'Grö%C3%9Fe', '%2E%2E%2Fa%2Eb', '%63on')

    Raises:
        ValidationException: the name is empty, or contains a lone surrogate.
    """
    check_name(name)
    written = "".join(c if _stays(c) else _escape(c) for c in name)
    if unicodedata.normalize("NFC", written) != written:
        written = "".join(c if _PLAIN.match(c) else _escape(c) for c in name)
    if written[0] == "-" or _DEVICES.match(written):
        written = _escape(written[0]) + written[1:]
    if len(written.encode()) > LONGEST:
        digest = hashlib.sha256(fold(name).encode()).hexdigest()[:32]
        written = f"{_truncate(written, LONGEST - 33)}~{digest}"
    return written


def object_name(stem: str) -> str | None:
    """Return the object name for a file name without ending; None for a truncated name, which only the file contains.

    >>> object_name("%2E%2E%2Fa%2Eb"), object_name("late flights")
    ('../a.b', 'late flights')

    Raises:
        ValueError: the file name is not valid for any object name.
    """
    # Some file systems return letters in decomposed form.
    composed = unicodedata.normalize("NFC", stem)
    if _CUT.search(composed):
        return None
    parts = _ESCAPE.split(composed)
    # Plain parts alternate with escaped bytes.
    raw = b"".join(part.encode() if i % 2 == 0 else bytes([int(part, 16)]) for i, part in enumerate(parts))
    name = raw.decode()
    if "%" in "".join(parts[::2]) or not name:
        raise ValueError(f"{stem!r} is not how a name is written: of a character, %41 stands for each byte.")
    return name


def check_name(name: str, kind: str = "object") -> None:
    """Check that a file can have a name.

    Raises:
        ValidationException: the name is empty, or contains a lone surrogate.
    """
    if not name:
        raise ValidationException(f"The name of {with_article(kind)} must not be empty.")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ValidationException(
            f"The name {name!r} has the lone surrogate {name[error.start]!r} at position {error.start}, which is half "
            "of a character and cannot be stored."
        ) from None


def _stays(character: str) -> bool:
    if _PLAIN.match(character):
        return True
    # Keep letters that are unambiguous under every rule by which file systems compare names.
    lower = character.lower()
    return (
        character > "\x7f"
        and character.isalpha()
        and len(lower) == 1
        and character.casefold() == lower
        and lower.upper().lower() == lower
        and unicodedata.normalize("NFKC", character) == character
        # Python lower-cases this letter depending on its position in the word.
        and character not in "Σσς"
    )


def _escape(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _truncate(written: str, longest: int) -> str:
    """Truncate to a number of bytes, without splitting a character or an escape."""
    cut = written.encode()[:longest].decode(errors="ignore")
    return re.sub(r"%[0-9A-F]?$", "", cut)
