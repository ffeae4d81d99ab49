"""The report of a run as JSON, text and HTML."""
