"""`MODEL`: the options of a model. Every constructor argument, flag and check of a model comes from here."""

from __future__ import annotations

from likely.options.kinds import (
    CLASS_WEIGHTS,
    GOALS,
    LARGEST_ALPHA,
    LARGEST_WEIGHT,
    LEAST_BITS,
    LONGEST_NGRAM,
    MOST_BITS,
    MOST_THREADS,
    PREFERENCES,
    STEM_LANGUAGES,
    STEMS,
    TASKS,
    VARIANTS,
    is_abstain,
    is_alpha,
    is_budget,
    is_class_weight,
    is_cost,
    is_documents,
    is_goal,
    is_hash_bits,
    is_negation,
    is_ngrams,
    is_prior,
    is_reject_label,
    is_share,
    is_stem,
    is_stop_words,
    is_task,
    is_terms,
    is_threads,
    is_thresholds,
    is_tokenizer,
    is_truth,
    is_truth_or_none,
)
from likely.options.option import Option, choice, one_of, table_of, treatment
from likely.options.parsing import (
    parse_abstain,
    parse_class_weight,
    parse_name,
    parse_negation,
    parse_ngrams,
    parse_number,
    parse_optional,
    parse_prior,
    parse_thresholds,
    parse_tokenizer,
    parse_truth,
)

MODEL: dict[str, Option] = table_of(
    Option(
        "task",
        None,
        "None, " + one_of(TASKS),
        "A preset: options that suit a kind of task (the reference page lists them). Options that you give yourself "
        "take precedence.",
        is_task,
        parse_name,
        known=TASKS,
        metavar="|".join(TASKS),
    ),
    choice(
        "variant",
        VARIANTS,
        "The variant of naive Bayes. 'multinomial' uses how often each term occurs, 'binary' only whether it occurs, "
        "'bernoulli' also which terms are absent. The 'complement' variants estimate each class from the documents "
        "of all other classes. 'nbsvm' is a linear classifier on the ratios of naive Bayes, trained on all documents "
        "at once.",
    ),
    Option(
        "alpha",
        1.0,
        f"a number from 0 to {LARGEST_ALPHA:g}",
        "Additive smoothing: the number that is added to every count (1 is Laplace smoothing). With 0, an unseen "
        "term has probability 0.",
        is_alpha,
        float,
        metavar="NUMBER",
    ),
    Option(
        "prior",
        "fitted",
        "'fitted', 'uniform' or a mapping from each class to its probability; the probabilities must sum to 1",
        "P(class) before the text is seen: 'fitted' is as in the training data, 'uniform' is equal for all classes, "
        "a mapping gives the probability of each class.",
        is_prior,
        parse_prior,
        metavar="fitted|uniform|CLASS=SHARE,...",
    ),
    Option(
        "class_weight",
        None,
        f"None, 'balanced', 'sqrt_balanced' or a mapping from classes to weights from {1 / LARGEST_WEIGHT:g} to "
        f"{LARGEST_WEIGHT:g}",
        "The weights of the classes: every document counts as many times as its class weighs. 'balanced' makes rare "
        "classes weigh as much as frequent ones, 'sqrt_balanced' takes the square roots of these weights; in a "
        "mapping, a class without a weight has the weight 1.",
        is_class_weight,
        parse_class_weight,
        known=CLASS_WEIGHTS,
        metavar="balanced|sqrt_balanced|CLASS=WEIGHT,...",
    ),
    choice(
        "analyzer",
        ("word", "char", "char_wb", "both"),
        "The kind of terms: 'word' for words of any script, 'char' for characters, 'char_wb' for characters within "
        "words, 'both' for words and characters within words.",
    ),
    Option(
        "ngrams",
        (1, 1),
        f"a pair of whole numbers such as (1, 2), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
        "The shortest and the longest n-gram: how many consecutive words or characters make a term.",
        is_ngrams,
        parse_ngrams,
        metavar="MIN,MAX",
    ),
    Option(
        "char_ngrams",
        (2, 4),
        f"a pair of whole numbers such as (2, 4), the shortest and the longest, from 1 to {LONGEST_NGRAM}",
        "The shortest and the longest n-gram of characters if analyzer is 'both'.",
        is_ngrams,
        parse_ngrams,
        metavar="MIN,MAX",
    ),
    Option(
        "lowercase",
        True,
        "True or False",
        "Ignore case: words that differ only in case are the same term.",
        is_truth,
        parse_truth,
    ),
    choice("accents", ("keep", "strip"), "'strip' removes accents: 'café' and 'cafe' are then the same term."),
    choice(
        "normalize",
        ("none", "nfc", "nfkc"),
        "The Unicode normal form that texts are converted to: 'nfc' composes accents, 'nfkc' also replaces "
        "full-width letters, ligatures and similar characters by plain ones.",
    ),
    choice(
        "punctuation",
        ("drop", "keep"),
        "'keep' makes each punctuation mark and each symbol a term, and each emoticon such as :-) one term.",
    ),
    choice(
        "numbers",
        ("keep", "mask"),
        "'mask' replaces each number by its shape: 3.14 becomes the term <number:9.99>.",
    ),
    treatment("urls", "Web addresses (https://..., www....)"),
    treatment("emails", "E-mail addresses"),
    treatment("mentions", "Mentions (@name)"),
    treatment("hashtags", "Hashtags (#name)"),
    Option(
        "stop_words",
        None,
        "None, the code of a language (such as 'en'), 'auto', a list of words, or a file with one word per line",
        "Words to leave out: a list, a file, the list of a language (which contains no negators), or 'auto' for the "
        "terms that occur in more than half of all documents.",
        is_stop_words,
        parse_name,
        metavar="CODE|FILE|auto",
    ),
    Option(
        "stem",
        "none",
        "'none' or a language that Snowball supports: " + ", ".join(STEM_LANGUAGES.values()),
        "The language of the Snowball stemmer, which removes endings: 'loves' and 'loved' become the same term.",
        is_stem,
        known=STEMS,
        metavar="LANGUAGE",
    ),
    Option(
        "negation",
        "off",
        "'off', 'on' for English negators, or a list of negators",
        "Mark the words between a negator and the next punctuation mark: 'not good' becomes the terms not and "
        "NOT_good.",
        is_negation,
        parse_negation,
        metavar="off|on|WORD,...",
    ),
    choice("spelling", ("off", "on"), "'on' reads an unknown word as the known word that it misspells."),
    Option(
        "min_documents",
        1,
        "a whole number of documents from 1 on, or a share of them between 0 and 1",
        "Ignore terms that occur in fewer documents than this (below 1: than this share of all documents). They are "
        "learned all the same, so the number can be changed later.",
        is_documents,
        parse_number,
    ),
    Option(
        "max_documents",
        1.0,
        "a whole number of documents from 1 on, or a share of them up to 1.0",
        "Ignore terms that occur in more documents than this (1.0 is a share: all documents). They are learned all "
        "the same, so the number can be changed later.",
        is_documents,
        parse_number,
    ),
    Option(
        "max_terms",
        None,
        "a whole number from 1 on, or None",
        "Use at most this many terms: the most frequent ones, and of equally frequent ones the alphabetically first.",
        is_terms,
        parse_optional,
        default_text="all",
    ),
    Option(
        "hash_bits",
        0,
        f"0 or a whole number from {LEAST_BITS} to {MOST_BITS}",
        "0 keeps the names of the terms. Any other number hashes the terms into 2**hash_bits buckets without names.",
        is_hash_bits,
        int,
    ),
    Option(
        "tokenizer",
        None,
        "a function from a text to a list of its tokens, or None",
        "A function that splits a text into tokens, for languages or rules of your own. A model file contains only "
        "its name.",
        is_tokenizer,
        parse_tokenizer,
        has_flag=False,
    ),
    choice(
        "weighting",
        ("counts", "tfidf"),
        "The value of a term in a document: 'counts' is how often it occurs, 'tfidf' is (1 + log tf) * log(N / df).",
    ),
    choice(
        "tf",
        ("sublinear", "raw"),
        "For tf-idf: 'sublinear' is 1 + log of how often the term occurs, 'raw' is how often it occurs.",
    ),
    choice(
        "idf", ("plain", "smooth"), "For tf-idf: 'plain' is log(N / df), 'smooth' is log((1 + N) / (1 + df)) + 1."
    ),
    choice(
        "norm",
        ("none", "l2"),
        "For tf-idf and nbsvm: 'l2' scales each document to unit length. Training reads the texts twice; the model "
        "can then neither learn nor forget.",
    ),
    choice(
        "loss",
        ("hinge", "logistic"),
        "For nbsvm: the loss that training minimizes, the squared hinge loss of support vector machines or the "
        "logistic loss.",
    ),
    Option(
        "cost",
        1.0,
        "a finite number > 0",
        "For nbsvm: the penalty C of support vector machines. The larger it is, the more closely the training data "
        "are fitted.",
        is_cost,
        float,
        metavar="NUMBER",
    ),
    Option(
        "interpolation",
        1.0,
        "a number from 0 to 1",
        "For nbsvm: the interpolation between naive Bayes (0) and the learned weights (1).",
        is_share,
        float,
        metavar="NUMBER",
    ),
    choice(
        "document_weight",
        ("length", "equal"),
        "How much each document contributes to the counts: 'length' in proportion to its length, 'equal' the same "
        "for all documents (each term is divided by the Euclidean length of its document).",
    ),
    Option(
        "tune",
        None,
        "None, " + one_of((*GOALS, "f1:CLASS")),
        "Choose the options that are not given while training, by this measure. 'auto' chooses the best log-loss "
        "among the settings whose accuracy is not significantly below the best one.",
        is_goal,
        known=GOALS,
        metavar="|".join((*GOALS, "f1:CLASS")),
        flag="--tune-for",
        default_text="auto in `train`, if no other option is given",
    ),
    Option(
        "budget",
        None,
        "a time above 0 such as 30, '30s' or '2m', or None",
        "About how long choosing options may take, such as 30s or 2m.",
        is_budget,
        metavar="TIME",
        default_text="10s",
    ),
    choice(
        "prefer",
        PREFERENCES,
        "While options are chosen: 'balanced' takes fewer terms if the model is about as good, 'small' takes the "
        "fewest terms that cost at most one point of accuracy, 'accurate' takes the best model, whatever its size.",
    ),
    Option(
        "strongest",
        False,
        "True or False",
        "Also try variant 'nbsvm', which takes longer to train; the model can then neither learn nor forget.",
        is_truth,
        parse_truth,
        flag="--strongest",
    ),
    Option(
        "calibrate",
        None,
        "True, False or None",
        "Calibrate probabilities while training, on exact leave-one-out scores. None calibrates if options are "
        "chosen, and if it is possible.",
        is_truth_or_none,
        parse_truth,
        flag="--calibrate/--no-calibrate",
        default_text="true in `train`, if possible",
    ),
    Option(
        "thresholds",
        None,
        "None, a mapping from classes to probabilities between 0 and 1, or what to choose them for: 'f1:CLASS', "
        "'macro-f1', 'precision:CLASS=SHARE' or a mapping from pairs of a gold and a predicted class to costs",
        "The probability from which a class is predicted, also if another class is more probable. Training chooses "
        "it for an F1, for a precision or for the lowest cost, if you say so; by default `train` does it for a class "
        "that would hardly ever be predicted. An empty mapping (or none) turns that off.",
        is_thresholds,
        parse_thresholds,
        metavar="CLASS=NUMBER,...|f1:CLASS|macro-f1|precision:CLASS=NUMBER|cost:A>B=NUMBER|none",
        aliases=("--threshold-for",),
        default_text="none, but `train` chooses them for rare classes",
    ),
    Option(
        "abstain",
        None,
        "None, a probability, or one of probability=, margin= and precision= with a number from 0 to 1",
        "When to return None: if the best class is less probable than this number, leads by less than `margin`, or "
        "to reach a `precision`.",
        is_abstain,
        parse_abstain,
        metavar="NUMBER|margin=NUMBER|precision=NUMBER",
        default_text="never",
    ),
    Option(
        "reject_label",
        None,
        "None or a label: a str, int or bool",
        "What to return instead of None if the model abstains: a label that no class has, of the type of the labels.",
        is_reject_label,
        metavar="LABEL",
        default_text="none",
    ),
    Option(
        "threads",
        None,
        f"a whole number from 1 to {MOST_THREADS}, or None for one thread per processor",
        "The number of threads; None is one per processor. The results are the same for any number.",
        is_threads,
        parse_optional,
        default_text="one per processor",
    ),
)
"""The options of a model, by name."""
