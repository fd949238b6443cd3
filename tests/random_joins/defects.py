"""Defects of Spark 4.3.0 that judging leaves out, each with the smallest statement found that shows it.

``test_random_joins.py`` runs the statements, so that a release of Spark without a defect is noticed.
"""

from __future__ import annotations

import re

from ir.contents import OUTER
from ir.operations.operation import QueryOperation
from ir.operations.set_operation import SetOperation, SetOperationType

# A full join has a row for each row of b, so that EXISTS is TRUE for all of a. Spark returns no row of k = 1.
LOST_ROWS = "SELECT k FROM a WHERE EXISTS (SELECT * FROM b FULL JOIN c ON b.k = a.k)"
# After DISTINCT, 2 occurs twice: Spark adds the key that is not shown to the columns that are distinct.
REPEATED_ROWS = "SELECT DISTINCT a.k FROM a FULL JOIN b USING (s) ORDER BY b.s"
# The star is of b and c, and k is ambiguous in it, as Spark finds without LATERAL. Here it gives a.s and a.v for it.
STAR_OF_OUTSIDE = "SELECT t.* FROM a, LATERAL (SELECT * EXCEPT (k) FROM b JOIN c ON b.k = c.k) AS t"
# The star has no column a.k; without LATERAL, Spark does not find it. Here it gives the other columns of a.
STAR_WITHOUT_COLUMN = "SELECT t.* FROM a, LATERAL (SELECT * EXCEPT (a.k) FROM b) AS t"
# Spark does not find k in the subquery. It finds it without the first condition, and with k in place of b.k there.
UNRESOLVED_KEY = "SELECT k FROM a JOIN b USING (k) WHERE b.k = 1 AND EXISTS (SELECT * FROM d WHERE p = k)"
# Spark does not find k beside an ordinal. It finds it alone, and where one column of the result is called k.
UNRESOLVED_ORDER = "SELECT x.k, y.k FROM a AS x JOIN b AS y USING (k) ORDER BY k, 1"
# A query EXCEPT itself has no rows, so that NOT IN is TRUE for all of a. Spark returns no row of v = 11 and v = 12.
# Without the reference to a.v it returns all.
ROWS_OF_EXCEPT = (
    "SELECT k, v FROM a WHERE v NOT IN (SELECT w FROM a AS x, b WHERE x.v > a.v "
    "EXCEPT SELECT w FROM a AS x, b WHERE x.v > a.v)"
)
# Without any subquery: Spark's rule ReplaceExceptWithFilter evaluates v > 11 over the column v of the result.
ROWS_OF_DIFFERENCE = "SELECT k, k + 1 AS v FROM a WHERE v > 11 EXCEPT SELECT k, k + 1 AS v FROM a WHERE v > 11"
# Spark's rule ReplaceExceptWithFilter builds an invalid plan, and the query fails. The rule does not apply to branches
# over FULL JOIN USING, which MERGED writes as FULL JOIN ON.
FAILED_EXCEPT = (
    "SELECT k FROM a WHERE EXISTS (SELECT w FROM b WHERE b.k <= a.k EXCEPT SELECT w FROM b WHERE b.k <= a.k)"
)

# Spark takes k for the key of a, and fails (MISSING_ATTRIBUTES) unless QUALIFY names the hidden key, as r.k for r.s.
# Here k is ambiguous, as it is in ORDER BY.
FAILED_KEY = "SELECT r.k FROM a AS l JOIN b AS r USING (k) QUALIFY k > 1 AND sum(v) OVER (PARTITION BY r.s) > 1"

# The key of RIGHT JOIN is that of b, and k.k is a field of it: Spark refuses it (INVALID_EXTRACT_BASE_FIELD_TYPE). It
# takes k.k for the key of a where the SELECT has a star within a call.
FIELD_OF_KEY = "SELECT array(k.*) AS s FROM a AS k RIGHT JOIN b AS v USING (k) QUALIFY sum(k.k) OVER (ORDER BY k.k) > 1"

# Spark fails at EXCEPT ALL and INTERSECT ALL over a correlated scalar subquery if the column to which that refers is
# selected, too, beside another one: in its rule RewriteExceptAll, or later ("key not found").
FAILED_SUBQUERY = (
    "SELECT v, k, (SELECT sum(x.k) FROM a AS x WHERE x.k = o.k) AS n FROM a AS o EXCEPT ALL SELECT k, w, k FROM b"
)

# Spark analyses an outer column in one condition with a correlated subquery, and fails when it evaluates it. A query of
# which no row comes so far runs.
FAILED_CONDITION = (
    "SELECT k FROM a WHERE k IN (SELECT p FROM d WHERE p = a.k AND a.k IN (SELECT c.k FROM c WHERE c.k = d.p))"
)

# Spark analyses an outer column in the conditions of two joins, and fails when it runs them ("Cannot evaluate
# expression: outer"). With <= in place of =, whether it fails depends on settings: it does by default, and not here.
FAILED_JOINS = (
    "SELECT k FROM a AS x WHERE EXISTS (SELECT * FROM a AS y JOIN b ON y.k = b.k AND b.k = x.k "
    "JOIN c ON y.k = c.k AND c.k = x.k)"
)

_STAR_IN_LATERAL = re.compile(r"\bLATERAL \(SELECT [^()]*\* EXCEPT \(", re.IGNORECASE)
_KEY_IN_QUALIFY = re.compile(r"(\bUSING \(|\bNATURAL\b).*\bQUALIFY\b", re.IGNORECASE | re.DOTALL)
_STAR_IN_CALL_AND_QUALIFY = re.compile(r"\b(array|struct)\((\w+\.)?\*.*\bQUALIFY\b", re.IGNORECASE | re.DOTALL)
_ORDER_WITH_ORDINAL = re.compile(r"\bORDER BY ((?:[^()]*, )?[0-9]+\b[^()]*)", re.IGNORECASE)
_HAS_KEYS = re.compile(r"\bUSING \(|\bNATURAL\b", re.IGNORECASE)


def is_taken_wrongly(message: str, text: str) -> bool:
    """Whether Spark takes a query that this library refuses with a message, and returns other rows or may fail."""
    if "in the predicate of a full outer join, where rows would be lost" in message:
        return True
    if "in one condition with another correlated subquery" in message:
        return True
    if "in more than one of left side, right side and predicate of a join" in message:
        return True
    if message.startswith(("Ambiguous column name", "Cannot resolve field")) and _STAR_IN_LATERAL.search(text):
        return True
    if message.startswith("Ambiguous column name") and _KEY_IN_QUALIFY.search(text):
        return True
    if "needs a value of type ROW" in message and _HAS_KEYS.search(text) and _STAR_IN_CALL_AND_QUALIFY.search(text):
        return True
    return message.startswith("After SELECT DISTINCT, ORDER BY takes columns") and bool(_HAS_KEYS.search(text))


def is_refused_wrongly(condition: str, name: str, text: str) -> bool:
    """Whether Spark refuses a key of USING or NATURAL that it finds in the same place of other queries.

    ``name`` is what Spark says that it does not find, in backticks.
    """
    if not _HAS_KEYS.search(text):
        return False
    key = name.strip("`")
    if not condition.startswith("UNRESOLVED_COLUMN"):
        return False
    if "`.`" in name:
        return False
    if any(re.search(rf"(?<!\.)\b{key}\b", order, re.IGNORECASE) for order in _ORDER_WITH_ORDINAL.findall(text)):
        return True
    # Elsewhere in WHERE, a name with a relation is the hidden key.
    where = re.search(rf"\bWHERE\b.*\.{key}\b", text, re.IGNORECASE)
    return where is not None and "(SELECT " in text[where.start() :]


def has_other_rows(query: QueryOperation) -> bool:
    """Whether Spark may return other rows than a query says: the query, or one in it, has a query EXCEPT itself."""
    return any(map(_is_except_itself, query.walk_with_subqueries()))


def fails_wrongly(query: QueryOperation, outcome: object) -> bool:
    """Whether Spark fails as at ``FAILED_EXCEPT`` or ``FAILED_SUBQUERY``.

    ``outcome`` is the message, or the rows of a query that ran.
    """
    if not isinstance(outcome, str):
        return False
    if any(part in outcome for part in ("key not found", "RewriteExceptAll", "RewriteIntersectAll")):
        return any(map(_counts_rows_of_a_subquery, query.walk_with_subqueries()))
    if "ReplaceExceptWithFilter" not in outcome:
        return False
    return any(
        _is_except_itself(operation) and bool(operation.contents & OUTER) for operation in query.walk_with_subqueries()
    )


def _counts_rows_of_a_subquery(operation: QueryOperation) -> bool:
    """Whether an operation is EXCEPT ALL or INTERSECT ALL over a correlated scalar subquery."""
    if not isinstance(operation, SetOperation) or not operation.all or operation.kind is SetOperationType.UNION:
        return False
    return any(subquery.contents & OUTER for below in operation.walk() for subquery in below.subqueries)


def _is_except_itself(operation: QueryOperation) -> bool:
    is_difference = isinstance(operation, SetOperation) and operation.kind is SetOperationType.MINUS
    return is_difference and operation.left is operation.right
