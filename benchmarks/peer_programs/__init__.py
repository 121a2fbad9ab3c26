"""Adapters that run inside a peer's own environment: standard library and the peer alone, never this project."""
