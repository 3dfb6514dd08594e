"""embodied-eval: one command-line toolkit for evaluating embodied and world-model AI."""

__version__ = "0.1.0"
