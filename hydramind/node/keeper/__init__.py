"""The process that owns the node's Java child: standard library only, and run without importing the rest of hydramind."""
