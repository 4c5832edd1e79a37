"""What stands in the way of a match and is the user's to mend."""


class Problem(Exception):
    """What is wrong, in a line for the user."""
