"""The client of a server: `Client`, and `AsyncClient` for asyncio. It knows nothing of models.

| module | contents |
| --- | --- |
| `client.client` | `Client` |
| `client.async_client` | `AsyncClient` |
| `client.calls` | what is sent, and what an answer means |
| `client.answers` | `Prediction`, `Outcome`, `Entry`, `ModelInfo` |
| `client.retries` | `Retries`: which attempts are repeated, and when |
"""

from likely.client.answers import Entry, ModelInfo, Outcome, Prediction
from likely.client.async_client import AsyncClient
from likely.client.client import Client
from likely.client.retries import Retries

__all__ = ["AsyncClient", "Client", "Entry", "ModelInfo", "Outcome", "Prediction", "Retries"]
