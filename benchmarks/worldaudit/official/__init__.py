"""The benchmark's official data, read from a user's own copy: nothing of it comes with this package."""

TAG = "official"
"""Of every task that came from `--data`."""
