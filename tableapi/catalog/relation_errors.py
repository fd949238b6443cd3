"""Errors about the tables and views of a catalog, in the words of Python and of SQL."""

from __future__ import annotations

from ir.errors import TableAlreadyExistException, TableNotExistException
from ir.messages import Term, message


def make_exists_error(shown: str) -> TableAlreadyExistException:
    """Return the error about a new table whose name another table has.

    >>> make_exists_error("c.d.t").in_sql
    'c.d.t exists. Write IF NOT EXISTS to keep it.'
    """
    keep = Term("Pass if_not_exists=True", "Write IF NOT EXISTS")
    return TableAlreadyExistException(message("{shown} exists. {keep} to keep it.", shown=shown, keep=keep))


def make_kind_error(shown: str, kind: str) -> TableNotExistException:
    """Return the error about dropping a table as a view, or a view as a table.

    Args:
        shown: the name of the table or view.
        kind: what it is, ``table`` or ``view``.

    >>> str(make_kind_error("c.d.v", "view")), make_kind_error("c.d.v", "view").in_sql
    ('c.d.v is a view; use drop_view.', 'c.d.v is a view; use DROP VIEW.')
    """
    drop = Term(f"drop_{kind}", f"DROP {kind.upper()}")
    return TableNotExistException(message("{shown} is a {kind}; use {drop}.", shown=shown, kind=kind, drop=drop))
