"""Texts to vectors and pairs to scores: offline, from a folder, or from a service, behind two small protocols."""
