"""The verbs over HTTP and the table of them that every face walks."""
