"""The server: a model and its store, durable corrections, HTTP, and the page.

| module | contents |
| --- | --- |
| `server.running` | starts one process or several, and ends them |
| `server.app` | the table of operations; checks, answers, counts and logs every request |
| `server.handlers` | what each operation does |
| `server.messages` | requests and answers, which the client shares |
| `server.access` | tokens, Host and Origin, limits, bodies, problems |
| `server.service` | what handlers work with; texts that arrive together are scored together |
| `server.metrics` | figures for Prometheus, drift |
| `server.openapi` | the OpenAPI document and its page |
| `server.page` | the files of the page |
| `server.pool` | texts that wait for labels |
| `server.keeper` | `Keeper`: a model in memory and its store |
| `server.corrections` | which rows a correction, an erasure or an undo writes |
| `server.replay` | rows to a model; whether a store is sound |
| `server.store` | the rows: SQLite, PostgreSQL, backups |
"""
