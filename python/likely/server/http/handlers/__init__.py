"""What each route does: functions of the service, the call and the request, which return the answer.

| module | contents |
| --- | --- |
| `server.http.handlers.predicting` | predict, explain |
| `server.http.handlers.learning` | learn, forget, undo, history |
| `server.http.handlers.looking` | the model, its classes and terms |
| `server.http.handlers.pooling` | texts that wait for labels |
| `server.http.handlers.health` | live, ready, metrics |
| `server.http.handlers.pages` | the OpenAPI document and its page |
"""
