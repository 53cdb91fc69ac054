"""`Keeper`: a model in memory and its store. What is acknowledged is durable.

| module | contents |
| --- | --- |
| `server.keeper.keeper` | `Keeper`: learn, forget, undo, history, refresh, fold |
| `server.keeper.correction` | `Correction` and `Outcome`: what is asked for, and what was done |
| `server.keeper.base` | `Base`: the model file that corrections are added to |
| `server.keeper.document` | the counts of one document as bytes |
| `server.keeper.actions` | which rows a correction, an erasure or an undo writes |
| `server.keeper.answers` | idempotency keys: the same request is answered twice, but done once |
| `server.keeper.group` | `GroupCommit`: everything that waits is written in one transaction |
| `server.keeper.replay` | rows to a model |
| `server.keeper.folding` | folds in the background |
| `server.keeper.status` | `KeeperStatus`: what a keeper says about itself |
| `server.keeper.warming` | what is read in the background, after the start |
| `server.keeper.verifying` | whether a store is sound |
| `server.keeper.guards` | limits on what may be learned |
| `server.keeper.rates` | how many corrections each sender may still make |
"""

from likely.server.keeper.correction import Correction, Outcome
from likely.server.keeper.guards import Guards
from likely.server.keeper.keeper import Keeper
from likely.server.keeper.status import KeeperStatus

__all__ = ["Correction", "Guards", "Keeper", "KeeperStatus", "Outcome"]
