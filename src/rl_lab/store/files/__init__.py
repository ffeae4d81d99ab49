"""Run folders, attempt folders and archives; files are opened safely inside their folder."""
