"""A beginner's mistakes in SQL: the wrong words stand between ``⟦`` and ``⟧``."""

from __future__ import annotations

import attrs


@attrs.frozen
class SqlMistake:
    """A query whose error message must point to the marked words and name the fix."""

    name: str
    marked: str
    fix: str


SQL_MISTAKES = [
    # Misspelt words.
    SqlMistake("SELECT", "⟦SELCT⟧ status FROM orders", "SELECT"),
    SqlMistake("FROM", "SELECT status ⟦FORM⟧ orders", "FROM"),
    SqlMistake("WHERE", "SELECT status FROM orders ⟦WERE⟧ amount > 5", "WHERE"),
    SqlMistake("GROUP BY", "SELECT status FROM orders ⟦GRUOP⟧ BY status", "GROUP"),
    SqlMistake("GROUP BY in one word", "SELECT status FROM orders ⟦GROUPBY⟧ status", "GROUP BY"),
    SqlMistake("ORDER BY", "SELECT status FROM orders ⟦ODER⟧ BY status", "ORDER"),
    SqlMistake("HAVING", "SELECT status FROM orders GROUP BY status ⟦HAVNG⟧ COUNT(*) > 1", "HAVING"),
    SqlMistake("PARTITION BY", "SELECT SUM(amount) OVER (⟦PARTITON⟧ BY status) FROM orders", "PARTITION"),
    SqlMistake("a key of a window", "SELECT SUM(amount) OVER (⟦GROUP⟧ BY status) FROM orders", "PARTITION BY"),
    SqlMistake("OUTER JOIN", "SELECT * FROM orders LEFT ⟦OUTR⟧ JOIN customers ON customer_id = customers.id", "OUTER"),
    SqlMistake("BETWEEN", "SELECT status FROM orders WHERE amount ⟦BETWEN⟧ 1 AND 5", "BETWEEN"),
    SqlMistake("CASE without END", "SELECT CASE WHEN amount > 5 THEN 'big' ELSE 'small' ⟦FROM⟧ orders", "END"),
    SqlMistake("DESC", "SELECT status FROM orders ORDER BY amount ⟦DSC⟧", "DESC"),
    SqlMistake("LIMIT", "SELECT status FROM orders ⟦LIMT⟧ 5", "LIMIT"),
    SqlMistake("UNION", "SELECT status FROM orders ⟦UNOIN⟧ ALL SELECT country FROM customers", "UNION"),
    # Symbols.
    SqlMistake("a comma before FROM", "SELECT status⟦, FROM⟧ orders", "comma"),
    SqlMistake("a comma is missing", "SELECT status amount ⟦placed⟧ FROM orders", "','"),
    SqlMistake("a parenthesis is not closed", "SELECT SUM⟦(amount FROM orders ⟧", ")"),
    SqlMistake("a text is not closed", "SELECT status FROM orders WHERE status = ⟦'paid⟧", "closed"),
    SqlMistake("== for =", "SELECT status FROM orders WHERE status ⟦=>⟧ 'paid'", ">="),
    SqlMistake("square brackets of a list", "SELECT status FROM orders WHERE status IN ⟦['paid']⟧", "("),
    SqlMistake("&& for AND", "SELECT status FROM orders WHERE amount > 1 ⟦&&⟧ amount < 5", "AND"),
    SqlMistake("a name with a blank", "SELECT amount AS ⟦amount due⟧ FROM orders", "`amount due`"),
    SqlMistake("brackets around a name", "SELECT ⟦[status]⟧ FROM orders", "`"),
    SqlMistake("a quote inside of a string", "SELECT status FROM orders WHERE status = 'it⟦'s⟧'", "''"),
    # Places.
    SqlMistake("WHERE after LIMIT", "SELECT status FROM orders LIMIT 5 ⟦WHERE⟧ amount > 5", "before LIMIT"),
    SqlMistake("a statement in place of a query", "⟦UPDATE⟧ orders SET amount = 1", "execute_sql"),
    SqlMistake("OF in EXTRACT", "SELECT ⟦EXTRACT(YEAR OF placed⟧) FROM orders", "EXTRACT(YEAR FROM value)"),
    SqlMistake("OVER without a window", "SELECT MAX(amount) OVER ⟦FROM⟧ orders", "OVER ("),
    # Names.
    SqlMistake("a column", "SELECT ⟦amuont⟧ FROM orders", "'amount'"),
    SqlMistake("a column of an alias", "SELECT o.⟦statu⟧ FROM orders AS o", "'status'"),
    SqlMistake("an alias that is not there", "SELECT ⟦x⟧.status FROM orders AS o", "o"),
    SqlMistake("a table", "SELECT * FROM ⟦ordrs⟧", "'orders'"),
    SqlMistake("a function", "SELECT ⟦UPER⟧(status) FROM orders", "UPPER"),
    SqlMistake("a field", "SELECT address.⟦ctiy⟧ FROM customers", "'city'"),
    SqlMistake("a type", "SELECT CAST(amount AS ⟦BIGNT⟧) FROM orders", "BIGINT"),
    SqlMistake(
        "a column of two tables", "SELECT ⟦status⟧ FROM orders AS a JOIN orders AS b ON a.id = b.id", "a.status"
    ),
    SqlMistake("an alias in WHERE", "SELECT amount * 2 AS double FROM orders WHERE ⟦double⟧ > 5", "alias"),
    SqlMistake("a common table twice", "WITH a AS (SELECT 1), ⟦a⟧ AS (SELECT 2) SELECT * FROM a", "a"),
    # Aggregates, windows and joins.
    SqlMistake("a column that is no key", "SELECT ⟦status⟧, SUM(amount) FROM orders", "GROUP BY"),
    SqlMistake("an aggregate in WHERE", "SELECT status FROM orders WHERE ⟦SUM⟧(amount) > 5 GROUP BY status", "HAVING"),
    SqlMistake("an aggregate of an aggregate", "SELECT SUM(⟦MAX⟧(amount)) FROM orders", "subquery"),
    SqlMistake(
        "a window in WHERE", "SELECT status FROM orders WHERE ⟦ROW_NUMBER() OVER⟧ (ORDER BY amount) = 1", "QUALIFY"
    ),
    SqlMistake("a rank without OVER", "SELECT ⟦ROW_NUMBER⟧() FROM orders", "OVER"),
    SqlMistake("a rank without an order", "SELECT ⟦RANK() OVER⟧ (PARTITION BY status) FROM orders", "ORDER BY"),
    SqlMistake("a position that is not there", "SELECT status FROM orders ORDER BY ⟦3⟧", "1"),
    SqlMistake(
        "a union with more columns", "SELECT status FROM orders ⟦UNION ALL SELECT id, country FROM customers⟧", "2"
    ),
    SqlMistake(
        "a join without a condition of its kind", "SELECT * FROM orders JOIN customers ON ⟦customer_id⟧", "BOOLEAN"
    ),
    SqlMistake(
        "a subquery of two columns",
        "SELECT * FROM orders WHERE id ⟦IN (SELECT id, country⟧ FROM customers)",
        "one column",
    ),
    # Types and values.
    SqlMistake("a number compared with a word", "SELECT * FROM orders WHERE customer_id = ⟦'Ada'⟧", "'Ada'"),
    SqlMistake("a date that is none", "SELECT * FROM orders WHERE placed > ⟦DATE '2024-02-30'⟧", "2024-02-30"),
    SqlMistake("a condition that is a number", "SELECT * FROM orders WHERE ⟦amount⟧", "BOOLEAN"),
    SqlMistake("too few arguments", "SELECT ⟦LPAD⟧(status) FROM orders", "2"),
    SqlMistake("an argument of a wrong type", "SELECT ABS(⟦placed⟧) FROM orders", "TIMESTAMP"),
    SqlMistake("an interval without quotes", "SELECT placed + ⟦INTERVAL 1 FROM⟧ orders", "a unit such as DAY"),
    # Other databases.
    SqlMistake("a comparison with ALL", "SELECT status FROM orders WHERE amount > ⟦ALL⟧ (1, 2)", "MAX("),
    SqlMistake("a unit of time without quotes", "SELECT DATE_TRUNC(⟦MONTH⟧, placed) FROM orders", "'MONTH'"),
    SqlMistake("TOP", "SELECT ⟦TOP 5⟧ status FROM orders", "LIMIT"),
    SqlMistake("ILIKE's neighbour of another database", "SELECT status FROM orders WHERE status ⟦GLOB⟧ 'p*'", "LIKE"),
    SqlMistake("a cast of PostgreSQL's types", "SELECT amount::⟦int8⟧ FROM orders", "BIGINT"),
    SqlMistake("ISNULL of T-SQL", "SELECT ⟦ISNULL⟧(status, 'none') FROM orders", "COALESCE"),
    SqlMistake("GETDATE of T-SQL", "SELECT ⟦GETDATE⟧() FROM orders", "CURRENT_TIMESTAMP"),
    SqlMistake("TO_CHAR's parts of Oracle", "SELECT ⟦SYSDATE⟧ FROM orders", "CURRENT_TIMESTAMP"),
]
"""At least fifty mistakes."""
