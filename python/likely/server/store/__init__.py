"""Stores: the rows of all corrections of a model, durable before they are acknowledged.

| module | contents |
| --- | --- |
| `server.store.entry` | `Entry`: one row, with a checksum |
| `server.store.store` | `Store`: the verbs that every store has |
| `server.store.ledger` | `Ledger`: the rows in SQL, the same for every store |
| `server.store.sqlite` | the store in one SQLite file |
| `server.store.sqlite_errors` | what SQLite says, as errors of `likely` |
| `server.store.postgres` | the store in a database of PostgreSQL |
| `server.store.postgres_errors` | what PostgreSQL says, as errors of `likely` |
| `server.store.process_lock` | a lock between processes that ends with the process |
| `server.store.fold_files` | folded models in files beside a store |
| `server.store.backup` | backups of a store, and stores from backups |
| `server.store.opening` | the store at an address |
"""
