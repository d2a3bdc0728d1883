"""The check of the set-up, by the name that the first notebook has for it."""
from nwlab.lesson import check_environment

__all__ = ["check_environment"]
