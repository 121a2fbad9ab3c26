"""Cypher, one noun a module: text, access and row mapping side by side."""
