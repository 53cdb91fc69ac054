"""The textbook page: one offline HTML file in which readers edit texts and every number of naive Bayes follows."""

from __future__ import annotations

from likely.core.analyzer import Analyzer
from likely.options.model import with_defaults
from likely.report.live.model_data import preparation
from likely.report.live.scripts import bundled, stemmer
from likely.report.render import markup, policy, render, script_json, styles

_LANGUAGE = "english"


def textbook_page() -> str:
    """The page as HTML. Its texts are cut as `NaiveBayes` cuts them; the stop words and stems are English.

    Examples
    --------
    >>> page = textbook_page()
    >>> "Naive Bayes, number by number" in page, "default-src 'none'" in page, len(page.encode()) < 400_000
    (True, True, True)
    """
    plain = preparation(Analyzer.of(with_defaults({})))
    stop_words = preparation(Analyzer.of(with_defaults({"stop_words": "en"})))["stop_words"]
    style = styles("shared/base.css", "textbook/textbook.css")
    settings = script_json(
        {"preparation": plain, "stopWords": stop_words, "hasStems": stemmer(_LANGUAGE) is not None}
    )
    script = bundled("textbook", _LANGUAGE)
    return render(
        "textbook.html",
        policy=markup(policy(f'{style}<script type="module">\n{script}</script>')),
        style=style,
        settings=settings,
        script=markup(script),
    )
