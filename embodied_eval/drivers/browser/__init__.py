"""Chromium, sealed: one process group, no network, one confined folder of files."""
