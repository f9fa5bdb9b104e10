"""Pictures of results; they draw and compute nothing."""
