"""Projections of one scope, kept at the scope's revision; each can be dropped and rebuilt from the graph."""
