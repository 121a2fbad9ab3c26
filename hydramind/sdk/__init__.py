"""HydraMind from Python: the embedded memory and the HTTP client, with the same methods. Import both from `hydramind`."""
