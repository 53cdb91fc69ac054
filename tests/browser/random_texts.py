"""Random texts in more than forty scripts, with everything that makes cutting texts hard. Seeded: always the same."""

from __future__ import annotations

import random
import unicodedata

BLOCKS = {
    "Latin": (0x41, 0x17F),
    "Latin Extended": (0x180, 0x24F),
    "Vietnamese": (0x1E00, 0x1EFF),
    "Greek": (0x370, 0x3FF),
    "Greek Extended": (0x1F00, 0x1FFE),
    "Cyrillic": (0x400, 0x52F),
    "Armenian": (0x531, 0x58F),
    "Georgian": (0x10A0, 0x10FF),
    "Hebrew": (0x591, 0x5F4),
    "Arabic": (0x600, 0x6FF),
    "Syriac": (0x700, 0x74F),
    "Thaana": (0x780, 0x7B1),
    "N'Ko": (0x7C0, 0x7FF),
    "Devanagari": (0x900, 0x97F),
    "Bengali": (0x980, 0x9FE),
    "Gurmukhi": (0xA01, 0xA76),
    "Gujarati": (0xA81, 0xAFF),
    "Oriya": (0xB01, 0xB77),
    "Tamil": (0xB82, 0xBFA),
    "Telugu": (0xC00, 0xC7F),
    "Kannada": (0xC80, 0xCF3),
    "Malayalam": (0xD00, 0xD7F),
    "Sinhala": (0xD81, 0xDF4),
    "Thai": (0xE01, 0xE5B),
    "Lao": (0xE81, 0xEDF),
    "Tibetan": (0xF00, 0xFDA),
    "Myanmar": (0x1000, 0x109F),
    "Khmer": (0x1780, 0x17F9),
    "Ethiopic": (0x1200, 0x137C),
    "Cherokee": (0x13A0, 0x13FD),
    "Canadian Aboriginal": (0x1400, 0x167F),
    "Ogham": (0x1680, 0x169C),
    "Runic": (0x16A0, 0x16F8),
    "Mongolian": (0x1800, 0x18AA),
    "Tai Tham": (0x1A20, 0x1AAD),
    "Balinese": (0x1B00, 0x1B7E),
    "Tifinagh": (0x2D30, 0x2D7F),
    "Glagolitic": (0x2C00, 0x2C5F),
    "Coptic": (0x2C80, 0x2CFF),
    "Hiragana": (0x3041, 0x309F),
    "Katakana": (0x30A0, 0x30FF),
    "Bopomofo": (0x3105, 0x312F),
    "Han": (0x4E00, 0x9FFF),
    "Yi": (0xA000, 0xA48C),
    "Vai": (0xA500, 0xA62B),
    "Hangul": (0xAC00, 0xD7A3),
    "Hangul Jamo": (0x1100, 0x11FF),
    "Arabic Forms": (0xFB50, 0xFDFF),
    "Full-width": (0xFF01, 0xFFEE),
    "Gothic": (0x10330, 0x1034A),
    "Deseret": (0x10400, 0x1044F),
    "Osage": (0x104B0, 0x104FB),
    "Brahmi": (0x11000, 0x1107F),
    "Cuneiform": (0x12000, 0x123FF),
    "Mathematical": (0x1D400, 0x1D7FF),
    "Adlam": (0x1E900, 0x1E95F),
    "Han Extension": (0x20000, 0x2A6DF),
}
"""The first and the last character of a block of each script; some of the characters between are not assigned."""

WORDS = """
the The THE not don't don’t never good bad film fun dull plot 3.14 1,000,000 12:30 2026-11-16 007 ½ ٣ 五
ΣΊΣΥΦΟΣ ΑΣ Σ İstanbul STRASSE Straße ǅ ﬁ Å é e\u0301 n\u0303\u0323 Ⅷ ① paral·lel צה״ל Ինչո՞ւ ｶﾞ
Silben\u00adtrennung word\u2060joiner می\u200cخواهم র\u200d্যাব rock'n'roll ''quoted'' O'Brien’s
me@example.com first.last+tag@mail.example.co.uk @user @_x #tag #1 #été https://example.org/a?b=c#d.
http://x.org/wiki/A_(b)) www.example.de, WWW.X.ORG ftp://user@host.org/x a@b :// www. @ # snake_case
:-) :) ;D =P <3 </3 ^_^ -_- :'( (: http:/ 3:30 :D: x:) C++ $9.99 (50%) e-mail -- … — 。 ، ؟ ! ? . , ; :
😀 👍🏽 👩\u200d👩\u200d👧 🇫🇷🇩🇪 🇫 ❤ ❤\ufe0f © ©\ufe0f ™\ufe0f
#\ufe0f\u20e3 1\ufe0f\u20e3 *\ufe0f\u20e3 🏴\U000e0067\U000e0062\U000e007f
""".split()  # noqa: SIM905 - a list of this length would fill a screen
"""Words that the rules of cutting, preparing and masking are about."""

SPACES = (
    " ",
    " ",
    " ",
    " ",
    " ",
    "",
    "\n",
    "\n\n",
    "\t",
    "  ",
    "\u00a0",
    "\u3000",
    ", ",
    ". ",
    " - ",
    "'",
    "\u2009",
    "\r\n",
)
ODD = (
    "\0",
    "\x7f",
    "\x85",
    "\ufeff",
    "\u200b",
    "\u202e",
    "\u2066",
    "\ufffd",
    "\uffff",
    "\U0010ffff",
    "\ud800",
    "\udc00 ",
    "\u0301",
)
"""Characters that no text should have: controls, overrides, halves of surrogate pairs, marks without a letter."""


class RandomTexts:
    """A source of random texts. Halves of surrogate pairs never follow each other: they would be one character."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def word(self) -> str:
        """One word: one of the difficult ones, or random characters of one script."""
        draw = self._random
        if draw.random() < 0.45:
            return draw.choice(WORDS)
        first, last = BLOCKS[draw.choice(list(BLOCKS))]
        length = draw.choice((1, 1, 2, 3, 5, 8))
        characters = (chr(draw.randint(first, last)) for _ in range(length))
        # Browsers may know another version of Unicode, by which they order marks that are newer than this Python.
        return "".join(c for c in characters if unicodedata.category(c) != "Cn")

    def text(self, words: int = 30) -> str:
        """A text of at most this number of words."""
        draw = self._random
        pieces = []
        for _ in range(draw.randint(0, words)):
            pieces += [draw.choice(ODD) if draw.random() < 0.03 else self.word(), draw.choice(SPACES)]
        if draw.random() < 0.02:
            pieces.append(self.word() * 500)
        return "".join(pieces)

    def texts(self, number: int, words: int = 30) -> list[str]:
        """Some texts."""
        return [self.text(words) for _ in range(number)]
