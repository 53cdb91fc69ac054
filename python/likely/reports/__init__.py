"""Predictions as rows (`reports.rows`): CSV, JSON Lines or Parquet."""
