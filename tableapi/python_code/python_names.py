"""Names in generated code: which strings are valid Python names, and similar names for strings that are not.

Python compares names in the Unicode normal form NFKC, in which ``ſ`` is ``s`` and ``ª`` is ``a``. SQL does not. A name
that is not in this form may become another name in Python, so it is never written unchanged.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata


def is_python_name(name: object) -> bool:
    """Whether a value is a valid Python name that Python does not normalize to another one.

    >>> is_python_name("total"), is_python_name("class"), is_python_name("two words"), is_python_name("ſ")
    (True, False, False, False)
    """
    return (
        isinstance(name, str)
        and name.isidentifier()
        and not keyword.iskeyword(name)
        # __debug__ is not a keyword, but cannot be assigned.
        and name != "__debug__"
        and unicodedata.is_normalized("NFKC", name)
    )


def identifier(words: str) -> str:
    """Return a Python identifier similar to a text, which is neither a keyword nor a builtin.

    >>> identifier("Order Lines"), identifier("2024"), identifier("class"), identifier("ſum"), identifier("ªb")
    ('order_lines', 'table_2024', 'class_', 'sum_', 'ab')
    """
    made = _normalize(re.sub(r"\W+|_+", "_", _normalize(words)).strip("_").lower())
    if not made or not made.isidentifier():
        made = f"table_{made}".rstrip("_")
    made = made if made.isidentifier() and unicodedata.is_normalized("NFKC", made) else "table"
    return f"{made}_" if keyword.iskeyword(made) or keyword.issoftkeyword(made) or hasattr(builtins, made) else made


def _normalize(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)
