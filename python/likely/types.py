"""Aliases for the types of the public API, each defined once."""
