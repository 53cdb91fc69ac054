"""Labelled texts from files, frames, databases and mailboxes, in batches."""
