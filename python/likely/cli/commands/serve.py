"""`likely serve`: predictions, explanations and corrections over HTTP."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click

from likely.cli.flags import FILE, Command, Number, given, option_flags, refuse_flags
from likely.cli.output import emit
from likely.options.reading import READING

DATA = click.Path(exists=True, path_type=str)


@click.command("serve", cls=Command)
@click.argument("model", type=FILE, required=False)
@click.option(
    "--store",
    metavar="FILE",
    help="Learn: keep corrections in this file, or at this postgresql:// address.  [default: do not learn]",
)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, metavar="N", help="The port.  [default: 8000]")
@click.option(
    "--token-file",
    type=FILE,
    metavar="FILE",
    help='Tokens, one per line, as "predict TOKEN" or "learn TOKEN".  [default: the environment]',
)
@click.option("--allow-host", "allow_hosts", multiple=True, metavar="NAME", help="A further name of this server.")
@click.option("--keep-texts", is_flag=True, help="Keep the texts of corrections in the store, too.")
@click.option("--allow-new-classes", is_flag=True, help="Learn new classes, too.  [default: if no MODEL]")
@click.option(
    "--max-classes", type=click.IntRange(1), default=1000, metavar="N", help="At most N classes.  [default: 1000]"
)
@click.option(
    "--rate-limit",
    type=Number(0, min_open=True),
    metavar="N",
    help="Rate limit: corrections per second, per token.",
)
@click.option(
    "--pool", multiple=True, type=DATA, metavar="DATA", help="Texts without labels, which the page offers to label."
)
@option_flags(READING, only=("text", "label", "format", "header", "encoding"))
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, metavar="N", help="The number of processes.  [default: 1]"
)
@click.option(
    "--drain",
    type=Number(0, 3600),
    default=1.0,
    metavar="SECONDS",
    help="After SIGTERM, take requests for this long, but not be ready.  [default: 1]",
)
@click.option("--log-requests", "logs_requests", is_flag=True, help="Write every request into the log.")
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
        raise click.UsageError("Give a model, or --store to begin with an empty one, or both.")
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
