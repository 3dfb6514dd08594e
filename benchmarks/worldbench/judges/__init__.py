"""Who says what a world holds: `rule` (our own analysis, offline), `truth` (a fixture's manifest), models."""
