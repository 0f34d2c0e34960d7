"""The overlay for streaming software."""
