"""Tables that come in batches: files, frames, queries.

| module | contents |
| --- | --- |
| `tables.reader` | `TableReader`, for tables that come in batches; Parquet files and Arrow files |
| `tables.batches` | batches of tables, bounded by rows and by bytes |
| `tables.columns` | columns of tables: whether they are sound, and which values can be read |
| `tables.frames` | frames of pandas, polars, Arrow or DuckDB, and lists of dicts |
| `tables.text_column` | the column with the texts of a frame, for the methods that take texts |
| `tables.rows` | rows of Python values as batches of a table |
| `tables.sql` | the rows that a query returns |
"""
