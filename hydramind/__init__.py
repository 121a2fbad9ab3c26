"""Persistent memory for agents that knows when it may be wrong."""

__version__ = "0.1.0"
