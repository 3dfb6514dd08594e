"""A plugin that fails when it is imported."""

raise RuntimeError("this plugin was made for another age")
