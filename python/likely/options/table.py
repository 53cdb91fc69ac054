"""The one table of options: every constructor argument, flag and schema comes from here."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from likely.errors import UnknownOptionError
from likely.options.kinds import (
    LEAST_BITS,
    LONGEST_NGRAM,
    MOST_BITS,
    MOST_THREADS,
    STEM_LANGUAGES,
    TASKS,
    VARIANTS,
    Option,
    choice,
    is_abstain,
    is_alpha,
    is_cost,
    is_documents,
    is_hash_bits,
    is_negation,
    is_ngrams,
    is_prior,
    is_share,
    is_stem,
    is_stop_words,
    is_tokenizer,
    is_truth,
    is_whole,
    parse_abstain,
    parse_negation,
    parse_ngrams,
    parse_number,
    parse_optional,
    parse_prior,
    parse_stop_words,
    parse_tokenizer,
    parse_truth,
    treatment,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

OPTIONS: dict[str, Option] = {
    option.name: option
    for option in (
        Option(
            "task",
            None,
            "None or " + ", ".join(map(repr, TASKS)),
            "A preset for a kind of work: it sets options that are left at their defaults, as the reference says.",
            lambda value: value is None or (isinstance(value, str) and value in TASKS),
            lambda text: None if text.lower() == "none" else text,
        ),
        choice(
            "variant",
            VARIANTS,
            "Which naive Bayes: 'multinomial' counts a term each time it occurs, 'binary' once a document, "
            "'bernoulli' also where it is absent; 'complement' asks which other classes it speaks against; 'nbsvm' "
            "is a linear classifier on naive Bayes's ratios, learned from all documents at once.",
        ),
        Option(
            "alpha",
            1.0,
            "a finite number >= 0",
            "Added to every count (Laplace's smoothing is 1); with 0 an unseen term has probability 0.",
            is_alpha,
            float,
        ),
        Option(
            "prior",
            "fitted",
            "'fitted', 'uniform' or a mapping from each class to its share, which sum to 1",
            "P(class) before the text is seen: as in the training data, equal for all, or given.",
            is_prior,
            parse_prior,
        ),
        choice(
            "analyzer",
            ("word", "char", "char_wb", "both"),
            "What a text is cut into: words of any script, characters, characters within words, or words and those.",
        ),
        Option(
            "ngrams",
            (1, 1),
            f"a pair of whole numbers such as (1, 2), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
            "How many words or characters in a row make a term: the shortest and the longest.",
            is_ngrams,
            parse_ngrams,
        ),
        Option(
            "char_ngrams",
            (2, 4),
            f"a pair of whole numbers such as (2, 4), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
            "How many characters in a row make a term beside the words, where analyzer is 'both'.",
            is_ngrams,
            parse_ngrams,
        ),
        Option(
            "lowercase",
            True,
            "True or False",
            "Whether words that differ only in case are one term.",
            is_truth,
            parse_truth,
        ),
        choice("accents", ("keep", "strip"), "Whether 'café' and 'cafe' are two terms, or one."),
        choice(
            "normalize",
            ("none", "nfc", "nfkc"),
            "Unicode's normal form that texts are brought to: 'nfc' composes accents, 'nfkc' also makes "
            "full-width letters, ligatures and the like plain.",
        ),
        choice(
            "punctuation",
            ("drop", "keep"),
            "Whether punctuation marks and symbols are terms, each one, and emoticons such as :-) as a whole.",
        ),
        choice(
            "numbers",
            ("keep", "mask"),
            "Whether a number is a term as it is, or as its shape: 3.14 as <number:9.99>.",
        ),
        treatment("urls", "Addresses of the web (https://..., www....)"),
        treatment("emails", "Addresses of mail"),
        treatment("mentions", "@names"),
        treatment("hashtags", "#names"),
        Option(
            "stop_words",
            None,
            "None, the code of a language (such as 'en'), 'auto', a list of words, or a file with one a line",
            "Words that are left out: those of a list, of a language (negators are not among them), or 'auto' for "
            "terms in more than half of all documents.",
            is_stop_words,
            parse_stop_words,
        ),
        Option(
            "stem",
            "none",
            "'none' or a language of Snowball's: " + ", ".join(STEM_LANGUAGES.values()),
            "The language whose endings are cut off words (Snowball's stemmers), so that 'loves' and 'loved' are one "
            "term.",
            is_stem,
        ),
        Option(
            "negation",
            "off",
            "'off', 'on' for English, or a list of words that negate",
            "Whether words after a negator, up to the next punctuation, are terms of their own: 'not good' as "
            "not, NOT_good.",
            is_negation,
            parse_negation,
        ),
        choice(
            "spelling",
            ("off", "on"),
            "Whether an unknown word is read as the known one that it misspells.",
        ),
        Option(
            "min_documents",
            1,
            "a whole number of documents from 1 on, or a share of them between 0 and 1",
            "Terms in fewer documents do not count (a share if below 1); they are learned all the same.",
            is_documents,
            parse_number,
        ),
        Option(
            "max_documents",
            1.0,
            "a whole number of documents from 1 on, or a share of them up to 1.0",
            "Terms in more documents do not count (1.0 is a share: all of them); they are learned all the same.",
            is_documents,
            parse_number,
        ),
        Option(
            "max_terms",
            None,
            "a whole number from 1 on, or None",
            "Only so many terms count, the most frequent ones; of equally frequent ones the first in the alphabet.",
            lambda value: value is None or (is_whole(value) and value >= 1),
            parse_optional,
        ),
        Option(
            "hash_bits",
            0,
            f"0 or a whole number from {LEAST_BITS} to {MOST_BITS}",
            "0 to keep the names of terms; else they are counted in 2**hash_bits buckets, without names.",
            is_hash_bits,
            int,
        ),
        Option(
            "tokenizer",
            None,
            "a function from a text to a list of its tokens, or None",
            "A function that cuts texts into tokens, for languages or rules of your own; a model file names it.",
            is_tokenizer,
            parse_tokenizer,
        ),
        choice(
            "weighting",
            ("counts", "tfidf"),
            "What a term counts in a document: its occurrences, or tf-idf, (1 + log tf) * log(N / df).",
        ),
        choice("tf", ("sublinear", "raw"), "For tf-idf: whether tf is 1 + log of the occurrences, or their number."),
        choice(
            "idf",
            ("plain", "smooth"),
            "For tf-idf: whether idf is log(N / df), or log((1 + N) / (1 + df)) + 1.",
        ),
        choice(
            "norm",
            ("none", "l2"),
            "For tf-idf and nbsvm: whether all documents have the same length. That reads the texts twice, and "
            "nothing can be learned on or forgotten.",
        ),
        choice(
            "loss",
            ("hinge", "logistic"),
            "For nbsvm: the loss that is made least, the squared hinge of support vector machines or the logistic "
            "one.",
        ),
        Option(
            "cost",
            1.0,
            "a finite number > 0",
            "For nbsvm: what an error costs, measured by the size of the weights (C of support vector machines).",
            is_cost,
            float,
        ),
        Option(
            "interpolation",
            1.0,
            "a number from 0 to 1",
            "For nbsvm: how far learned weights go from their mean: 1 all the way, 0 for naive Bayes.",
            is_share,
            float,
        ),
        choice(
            "document_weight",
            ("length", "equal"),
            "How much a document counts in learning: the more the longer it is, or all the same, each term over the "
            "(Euclidean) length of its document.",
        ),
        Option(
            "calibrate",
            False,
            "True or False",
            "Whether learning also fits probabilities that mean something, from what each document would have got "
            "from a model without it.",
            is_truth,
            parse_truth,
        ),
        Option(
            "abstain",
            None,
            "None, a probability, or one of probability=, margin= and precision= with a number from 0 to 1",
            "When to give no class: below a probability of the best one, or a margin to the next, or so that a share "
            "of the answers is right.",
            is_abstain,
            parse_abstain,
        ),
        Option(
            "threads",
            None,
            f"a whole number from 1 to {MOST_THREADS}, or None for one a processor",
            "How many threads work at once, None for one a processor; the results are the same for any number.",
            lambda value: value is None or (is_whole(value) and 1 <= value <= MOST_THREADS),
            parse_optional,
        ),
    )
}


ANALYZE_OPTIONS = (
    "analyzer",
    "ngrams",
    "char_ngrams",
    "lowercase",
    "accents",
    "normalize",
    "punctuation",
    "numbers",
    "urls",
    "emails",
    "mentions",
    "hashtags",
    "stop_words",
    "stem",
    "negation",
    "hash_bits",
    "tokenizer",
)
"""The options that decide which terms a text has."""

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "fasttext", "lines", "mbox", "eml")
"""The formats of files that can be asked for by name."""

ELSEWHERE = {
    "ngram_range": "ngrams",
    "binary": "variant",
    "fit_prior": "prior",
    "class_prior": "prior",
    "smoothing": "alpha",
    "n_jobs": "threads",
    "strip_accents": "accents",
    "min_df": "min_documents",
    "max_df": "max_documents",
    "max_features": "max_terms",
    "n_features": "hash_bits",
    "sublinear_tf": "tf",
    "smooth_idf": "idf",
    "use_idf": "weighting",
    "stemmer": "stem",
    "C": "cost",
    "beta": "interpolation",
    "language": "stem",
}
"""What other libraries call our options, for those who come from there."""


def check_options(values: Mapping[str, Any], others: Collection[str] = ()) -> None:
    """Raise unless every name is an option and every value allowed; ``others`` are names that might be meant.

    Examples
    --------
    >>> check_options({"alpha": 0.5})
    >>> check_options({"alhpa": 0.5})
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: there is no option 'alhpa': did you mean 'alpha'?
    """
    for name, value in values.items():
        if name not in OPTIONS:
            names = [*OPTIONS, *others]
            close = [ELSEWHERE[name]] if name in ELSEWHERE else difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"the options are {', '.join(names)}"
            raise UnknownOptionError(f"there is no option {name!r}: {hint}")
        OPTIONS[name].check(value)


def with_defaults(values: Mapping[str, Any], allowed: Collection[str] = OPTIONS) -> dict[str, Any]:
    """All options, those given checked and the others at their defaults.

    Examples
    --------
    >>> with_defaults({"alpha": 0.5})["ngrams"]
    (1, 1)
    >>> with_defaults({"alpha": 0.5}, allowed=["ngrams"])
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: the option 'alpha' has no effect here: these do: ngrams
    """
    check_options(values)
    for name in values:
        if name not in allowed:
            raise UnknownOptionError(f"the option {name!r} has no effect here: these do: {', '.join(allowed)}")
    return {name: values.get(name, option.default) for name, option in OPTIONS.items()}
