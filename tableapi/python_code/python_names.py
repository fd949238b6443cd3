"""Names in generated code: which texts Python takes as names, and names like a text that it takes.

Python compares names in Unicode's normal form NFKC: ``ſ`` is ``s``, ``ª`` is ``a``. SQL does not. A name that is not in
that form may therefore be another one to Python, and is never written as it is.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata


def is_python_name(name: object) -> bool:
    """Whether a value is a name that Python takes, and that is no other one to it.

    >>> is_python_name("total"), is_python_name("class"), is_python_name("two words"), is_python_name("ſ")
    (True, False, False, False)
    """
    return (
        isinstance(name, str)
        and name.isidentifier()
        and not keyword.iskeyword(name)
        # The one name that is no keyword and cannot be assigned.
        and name != "__debug__"
        and unicodedata.is_normalized("NFKC", name)
    )


def identifier(words: str) -> str:
    """Return a Python identifier like some text, no keyword and no name of a builtin.

    >>> identifier("Order Lines"), identifier("2024"), identifier("class"), identifier("ſum"), identifier("ªb")
    ('order_lines', 'table_2024', 'class_', 'sum_', 'ab')
    """
    made = _normalized(re.sub(r"\W+|_+", "_", _normalized(words)).strip("_").lower())
    if not made or not made.isidentifier():
        made = f"table_{made}".rstrip("_")
    made = made if made.isidentifier() and unicodedata.is_normalized("NFKC", made) else "table"
    return f"{made}_" if keyword.iskeyword(made) or keyword.issoftkeyword(made) or hasattr(builtins, made) else made


def _normalized(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)
