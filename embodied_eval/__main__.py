"""`python -m embodied_eval`."""

from embodied_eval.cli import script

script()
