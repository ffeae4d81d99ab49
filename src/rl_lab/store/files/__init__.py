"""Run folders, attempt folders and archives: files opened safely below their folder."""
