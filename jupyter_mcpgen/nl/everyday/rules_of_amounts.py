"""The rules about amounts and limits whose column is told by a unit, a percent sign, a year or what was done."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday import (
    lasting,
    percent_limits,
    row_sizes,
    several,
    sizes,
    totals_of_deeds,
    unit_limits,
    years_of_things,
)

SURE_OF_AMOUNTS = (
    totals_of_deeds.who_of_several_with_a_figure,
    totals_of_deeds.who_of_those_served,
    several.columns_from_to,
    unit_limits.degrees,
    years_of_things.older_than_a_year,
    years_of_things.older_than_so_long,
    percent_limits.percents_of_it,
    totals_of_deeds.who_did_the_superlative,
)
"""What stands among the sure meanings of words, before units are spelled as columns are headed with them."""
PERHAPS_OF_AMOUNTS = (
    unit_limits.limit_by_its_unit,
    unit_limits.around_a_number,
    row_sizes.row_size,
    row_sizes.bigger_than,
    sizes.per_head,
    sizes.people_of_places,
    sizes.per_measured,
    sizes.how_many_live,
    totals_of_deeds.summed_when_done,
    totals_of_deeds.ranked_by_deed,
    totals_of_deeds.how_much_of_it,
    lasting.took_how_long,
)
"""What is tried where nothing else can be read."""
LAST_OF_AMOUNTS = (totals_of_deeds.who_of_several,)
"""What is said where nothing else could be."""
