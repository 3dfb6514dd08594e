"""The frames channel: a running world photographed on its virtual clock, with everything measured on the way."""
