"""One file per command. Each translates flags into calls and prints what they return."""
