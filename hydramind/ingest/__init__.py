"""Bulk ingest: from JSON lines, chat exports and transcripts to remembered statements, each once."""
