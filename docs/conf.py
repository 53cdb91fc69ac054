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
smartquotes = False  # values such as 'on' are copied
html_theme = "furo"
html_title = "likely"
html_extra_path = ["llms.txt"]
html_copy_source = False
html_show_sphinx = False
pygments_style, pygments_dark_style = "friendly", "monokai"
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
default_role = "py:obj"
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
html_math_renderer = "mathml"


def _inline(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode  # the source of the formula is not text of the page


def _block(translator: Any, node: Any) -> None:
    translator.body.append(convert(node.astext(), display="block"))
    raise SkipNode


def _leave(translator: Any, node: Any) -> None:
    """Nothing is left to write."""


def setup(app: Sphinx) -> None:
    """Write formulas as MathML, which browsers draw without a script."""
    app.add_html_math_renderer("mathml", (_inline, _leave), (_block, _leave))
