"""How Sphinx builds the documentation: `make docs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "likely"
author = "the makers of likely"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
smartquotes_action = "D"  # dashes only: values such as 'on' are copied
html_theme = "furo"
html_title = "likely"
html_extra_path = ["llms.txt"]
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_show_search_summary = False  # pages open from a folder, where a script may not fetch others
pygments_style, pygments_dark_style = "friendly", "monokai"
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
default_role = "py:obj"
napoleon_google_docstring = False
napoleon_use_param = napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
html_math_renderer = "mathml"


def _inline(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def _block(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext(), display="block"))
    raise SkipNode


def _copy_sources(app: Sphinx, error: Exception | None) -> None:
    """Put each page beside its HTML as Markdown too, for the readers of llms.txt."""
    for name in app.env.found_docs if error is None and app.builder.format == "html" else ():
        to = app.outdir / f"{name}.md"
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(app.env.doc2path(name).read_bytes())


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers draw without a script."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("build-finished", _copy_sources)
