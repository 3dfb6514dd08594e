"""HTML reports made from a store: one folder that opens from disk."""
