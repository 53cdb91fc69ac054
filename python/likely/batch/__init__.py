"""Rows in parts: record batches are counted, built into models and scored; files are filtered and selected from."""
