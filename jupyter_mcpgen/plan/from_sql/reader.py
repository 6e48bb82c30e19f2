"""Reads a DuckDB SELECT back into a plan that means the same on every table, or says why there is none."""

from __future__ import annotations

from pydantic import ValidationError

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.plan.from_sql.checked import Flaw, check_select
from jupyter_mcpgen.plan.from_sql.granted import Tables
from jupyter_mcpgen.plan.from_sql.naming import finish
from jupyter_mcpgen.plan.from_sql.selects import Selects
from jupyter_mcpgen.plan.from_sql.unread import CannotHold, Unread
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reading import Reading


def read_sql(sql: str, tables: Tables) -> Plan | Unread:
    """Return the plan that a SELECT is, or in one sentence what a plan cannot hold of it."""
    reading = read_select(sql, tables)
    return reading if isinstance(reading, Unread) else reading.plan


def read_select(sql: str, tables: Tables) -> Reading | Unread:
    """Return the plan that a SELECT is together with what its ORDER BY names, or why there is none."""
    statement = check_select(sql, tables)
    if isinstance(statement, Flaw):
        return Unread(statement.reason)
    try:
        return finish(Selects(tables).read(statement, {}))
    except CannotHold as refusal:
        return Unread(refusal.reason)
    except PlanError as error:
        return Unread(str(error))
    except RecursionError:
        return Unread("This SELECT is nested too deeply.")
    except ValidationError:
        return Unread("A number or a list in this SELECT is outside what a plan takes.")
