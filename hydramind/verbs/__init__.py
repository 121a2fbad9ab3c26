"""The use-cases, one a module: read, decide with pure rules, commit."""
