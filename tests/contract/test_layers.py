"""Imports point one way: each room imports only from rooms below it, inside functions and for types too."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "python" / "likely"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = [
    {
        "_native",
        "arrow_data",
        "drawing",
        "errors",
        "extras",
        "formulas",
        "labels",
        "locks",
        "sample",
        "terminal",
        "types",
    },
    {"options"},
    {"core", "reading"},
    {"training"},
    {"evaluation", "explanation"},
    {"report"},
    {"model"},
    {"batch"},
    {"client", "server", "spark", "vectorize"},
    {"cli"},
]
"""The rooms, bottom up. The first layer is the base: modules that know nothing of the product's data flow."""

EXCEPTIONS: dict[tuple[str, str], str] = {}
"""Module and the module above it that it imports, with the reason."""


def test_there_are_few_layers() -> None:
    assert len(LAYERS) <= 10


def test_imports_point_one_way() -> None:
    level = {name: at for at, names in enumerate(LAYERS) for name in names}
    upward = {
        (name(module), target)
        for module in MODULES
        if room(name(module)) != "__init__"
        for target in imports(module)
        if room(target) != room(name(module)) and level[room(target)] > level[room(name(module))]
    }
    new = sorted(upward - set(EXCEPTIONS))
    assert not new, f"these import from a room above: move the code, or name them in EXCEPTIONS: {new}"
    gone = sorted(set(EXCEPTIONS) - upward)
    assert not gone, f"these exceptions are no longer needed, delete them: {gone}"


def test_every_module_is_in_a_layer() -> None:
    rooms = {room(name(module)) for module in MODULES} - {"__init__"}
    assert rooms | {"_native"} == set().union(*LAYERS)


def test_the_root_holds_rooms() -> None:
    loose = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    assert loose | {"_native"} == LAYERS[0], "a module belongs in a room, or is part of the base"


def name(module: Path) -> str:
    """The dotted name of a module within the package."""
    parts = module.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def room(dotted: str) -> str:
    """The first part of a dotted name: the room, or the module of the base."""
    return dotted.partition(".")[0]


def imports(module: Path) -> set[str]:
    """The modules of the package that a module imports, wherever the import stands."""
    targets: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets |= {
                alias.name.removeprefix("likely.") for alias in node.names if alias.name.startswith("likely.")
            }
        elif isinstance(node, ast.ImportFrom) and node.module:
            package, _, inner = node.module.partition(".")
            if package == "likely":
                targets |= {inner} if inner else {alias.name for alias in node.names if alias.name != "__version__"}
    return targets
