"""The code channel: a page's source, what in it is each biome's own, and whether a quote of it stands."""
