"""What the match lab is made of: engines, openings, runners, statistics and reports."""
