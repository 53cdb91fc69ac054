"""Reports as HTML. Every text is escaped."""
