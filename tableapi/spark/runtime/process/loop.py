"""Generate the loop over the rows of a batch for one plan, so that unused features cost nothing per row.

A function is called for each of millions of rows, so that a test or an argument list costs more than many functions.
The loop is a template whose lines are marked with the features that they belong to. Each task compiles its own lines.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tableapi.spark.runtime.process.plan import Given, Parameter, Plan

# A line that ends in ``#? a`` or ``#? a !b`` is kept if the plan has all named features and none of the negated ones.
_WANTED = re.compile(r" *#\? (.*)$")
# Tracebacks omit frames with this path, which are not user code.
FILE = "tableapi/spark/runtime/process/the loop of a plan"
"""The name of the file of the generated loops."""
_ADD = "yielded.append(made if type(made) is tuple and len(made) == {} else convert[type(made)](made))"
_LOOP = """
def loop(columns, starts, {names}):
    start = next(starts, -1)
    position = -1
    # A partition that ended with the batch before was ended there.
    try:
        for {each}, in zip(*columns):
            if position == start:
                start = next(starts, -1)
                if position:  #? ends
                    running.position = position - 1  #? ends
                    ending = running.end_partition()  #? ends !finish
                    if ending is not None:  #? ends !finish
                        yield from ending  #? ends !finish
                    try:  #? finish
                        for made in {finish}:  #? finish
                            {add}  #? finish
                            at.append(position - 1)  #? finish
                            times.append(context.time)  #? finish rowtime
                            if len(at) >= {batch}:  #? finish
                                yield running.flush()  #? finish
                    except (Exception, SystemExit, KeyboardInterrupt) as error:  #? finish
                        raise running.failure("finish", error, position - 1) from None  #? finish
                running.begin_partition()  #? !simple
                running.in_partition = True  #? simple
                {begin}  #? simple states
            if now is not None:  #? timed
                if now >= context.due:  #? timed context between
                    running.position = position  #? timed context between
                    yield from running.advance(now)  #? timed context between
                context.time = now  #? timed
            if tag < 0:  #? tagged
                continue  #? tagged
            {view}  #? view
            running.begin_call()  #? expires
            for made in {eval}:
                {add}
                at.append(position)
                times.append(now)  #? rowtime
                if len(at) >= {batch}:
                    yield running.flush()
            running.end_call()  #? expires
    except Failed:
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        raise running.failure("eval", error, position) from None
    running.position = position
"""


class View:
    """The single object that stands for every row in turn, if a function does nothing but read columns of rows."""

    __slots__ = ()


def view_class(names: Sequence[str]) -> type[View]:
    """Return the class of a view; the column names are identifiers."""
    return type("Row", (View,), {"__slots__": tuple(names)})


def loop_of(
    plan: Plan,
    view: Sequence[str] | None,
    expires: bool,
    width: int,
    batch: int,
    names: Mapping[str, Any],
    *,
    keeps_state: bool = False,
    fires_between: bool = True,
) -> Callable[[Sequence[Any], Iterator[int]], Iterator[Any]]:
    """Build the loop of a plan.

    Args:
        plan: the plan.
        view: the columns that the function reads, if a view stands for the rows; None for real rows.
        expires: whether state expires.
        width: tuples of this length are output rows as they are.
        batch: the number of rows in an output batch.
        names: the values to which the code refers: ``running``, ``context``, ``states``, ``create`` of each state,
            ``constants``, ``row``, the methods ``eval`` and ``finish``, the lists ``at``, ``yielded`` and ``times``,
            ``convert``, ``rows_of``, and the exception class ``Failed``, which the loop does not handle.
        keeps_state: whether the state of a partition is loaded at its begin and stored at its end.
        fires_between: whether timers fire between two rows.

    Returns:
        A generator function of columns (positions, times, tags, then rows or the columns of the view, as far as the
        plan has them) and of the positions where partitions begin. It yields output batches.
    """
    methods = [plan.parameters, plan.on_timer or (), plan.finish or ()]
    has_context = any(parameter.given is Given.CONTEXT for method in methods for parameter in method)
    may_end = keeps_state or (plan.has_partitions and (plan.finish is not None or has_context))
    is_simple = not has_context and not expires and not keeps_state
    given = {
        "timed": plan.time is not None,
        "tagged": plan.tag is not None,
        "context": has_context,
        "between": fires_between,
        "expires": expires,
        "rowtime": plan.has_rowtime,
        "view": bool(view),
        "ends": may_end,
        "simple": is_simple,
        "states": bool(plan.states),
        "finish": may_end and is_simple,
    }
    columns = ["position"] + ["now"] * given["timed"] + ["tag"] * given["tagged"]
    columns += ["row"] if view is None else [f"value_{number}" for number in range(len(view))]
    text = _LOOP.format(
        each=", ".join(columns),
        view="; ".join(f"row.{name} = value_{number}" for number, name in enumerate(view or ())),
        begin="; ".join(f"states[{number}] = create[{number}]()" for number in range(len(plan.states))),
        eval=_rows("eval", plan.parameters, names["eval"], plan.tag is not None),
        finish=_rows("finish", plan.finish or (), names["finish"]),
        # Local names are faster to look up than global ones.
        names=", ".join(f"{name}={name}" for name in names),
        add=_ADD.format(width),
        batch=batch,
    )
    made: dict[str, Any] = dict(names)
    exec(compile(_select_lines(text, given), FILE, "exec"), made)  # all inserted names are identifiers
    loop: Callable[[Sequence[Any], Iterator[int]], Iterator[Any]] = made["loop"]
    return loop


def caller(method: str, parameters: Sequence[Parameter], names: Mapping[str, Any]) -> Callable[[], Any]:
    """Return a callable that calls a method with the values of its parameters, by the names of a loop."""
    made: Callable[[], Any] = eval(f"lambda: {_call(method, parameters)}", dict(names))  # only identifiers, as above
    return made


def _select_lines(text: str, given: Mapping[str, bool]) -> str:
    """Return the lines of the template that a plan needs."""
    lines = []
    for line in text.splitlines():
        found = _WANTED.search(line)
        wanted = found[1].split() if found else []
        if all(given[name.lstrip("!")] is not name.startswith("!") for name in wanted):
            lines.append(line[: found.start()] if found else line)
    return "\n".join(lines)


def _rows(method: str, parameters: Sequence[Parameter], function: Any, is_tagged: bool = False) -> str:
    """Return an expression for the rows that a method call yields."""
    call = _call(method, parameters, is_tagged)
    if inspect.isgeneratorfunction(function):
        return call
    return f"() if (given := {call}) is None else rows_of(given)"


def _call(method: str, parameters: Sequence[Parameter], is_tagged: bool = False) -> str:
    arguments = []
    for slot, parameter in enumerate(parameters):
        if parameter.given is Given.CONTEXT:
            arguments.append("context")
        elif parameter.given is Given.STATE:
            arguments.append(f"states[{parameter.index}]")
        elif parameter.given is not Given.TABLE:
            arguments.append(f"constants[{slot}]")
        else:
            arguments.append(f"row if tag == {parameter.index} else None" if is_tagged else "row")
    return f"{method}({', '.join(arguments)})"
