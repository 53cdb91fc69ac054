"""The server: a model that predicts, explains, learns and forgets, and loses no correction that it has acknowledged.

| room | contents |
| --- | --- |
| `server.store` | the rows of all corrections, durable: SQLite, PostgreSQL |
| `server.keeper` | `Keeper`: a model in memory and its store |
| `server.http` | requests and answers |
| `server.workers` | several processes at one address |
| `server.shared_file` | `SharedFile`: a few bytes that processes share |
| `server.running` | the socket, the signals, the end |
"""
