"""Passwords in the options of tables, which no text, representation or message shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from ir.identifiers import fold

MASK: Final = "******"
_SECRET_KEY: Final = re.compile(
    r"password$|secret|token|passphrase|private.?key|credential|jaas\.config$|keystore\.key$", re.IGNORECASE
)
# The parts of a URL that may hold a password: user:password@host, and password=… among the parameters.
_IN_URL: Final = re.compile(r"(?i)(://[^/@:]*:)[^@/]+(?=@)|((?:password|pwd|secret|token)=)[^&;]+")


def is_secret(key: str) -> bool:
    """Whether the value of an option is secret.

    >>> is_secret("password"), is_secret("url"), is_secret("password-variable")
    (True, False, False)
    >>> is_secret("properties.sasl.jaas.config"), is_secret("properties.ssl.truststore.location")
    (True, False)
    """
    return _SECRET_KEY.search(fold(key)) is not None and not fold(key).endswith("variable")


def mask(value: str) -> str:
    """Replace the passwords in a URL.

    >>> mask("jdbc:postgresql://db/sales?user=ann&password=x1")
    'jdbc:postgresql://db/sales?user=ann&password=******'
    """
    return _IN_URL.sub(lambda match: f"{match.group(1) or match.group(2)}{MASK}", value)


def has_secret(options: Mapping[str, str]) -> bool:
    """Whether options contain a password."""
    return any(is_secret(key) or mask(value) != value for key, value in options.items())


def mask_options(options: Mapping[str, str]) -> Mapping[str, str]:
    """Return options with every secret replaced."""
    return {key: MASK if is_secret(key) else mask(value) for key, value in options.items()}


@contextmanager
def mask_errors(options: Mapping[str, str]) -> Iterator[None]:
    """Replace the secrets of options in the messages of errors raised in the block."""
    hidden = [value for key, value in options.items() if is_secret(key) and value]
    hidden += [value for value in options.values() if mask(value) != value]
    try:
        yield
    except Exception as error:
        hidden.sort(key=len, reverse=True)
        error.args = tuple([_hide(text, hidden) if isinstance(text, str) else text for text in error.args])
        raise


def _hide(text: str, hidden: list[str]) -> str:
    text = mask(text)
    for value in hidden:
        text = text.replace(value, mask(value) if "://" in value else MASK)
    return text
