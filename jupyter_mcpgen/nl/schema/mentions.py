"""Where a question mentions the columns and values of a table."""

from jupyter_mcpgen.nl.schema.column_mentions import ColumnMention, column_mentions
from jupyter_mcpgen.nl.schema.truth_mentions import truth_mentions
from jupyter_mcpgen.nl.schema.value_mentions import ValueMention, value_mentions

__all__ = ["ColumnMention", "ValueMention", "column_mentions", "truth_mentions", "value_mentions"]
