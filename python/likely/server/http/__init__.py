"""HTTP: requests to calls of the keeper, answers to bytes. Nothing here knows how a model works.

| module | contents |
| --- | --- |
| `server.http.app` | `App`: the ASGI application |
| `server.http.routes` | the table of routes |
| `server.http.messages` | requests and answers as types |
| `server.http.handlers` | what each route does |
| `server.http.service` | `Service`: what handlers work with |
| `server.http.batching` | `Batching`: texts of requests that come together are scored together |
| `server.http.access` | tokens, Host and Origin |
| `server.http.body` | the body of a request, with its limits |
| `server.http.limits` | `Limits` |
| `server.http.problems` | errors as RFC 9457 has them |
| `server.http.content` | `Content`: an answer that is not JSON |
| `server.http.openapi` | the OpenAPI document |
| `server.http.docs_page` | its page |
| `server.http.metrics` | `Metrics`: what is counted |
| `server.http.drift` | `DriftWatch`: the last texts against the training data |
| `server.http.board` | `Board`: the figures of all processes |
| `server.http.exposition` | figures in the text format of Prometheus |
| `server.http.log` | `Log`: one JSON object per line |
| `server.http.noting` | `Noting`: ids of requests; what is counted and logged |
| `server.http.asgi` | types of ASGI |
"""
