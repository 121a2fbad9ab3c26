"""Scopes at work: projections kept at the newest revision, decisions made against them, commits in groups."""
