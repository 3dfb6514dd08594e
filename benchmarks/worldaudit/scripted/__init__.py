"""Scripted models of WorldAudit: controls and baselines that need no key."""
