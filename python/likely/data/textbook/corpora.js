// The tables of the textbook, and the choices with which its numbers come out.

/** @typedef {{id: string, name: string, about: string, text: string, rows: [string, string][], choices?: object}} Corpus */

/** @type {Corpus[]} */
export const CORPORA = [
  {
    id: "reviews",
    name: "Five film reviews",
    about: "The worked example of Jurafsky and Martin, chapter 4.3: which class do the words speak for?",
    text: "predictable with no fun",
    rows: [
      ["just plain boring", "-"],
      ["entirely predictable and lacks energy", "-"],
      ["no surprises and very few laughs", "-"],
      ["very powerful", "+"],
      ["the most fun film of the summer", "+"],
    ],
  },
  {
    id: "tweets",
    name: "Happy and sad tweets",
    about: "The table of ratios: what each word says by itself, and what the words say together.",
    text: "I am happy because I love ice cream",
    rows: [
      ["I am happy because I love the weather", "pos"],
      ["I am happy", "pos"],
      ["I am sad because I hate the weather", "neg"],
      ["I am sad", "neg"],
    ],
  },
  {
    id: "china",
    name: "China",
    about:
      "Table 13.1 of Manning, Raghavan and Schütze. Switch to Bernoulli: the class changes, because absent words count, too.",
    text: "Chinese Chinese Chinese Tokyo Japan",
    rows: [
      ["Chinese Beijing Chinese", "yes"],
      ["Chinese Chinese Shanghai", "yes"],
      ["Chinese Macao", "yes"],
      ["Tokyo Japan Chinese", "no"],
    ],
  },
  {
    id: "letters",
    name: "The letters a and b",
    about: "Strings over two letters, without smoothing: what a class has never written is impossible.",
    text: "aaba",
    rows: [
      ["aa", "A"],
      ["ab", "A"],
      ["ba", "A"],
      ["bb", "B"],
    ],
    choices: { alpha: 0, terms: "char" },
  },
  {
    id: "smoothed-letters",
    name: "The letters a and b, smoothed",
    about: "The same alphabet with alpha 1. With logarithms to base 10, these are the sums of the notes.",
    text: "bba",
    rows: [
      ["a", "A"],
      ["aa", "A"],
      ["b", "A"],
      ["bb", "B"],
    ],
    choices: { terms: "char", base: 10 },
  },
  {
    id: "goodboy",
    name: "A good boy",
    about: "Two sentences as vectors: which words of the vocabulary does each have?",
    text: "he is a good boy",
    rows: [
      ["He is a good boy", "first"],
      ["He performs very well", "second"],
    ],
    choices: { variant: "binary" },
  },
];

/** Three centuries of novels: 600 predictions, rows are gold labels. */
export const CENTURIES = {
  labels: ["18th", "19th", "20th"],
  matrix: [
    [150, 20, 10],
    [35, 110, 10],
    [0, 5, 260],
  ],
};

/** Words that two language models give probabilities (Jurafsky and Martin, figure 4.6). */
export const GIVEN = {
  labels: ["+", "-"],
  text: "I love this fun film",
  words: [
    ["I", 0.1, 0.2],
    ["love", 0.1, 0.001],
    ["this", 0.01, 0.01],
    ["fun", 0.05, 0.005],
    ["film", 0.1, 0.1],
  ],
};
