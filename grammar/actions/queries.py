"""Actions that build the nodes of queries."""

from __future__ import annotations

from typing import Any

from grammar import syntax as s
from grammar.actions.expressions import require_no_clause
from grammar.lexemes import Token


class QueryActions:
    """Builds the nodes of queries."""

    def sql(self, statement: Any) -> Any:
        return statement

    def only_expression(self, expression: Any) -> Any:
        return expression

    def query_statement(self, query: Any) -> Any:
        return query

    def subquery(self, query: Any) -> Any:
        return query

    same = subquery

    def modified(self, query: Any, *modifiers: Any) -> s.Modified:
        return s.Modified(query.position, query, list(modifiers))

    def with_clause(self, token: Token, recursive: Token | None, *tables: s.CommonTable) -> s.With:
        return s.With(token.position, list(tables), recursive is not None, None)

    def with_query(self, clause: s.With, query: Any, *modifiers: Any) -> s.With:
        clause.query = self.modified(query, *modifiers) if modifiers else query
        return clause

    def cte(self, name: s.Name, columns: list[s.Name] | None, level: Token | None, query: Any) -> s.CommonTable:
        return s.CommonTable(name.position, name, columns, level, query)

    def recursion_limit(self, level: Token) -> Token:
        return level

    def intersect(self, left: Any, quantifier: Token | None, right: Any) -> s.SetOperation:
        return s.SetOperation(
            right.position, "INTERSECT", None if quantifier is None else quantifier.text.upper(), left, right
        )

    def set_operation(self, left: Any, operator: Token, quantifier: Token | None, right: Any) -> s.SetOperation:
        chosen = None if quantifier is None else quantifier.text.upper()
        return s.SetOperation(operator.position, operator.text.upper(), chosen, left, right)

    def inline_values(self, token: Token, *rows: Any) -> s.InlineValues:
        return s.InlineValues(token.position, list(rows))

    def from_first(self, source: s.From, *selects: s.Select) -> s.FromFirst:
        return s.FromFirst(source.position, source, list(selects))

    def table_query(self, table: s.Path) -> s.TableQuery:
        return s.TableQuery(table.position, table)

    # --- SELECT ---

    def select_block(self, token: Token, *parts: Any) -> s.Select:
        made = s.Select(token.position, [], None, [], [])
        for part in parts:
            kind = type(part)
            if kind is Token:
                made.quantifier = part.text.upper()
            elif kind is list:
                made.hints += part
            elif kind is s.Clause or kind is s.From:
                made.clauses.append(part)
            elif kind is s.Script:
                made.script = part
            elif part is not None:
                made.items.append(part)
        return made

    def aliased(self, expression: Any, names: s.Name | list[s.Name]) -> s.Aliased:
        return s.Aliased(expression.position, expression, names if isinstance(names, list) else [names])

    def aliased_bare(self, expression: Any, token: Token) -> s.Aliased:
        quoted = token.text.startswith("`")
        text = token.text[1:-1].replace("``", "`") if quoted else token.text
        name = s.Name(token.position, text, quoted)
        require_no_clause(name)
        return s.Aliased(expression.position, expression, [name])

    def aliased_by_word(self, expression: Any, token: Token) -> s.Aliased:
        return s.Aliased(expression.position, expression, [self.clause_name(token)])

    def clause_name(self, token: Token) -> s.Name:
        # The name counts as quoted, because the grammar has excluded a clause here.
        return s.Name(token.position, token.text, True)

    def hint_comment(self, *hints: s.Hint) -> list[s.Hint]:
        return list(hints)

    def hint(self, name: s.Name, arguments: list[Any] | None) -> s.Hint:
        return s.Hint(name.position, name, arguments or [])

    def where(self, token: Token, condition: Any) -> s.Clause:
        return s.Clause(token.position, "where", [condition])

    def having(self, token: Token, condition: Any) -> s.Clause:
        return s.Clause(token.position, "having", [condition])

    def qualify(self, token: Token, condition: Any) -> s.Clause:
        return s.Clause(token.position, "qualify", [condition])

    def group_by_all(self, token: Token) -> s.Clause:
        return s.Clause(token.position, "group by", [], "ALL")

    def group_by(self, token: Token, *items: Any) -> s.Clause:
        return s.Clause(token.position, "group by", list(items[:-1]), items[-1])

    def grouping_sets(self, *sets: Any) -> s.GroupingSets:
        return s.GroupingSets(sets[0].position, list(sets))

    def empty_grouping(self, token: Token) -> s.Row:
        return s.Row(token.position, [])

    def with_rollup(self) -> str:
        return "ROLLUP"

    def with_cube(self) -> str:
        return "CUBE"

    def window_clause(self, token: Token, *windows: tuple[s.Name, Any]) -> s.Clause:
        return s.Clause(token.position, "window", list(windows))

    def named_window(self, name: s.Name, window: Any) -> tuple[s.Name, Any]:
        return name, window

    # --- what follows a whole query ---

    def order_by(self, token: Token, *items: s.SortItem) -> s.Clause:
        return s.Clause(token.position, "order by", list(items))

    def order_by_all(self, token: Token, direction: Token | None, nulls_first: bool | None) -> s.Clause:
        ascending = None if direction is None else direction.text.upper() == "ASC"
        return s.Clause(token.position, "order by", [], s.SortItem(token.position, None, ascending, nulls_first))

    def sort_by(self, *items: s.SortItem) -> s.Clause:
        return s.Clause(items[0].position, "sort by", list(items))

    def distribute_by(self, *items: Any) -> s.Clause:
        return s.Clause(items[0].position, "distribute by", list(items))

    def cluster_by(self, *items: Any) -> s.Clause:
        return s.Clause(items[0].position, "cluster by", list(items))

    def limit(self, token: Token, count: Any) -> s.Clause:
        return s.Clause(token.position, "limit", [count])

    def no_limit(self, token: Token) -> s.Clause:
        return s.Clause(token.position, "limit", [])

    def offset(self, token: Token, count: Any) -> s.Clause:
        return s.Clause(token.position, "offset", [count])

    def offset_rows(self, token: Token, count: Any) -> s.Clause:
        return s.Clause(token.position, "offset", [count], "OFFSET … ROWS")

    def fetch(self, token: Token, count: Any) -> s.Clause:
        return s.Clause(token.position, "limit", [] if count is None else [count], "FETCH")

    # --- pipes ---

    def pipe(self, query: Any, step: Any) -> s.Pipe:
        return s.Pipe(step.position, query, step)

    def pipe_select(self, token: Token, *parts: Any) -> s.PipeStep:
        select = self.select_block(token, *parts)
        return s.PipeStep(token.position, "select", [select])

    def pipe_extend(self, *items: Any) -> s.PipeStep:
        return s.PipeStep(items[0].position, "extend", list(items))

    def pipe_set(self, *assignments: Any) -> s.PipeStep:
        return s.PipeStep(assignments[0].position, "set", list(assignments))

    def assignment(self, name: s.Name, value: Any) -> s.Aliased:
        return s.Aliased(name.position, value, [name])

    def pipe_drop(self, *names: s.Path) -> s.PipeStep:
        return s.PipeStep(names[0].position, "drop", list(names))

    def pipe_as(self, name: s.Name) -> s.PipeStep:
        return s.PipeStep(name.position, "as", [name])

    def pipe_where(self, where: s.Clause) -> s.PipeStep:
        return s.PipeStep(where.position, "where", where.items)

    def pipe_aggregate(self, *parts: Any) -> s.PipeStep:
        items = [part for part in parts[:-1] if part is not None]
        keys = parts[-1]
        position = items[0].position if items else keys[0].position if keys else 0
        return s.PipeStep(position, "aggregate", items, keys)

    def pipe_group_by(self, *items: Any) -> list[Any]:
        return list(items)

    def pipe_modifier(self, *modifiers: s.Clause) -> s.PipeStep:
        return s.PipeStep(modifiers[0].position, "modifier", list(modifiers))

    def pipe_pivot(self, pivot: Any) -> s.PipeStep:
        return s.PipeStep(pivot.position, "pivot", [pivot])

    def pipe_sample(self, sample: s.Sample) -> s.PipeStep:
        return s.PipeStep(sample.position, "sample", [sample])

    def pipe_set_operation(self, operator: Token, quantifier: Token | None, right: Any) -> s.PipeStep:
        return s.PipeStep(operator.position, "set operation", [operator, quantifier, right])

    def pipe_intersect(self, quantifier: Token | None, right: Any) -> s.PipeStep:
        return s.PipeStep(right.position, "set operation", [Token("INTERSECT", right.position), quantifier, right])
