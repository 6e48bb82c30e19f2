"""Plans that compare figures, each made of the plan of the figures; one file per kind of comparison.

Every function raises `PlanError` where the comparison has no meaning for a plan, which is then no reading.
"""
