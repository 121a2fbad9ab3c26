"""The only importer of the neo4j driver: engines, connection, schema, and the commit of a change set."""
