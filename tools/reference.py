"""Write options, commands, HTTP and llms.txt of the docs from the code: ``python tools/reference.py [--check]``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import click
from likely.cli import COMMANDS, cli
from likely.cli.flags import ALL
from likely.options.model import MODEL, PRESETS
from likely.options.reading import READING, SELECTING, TUNING, Format
from likely.reading.formats import NAMES
from likely.server.app import OPERATIONS
from likely.server.openapi import ALWAYS, OF_BODIES, document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.options.option import Option

DOCS = Path(__file__).parents[1] / "docs"
SECTIONS = ["tutorial", "guide", "howto", "coming-from", "production", "reference", "design", ""]
"""The folders of the docs in the order of llms.txt. The last one stands for the pages beside them."""
WIDTH = 100


def options() -> str:
    """The page of options."""
    parts = [
        "# Options",
        "Every option has one name in Python and one flag on the command line. This page is made from the code.",
        "## Options of a model",
        "Each is an argument of `likely.NaiveBayes` and `likely.train`, a flag of `likely train`, and saved in the "
        "model file.",
        *option_list(MODEL),
        "## Options for reading data",
        "Each is an argument of `likely.train`, of the methods `learn`, `forget` and `evaluate` of a model if they "
        "read a source, and a flag of every command that reads data. "
        "[What can be read](../guide/reading.md) has examples.",
        *option_list(READING),
        "## Options for tuning",
        "Each is an argument of `likely.train` and a flag of `likely train`. It decides how the options of the "
        "model are chosen.",
        *option_list(TUNING),
        "## Options for selecting",
        "Each is an argument of `likely.select` and a flag of `likely select`: see "
        "[selecting](../production/selecting.md).",
        *option_list(SELECTING),
        "## Presets",
        "What each `task` stands for. Options that you give yourself take precedence, even if you give the default. "
        "`benchmarks/presets.md` shows why these options were chosen.",
        preset_table(),
        "## Formats",
        "The values of `format` (`--input-format`). Without it, the name of the file determines its format, or else "
        "its content. Every format can be compressed (`.gz`, `.bz2`, `.zst`).",
        "\n".join(f"- `{name}`: {NAMES[name]}" for name in get_args(Format)),
    ]
    return "\n\n".join(parts) + "\n"


def commands() -> str:
    """The page of commands."""
    parts = [
        "# Commands",
        "What `--help-all` prints for each command. This page is made from the code; "
        "[options](options.md) says more about each option, and [JSON output](json.md) describes `--json`.",
        "| exit status | meaning |\n| --- | --- |\n"
        "| 0 | success |\n"
        "| 1 | the command ran, and the answer is no: drift, a missed accuracy, a serious finding |\n"
        "| 2 | bad input; a message says what to do |\n"
        "| 3 | the work was done, but its notes could not be written to standard error |",
        help_of("likely", cli),
        *(section(name) for name in COMMANDS),
    ]
    return "\n\n".join(parts) + "\n"


def option_list(table: dict[str, Option]) -> Iterator[str]:
    """A section in Markdown per option."""
    for each in table.values():
        yield f"### {each.name}"
        yield quoted(each.description.replace("<", "\\<"))
        flag = f"- flag: `{each.declaration.partition('/')[0]}`\n" if each.has_flag else ""
        yield f"{flag}- default: {default(each)}\n- allowed: {quoted(each.kind.allowed)}"


def quoted(text: str) -> str:
    """The text with its values in quotation marks as code."""
    return re.sub(r"(?<!\w)'[^']+'(?!\w)", r"`\g<0>`", text)


def default(option: Option) -> str:
    """The default of an option, and what it stands for."""
    return f"`{option.default!r}`" + (f" ({option.default_text})" if option.default_text else "")


def preset_table() -> str:
    """A table in Markdown with one row per task."""
    rows = ["| task | options |", "| --- | --- |"]
    for task, options in PRESETS.items():
        meant = ", ".join(f"{name}={value!r}" for name, value in options.items())
        rows.append(f"| `{task}` | `{meant}` |")
    return "\n".join(rows)


def section(name: str, group: click.Group = cli) -> str:
    """The section of a command, with its help; a group is followed by its commands."""
    command = group.get_command(click.Context(group), name.rsplit(maxsplit=1)[-1])
    if command is None:
        raise LookupError(name)
    below = (
        [section(f"{name} {each}", command) for each in command.commands] if isinstance(command, click.Group) else []
    )
    return "\n\n".join(
        [f"{'#' * (2 + name.count(' '))} likely {name}\n\n{help_of(f'likely {name}', command)}", *below]
    )


def help_of(name: str, command: click.Command) -> str:
    """The help of a command, as it is printed."""
    context = click.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    context.meta[ALL] = True
    return f"```text\n{command.get_help(context)}\n```"


STATUSES = {
    400: "The body is not JSON, or the request is malformed.",
    401: "The token is missing or wrong.",
    403: "The token has not this right, or the request comes from a page of another origin.",
    404: "There is nothing to forget or to undo, or no such path.",
    405: "The path has another method, which the answer names.",
    408: "The body did not arrive within 30 seconds.",
    409: "The idempotency key was used for a different request, or the model cannot do this.",
    413: "The body is too large.",
    415: "The body is not `application/json`.",
    421: "The Host header is not a name of this server.",
    422: "A field or a value is not allowed.",
    429: "Too many corrections: wait for the seconds in `Retry-After`.",
    503: "The server is busy or stopping, or its store cannot be used: retry.",
    507: "The disk is full.",
}
"""What the statuses of problems mean."""


def http() -> str:
    """The page of the HTTP interface."""
    operations = cast("dict[str, dict[str, dict[str, Any]]]", document(OPERATIONS, "")["paths"])
    schemas = cast("dict[str, Any]", document(OPERATIONS, "")["components"])["schemas"]
    parts = [
        "# HTTP interface",
        "The routes of `likely serve`, made from the code. A running server has the same at `/docs`, and as an "
        "OpenAPI document at `/openapi.json`. [The server](../production/server.md) has examples; "
        "[access](../production/access.md) says who may call what.",
        "A *label* is a string, a whole number or a boolean, as in the training data. Requests with fields that are "
        "not listed here are refused. The body of a request with a `text` can also be a message (`message/rfc822`), "
        "with all other fields in the query.",
    ]
    shown: set[str] = set()
    for path, methods in operations.items():
        for method, each in methods.items():
            parts += operation(f"{method.upper()} {path}", each, schemas, shown)
    listed = "\n".join(f"| {status} | {text} |" for status, text in STATUSES.items())
    parts += [
        "## Problems",
        "Errors are JSON as RFC 9457 describes it (`application/problem+json`).",
        fields(schemas["Problem"], schemas),
        f"| status | meaning |\n| --- | --- |\n{listed}",
    ]
    return "\n\n".join(parts) + "\n"


def operation(title: str, described: dict[str, Any], schemas: dict[str, Any], shown: set[str]) -> Iterator[str]:
    """The section of an operation. Types that it mentions for the first time are described in it."""
    yield f"## {title}"
    right = described["x-right"]
    token = "no token" if right == "open" else f"a {right} token, if the server has tokens"
    known = {*ALWAYS, *OF_BODIES}
    others = sorted(int(status) for status in described["responses"] if status != "200" and int(status) not in known)
    also = f" Problems of its own: {', '.join(map(str, others))}." if others else ""
    yield f"{described['summary']} Needs {token}.{also}"
    if described["parameters"]:
        found = {each["name"]: {"description": each.get("description", "")} | each["schema"]
                 for each in described["parameters"]}  # fmt: skip
        yield "Parameters"
        yield fields({"properties": found}, schemas)
    asked: list[str] = []
    if "requestBody" in described:
        asked.append(name_in(described["requestBody"]["content"]["application/json"]["schema"]))
    answer = described["responses"]["200"].get("content", {}).get("application/json")
    if answer:
        asked.append(name_in(answer["schema"]))
    while asked:
        name = asked.pop(0)
        if name in shown or not schemas[name].get("properties"):
            continue
        shown.add(name)
        if name == "ExplanationDocument":
            yield "The answer is [an explanation](json.md#likely-explain), without `contrast`."
            continue
        yield f"**{name}**: {schemas[name]['description'].partition(chr(10))[0]}"
        yield fields(schemas[name], schemas)
        asked += [each for each in re.findall(r"schemas/(\w+)", str(schemas[name]["properties"])) if each != name]


def name_in(schema: dict[str, Any]) -> str:
    """The name of the type that a schema refers to."""
    return str(schema["$ref"]).rpartition("/")[2]


def fields(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    """A table in Markdown with one row per field."""
    rows = ["| field | type | |", "| --- | --- | --- |"]
    for name, each in schema["properties"].items():
        text = next((part["description"] for part in [each, *each.get("anyOf", [])] if part.get("description")), "")
        is_needed = "default" not in each or name in schema.get("required", [])
        default = "" if is_needed or each["default"] is None else f" Default: {json.dumps(each['default'])}."
        rows.append(f"| `{name}` | {kind(each)} | {(text + default).strip()} |")
    if all(row.endswith("|  |") for row in rows[2:]):
        rows = [row.removesuffix(" |").rpartition(" |")[0] + " |" for row in rows]
    return "\n".join(rows)


def kind(schema: dict[str, Any]) -> str:
    """The type of a field, in words."""
    if "$ref" in schema:
        return name_in(schema)
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "anyOf" in schema:
        kinds = [each.get("type") for each in schema["anyOf"]]
        rest = [kind(each) for each in schema["anyOf"] if each.get("type") != "null"]
        is_label = {"string", "integer", "boolean"} <= set(kinds)
        return ("label" if is_label else " or ".join(rest)) + (" or null" if "null" in kinds else "")
    if schema.get("type") == "array":
        most = f" (at most {schema['maxItems']:,})" if "maxItems" in schema else ""
        return f"list of {kind(schema['items']).partition(' (')[0]}{most}"
    low, high, longest = (schema.get(key) for key in ("minimum", "maximum", "maxLength"))
    bounds = "" if low is None else f" from {low:,}" if high is None or high > 2**50 else f" from {low:,} to {high:,}"
    names = {"integer": "whole number", "object": "object"}
    named = schema.get("format") or names.get(schema["type"], schema["type"])
    return f"{named}{bounds}" + (f" (at most {longest:,} characters)" if longest else "")


def llms() -> str:
    """The pages for programs that read documentation, as llmstxt.org describes it."""
    parts = [
        "# likely",
        "> likely is a naive Bayes text classifier: a Python package, a command and an HTTP server, with its kernel "
        "in Rust. It trains on CSV, JSON Lines, Parquet, DataFrames and mailboxes, chooses its own options by exact "
        "leave-one-out, calibrates its probabilities, explains every prediction by the counts it comes from, and "
        "learns and forgets single documents exactly.",
        "Start with `likely train data.csv -o model.likely`, `likely predict model.likely --text TEXT`, or "
        "`likely.train(...)` in Python. Options have the same names in Python, on the command line and over HTTP.",
    ]
    for section in SECTIONS:
        index = (DOCS / section / "index.md").read_text(encoding="utf-8")
        title = re.findall(r"^# (.*)$", index, re.MULTILINE)[0] if section else "Optional"
        pages = [page for page in sorted((DOCS / section).glob("*.md")) if page.name != "index.md"]
        pages.sort(key=lambda page: (index.find(f"({page.name})") < 0, index.find(f"({page.name})")))
        lines = [f"- [{title_of(page)}]({page.relative_to(DOCS)}): {sentence(page, index)}" for page in pages]
        parts += [f"## {title}", "\n".join(lines)] if lines else []
    return "\n\n".join(parts) + "\n"


def title_of(page: Path) -> str:
    """The heading of a page."""
    return str(re.findall(r"^# (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)[0]).replace("`", "")


def sentence(page: Path, index: str) -> str:
    """What the index of its section says about a page, or else the first sentence of the page."""
    link = rf"\[[^\]]+\]\({re.escape(page.name)}\)"
    found = re.search(rf"^(?:[-*]|\d+\.) \**{link}\**[:,. ]*((?:.|\n(?=  ))*)", index, re.MULTILINE)
    said = found[1] if found else ""
    if not said.strip():
        text = re.sub(
            r"^---\n.*?^---\n|^(`{3,}|:{3,}).*?^\1", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        prose = [part for part in text.split("\n\n") if re.match(r"[\w`*\[]", part.strip())]
        said = re.split(r"(?<=[.!?])\s", prose[0].strip().removesuffix(":"))[0] if prose else title_of(page)
    plain = " ".join(re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", said).split())
    return f"{plain[0].upper()}{plain[1:].rstrip('.:')}" + ("" if plain.endswith(("?", "!")) else ".")


MADE = {
    "reference/options.md": options,
    "reference/commands.md": commands,
    "reference/http.md": http,
    "llms.txt": llms,
}


def main() -> int:
    """Write the pages and return 0. With --check, return 1 if a page is not up to date."""
    stale = 0
    for name, page in MADE.items():
        path = DOCS / name
        if "--check" not in sys.argv:
            path.write_text(page(), encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != page():
            print(f"{path} is not up to date: run make docs", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
