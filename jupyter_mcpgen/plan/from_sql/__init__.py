"""From DuckDB SQL to a plan: reads a SELECT as a language model or a person writes it."""

from __future__ import annotations

from jupyter_mcpgen.plan.from_sql.checked import Flaw as Flaw
from jupyter_mcpgen.plan.from_sql.checked import FlawKind as FlawKind
from jupyter_mcpgen.plan.from_sql.checked import check_select as check_select
from jupyter_mcpgen.plan.from_sql.checked import written as written
from jupyter_mcpgen.plan.from_sql.frequent import with_smallest_mode as with_smallest_mode
from jupyter_mcpgen.plan.from_sql.granted import Granted as Granted
from jupyter_mcpgen.plan.from_sql.named import files_by_name as files_by_name
from jupyter_mcpgen.plan.from_sql.named import tables_named as tables_named
from jupyter_mcpgen.plan.from_sql.normal import normal_form as normal_form
from jupyter_mcpgen.plan.from_sql.reader import read_select as read_select
from jupyter_mcpgen.plan.from_sql.reader import read_sql as read_sql
from jupyter_mcpgen.plan.from_sql.rounding import without_rounding as without_rounding
from jupyter_mcpgen.plan.from_sql.unread import Unread as Unread
