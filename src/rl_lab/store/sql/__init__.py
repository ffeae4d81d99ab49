"""The lab database (SQLite or PostgreSQL): connection, tables, column types, migrations."""
