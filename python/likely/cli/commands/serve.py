"""`likely serve`: predictions, explanations and corrections over HTTP."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from likely.cli.flags import FILE, Command, Number, given, option_flags, refuse_flags, switch, value
from likely.cli.output import emit
from likely.options.reading import READING

DATA = click.Path(exists=True, path_type=str)


@click.command("serve", cls=Command)
@click.argument("model", type=FILE, required=False)
@value(
    "--store",
    "FILE",
    "Learn; keep corrections in this file or postgresql:// address.",
)
@value("--host", "ADDRESS", "The address.", default="127.0.0.1")
@value("--port", "N", "The port.", click.IntRange(0, 65535), default=8000)
@value(
    "--token-file",
    "FILE",
    'Read lines "predict TOKEN" or "learn TOKEN".  [default: environment]',
    FILE,
)
@value("--allow-host allow_hosts", "NAME", "Also answer requests for this host name.", multiple=True)
@switch("--keep-texts", "Also keep the texts of corrections in the store.")
@switch("--allow-new-classes", "Accept new classes in corrections.  [default: if no MODEL]")
@value("--max-classes", "N", "Allow at most N classes.", click.IntRange(1), default=1000)
@value("--rate-limit", "N", "Rate limit: corrections per second, per token.", Number(0, min_open=True))
@value("--pool", "DATA", "Offer these unlabelled texts for labelling on the page.", DATA, multiple=True)
@option_flags(READING, only=("text", "label", "format", "header", "encoding"))
@value("--workers", "N", "Run this many processes.", click.IntRange(1, 64), default=1)
@value(
    "--drain",
    "SECONDS",
    "After SIGTERM, answer for this long while not ready.",
    Number(0, 3600),
    default=1.0,
)
@switch("--log-requests logs_requests", "Log every request.")
def command(**values: Any) -> None:
    """Serve a model over HTTP, with a page to try and teach it.

    The server answers at 127.0.0.1, where only this machine reaches it. Any other address needs a token, from
    --token-file or from the variables LIKELY_PREDICT_TOKEN and LIKELY_LEARN_TOKEN. With a store it learns: every
    correction is on the disk before it is acknowledged; without MODEL it begins with an empty one. SIGTERM and Ctrl-C
    finish requests in flight, and exit.

    \b
    Examples:
      likely serve reviews.likely
      likely serve reviews.likely --store reviews.store --port 8080
      likely serve --store new.store --pool texts.csv
    """
    from likely.extras import extra

    for library in ("msgspec", "prometheus_client", "starlette", "uvicorn"):
        extra(library, "The server")
    from likely.server.access import Limits
    from likely.server.corrections import Guards
    from likely.server.running import ServerSettings, run

    if values["model"] is None and values["store"] is None:
        raise click.UsageError("Give a model, or --store to start with an empty one, or both.")
    if values["store"] is None:
        flags = ("rate_limit", "keep_texts", "allow_new_classes")
        refuse_flags(flags, "{} has no effect without --store: it is about corrections.")
    settings = ServerSettings(
        guards=Guards(
            new_classes=values["allow_new_classes"] or values["model"] is None,
            classes=values["max_classes"],
            rate=values["rate_limit"],
        ),
        reading=given(READING, values),
        **{each.name: values[each.name] for each in fields(ServerSettings) if each.name in values},
    )
    run(settings, Limits(), lambda address: _tell(address, settings.name))


def _tell(address: str, name: str) -> None:
    import os
    import sys

    from likely.terminal import printable

    document = {"address": address, "model": name, "pid": os.getpid()}
    emit(document, f"Serving {printable(name)} at {address}/ - press Ctrl-C to stop.")
    sys.stdout.flush()
