"""The modules of the lab: engines, openings, runners, statistics and reports."""
