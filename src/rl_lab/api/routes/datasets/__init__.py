"""Routes about datasets: the noun and its versions, episodes, forecasts; jobs on them are among the other jobs.

May import what the other routes may.
"""
