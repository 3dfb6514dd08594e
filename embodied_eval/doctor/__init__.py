"""`doctor`: what works on this machine, found out by trying it, and the command that mends the rest."""
