//! A text and its words go in; all its pieces come out in order: words, numbers, punctuation, emoticons and entities.
//!
//! The words come from [`crate::analyze::tokens::tokenize`]. Here the gaps between them are read, most of which are
//! one space. Only the few characters of what looks like an emoticon and is not one are read twice.

use crate::analyze::characters::char_class::{class_at, decode};
use crate::analyze::tokens::entities::{Entity, find_entities};
use crate::analyze::tokens::punctuation::{end_of_emoticon, end_of_number, ends_clause, is_mark, is_number};
use crate::analyze::tokens::tokenize::Span;
use crate::analyze::tokens::wanted::{PieceKind, Treatment, Wanted};

/// The pieces of a text, a few hundred at a time.
#[derive(Default)]
pub(crate) struct Pieces {
    /// The places of the pieces of this round.
    pub(crate) spans: Vec<Span>,
    /// The pieces that are not words: their indices in this round, and their kinds.
    pub(crate) others: Vec<(u32, PieceKind)>,
    /// The indices in this round of pieces before which a clause ended.
    pub(crate) breaks: Vec<u32>,
    /// The indices in this round of words without their beginning. The copy of the text is not valid there.
    pub(crate) beheaded: Vec<u32>,
    entities: Vec<Entity>,
    next_entity: usize,
    /// How far the text has been read.
    at: usize,
    broken: bool,
}

impl Pieces {
    /// Begins a text.
    pub(crate) fn begin(&mut self, text: &[u8], wanted: &Wanted) {
        self.clear();
        self.entities.clear();
        (self.next_entity, self.at, self.broken) = (0, 0, false);
        if wanted.entities() {
            find_entities(text, &mut self.entities);
            self.entities.retain(|entity| wanted.treatment(entity.kind) != Treatment::Split);
        }
    }

    /// Whether the words of the text that was begun are all its pieces.
    pub(crate) fn are_words(&self, wanted: &Wanted) -> bool {
        self.entities.is_empty() && !(wanted.punctuation || wanted.numbers)
    }

    /// Finds the words before which a clause ended, if the text has no other pieces.
    #[inline]
    pub(crate) fn read_breaks(&mut self, text: &[u8], words: &[Span]) {
        self.breaks.clear();
        for (at, &[start, end]) in words.iter().enumerate() {
            let (start, end) = (start as usize, end as usize);
            if !(start == self.at + 1 && text[self.at] == b' ') && ends_clause(text, self.at, start) {
                self.breaks.push(at as u32);
            }
            self.at = end;
        }
    }

    fn clear(&mut self) {
        self.spans.clear();
        self.others.clear();
        self.breaks.clear();
        self.beheaded.clear();
    }

    /// Makes a round of some words and of what stands before each of them.
    pub(crate) fn read(&mut self, text: &[u8], words: &[Span], wanted: &Wanted) {
        self.clear();
        self.spans.reserve(words.len());
        for &[start, end] in words {
            self.read_gap(text, start as usize, wanted);
            let (mut start, end) = (start as usize, end as usize);
            if start < self.at {
                // An entity or an emoticon has taken the beginning of this word.
                let left = &text[self.at.min(end)..end];
                start = self.at + left.iter().take_while(is_apostrophe).count();
                if start >= end {
                    continue;
                }
                self.beheaded.push(self.spans.len() as u32);
            }
            self.read_word(text, start, end, wanted);
        }
    }

    /// Makes a round of what stands after the last word.
    pub(crate) fn finish(&mut self, text: &[u8], wanted: &Wanted) {
        self.clear();
        self.read_gap(text, text.len(), wanted);
    }

    /// The pieces of this round: the place and the kind of each, and whether a clause ended before it.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (Span, PieceKind, bool)> + '_ {
        let (mut others, mut breaks) = (self.others.iter().peekable(), self.breaks.iter().peekable());
        self.spans.iter().enumerate().map(move |(at, &span)| {
            let kind = others.next_if(|(place, _)| *place == at as u32).map_or(PieceKind::Word, |(_, kind)| *kind);
            (span, kind, breaks.next_if_eq(&&(at as u32)).is_some())
        })
    }

    #[inline]
    fn read_word(&mut self, text: &[u8], start: usize, end: usize, wanted: &Wanted) {
        if wanted.numbers && begins_number(text[start]) && is_number(&text[start..end]) {
            return self.push_other(start, end_of_number(text, end), PieceKind::Number);
        }
        self.push(start, end);
        // A token that was made elsewhere may be punctuation. A mark within a word, as in Armenian, ends no clause.
        self.broken = wanted.breaks && !begins_word(text, start) && ends_clause(text, start, end);
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize) {
        if std::mem::take(&mut self.broken) {
            self.breaks.push(self.spans.len() as u32);
        }
        self.spans.push([start as u32, end as u32]);
        self.at = end;
    }

    fn push_other(&mut self, start: usize, end: usize, kind: PieceKind) {
        self.others.push((self.spans.len() as u32, kind));
        self.push(start, end);
    }

    #[inline]
    fn read_gap(&mut self, text: &[u8], until: usize, wanted: &Wanted) {
        if self.next_entity < self.entities.len() {
            self.read_entities(text, until, wanted);
        }
        self.read_marks(text, until, wanted);
    }

    fn read_entities(&mut self, text: &[u8], until: usize, wanted: &Wanted) {
        while let Some(&Entity { start, end, kind }) = self.entities.get(self.next_entity) {
            if start > until || start == until && until == text.len() {
                break;
            }
            self.next_entity += 1;
            self.read_marks(text, start, wanted);
            // A number or an emoticon may have taken its beginning.
            if start >= self.at {
                self.push_other(start, end, kind);
            }
        }
    }

    #[inline]
    fn read_marks(&mut self, text: &[u8], until: usize, wanted: &Wanted) {
        if until == self.at + 1 && text[self.at] == b' ' || self.at >= until {
            self.at = self.at.max(until);
            return;
        }
        if wanted.breaks {
            self.broken |= ends_clause(text, self.at, until);
        }
        if wanted.punctuation {
            self.push_marks(text, until);
        }
        self.at = self.at.max(until);
    }

    fn push_marks(&mut self, text: &[u8], until: usize) {
        let broken = std::mem::take(&mut self.broken);
        while self.at < until {
            let at = self.at;
            let byte = text[at];
            if byte <= b' ' {
                self.at += 1;
            } else if let Some(end) = end_of_emoticon(text, at) {
                self.push_other(at, end, PieceKind::Mark);
            } else if byte < 0x7f {
                // ASCII punctuation is counted as it is, like a word.
                self.push(at, at + 1);
            } else {
                let (class, width) = class_at(text, at);
                if is_mark(text, at, class) {
                    self.push_other(at, at + width, PieceKind::Mark);
                } else {
                    self.at += width;
                }
            }
        }
        self.broken = broken;
    }
}

fn is_apostrophe(byte: &&u8) -> bool {
    **byte == b'\''
}

#[inline]
fn begins_word(text: &[u8], start: usize) -> bool {
    text[start].is_ascii_alphanumeric()
        || text[start] >= 0x80 && decode(text, start).0.is_some_and(char::is_alphanumeric)
}

#[inline]
fn begins_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::characters::ascii_blocks;
    use crate::analyze::tokens::tokenize::{Tokens, tokenize};
    use proptest::prelude::*;

    const ALL: Wanted = Wanted {
        punctuation: true,
        numbers: true,
        breaks: true,
        urls: Treatment::Keep,
        emails: Treatment::Keep,
        mentions: Treatment::Keep,
        hashtags: Treatment::Keep,
    };

    fn pieces(text: &str, wanted: &Wanted) -> Vec<(Span, PieceKind, bool)> {
        let (mut pieces, mut all) = (Pieces::default(), Vec::new());
        pieces.begin(text.as_bytes(), wanted);
        tokenize(text.as_bytes(), 0, ascii_blocks::fastest(), &mut Tokens::default(), |spans, _| {
            pieces.read(text.as_bytes(), spans, wanted);
            all.extend(pieces.kinds());
            true
        });
        pieces.finish(text.as_bytes(), wanted);
        all.extend(pieces.kinds());
        all
    }

    fn cut<'a>(text: &'a str, wanted: &Wanted) -> Vec<&'a str> {
        pieces(text, wanted).iter().map(|([start, end], ..)| &text[*start as usize..*end as usize]).collect()
    }

    #[test]
    fn punctuation_and_emoticons() {
        for (text, expected) in [
            ("Good!! :-) no", vec!["Good", "!", "!", ":-)", "no"]),
            ("so :D ;P <3 (: fine:)", vec!["so", ":D", ";P", "<3", "(:", "fine", ":)"]),
            ("a:b 3:30 :Dear", vec!["a", ":", "b", "3:30", ":", "Dear"]),
            ("“Oui…” 「はい」", vec!["“", "Oui", "…", "”", "「", "は", "い", "」"]),
            ("don't 'so' ^_^", vec!["don't", "'", "so", "'", "^_^"]),
            ("@bob's #x: http://a.b/c. x@y.org", vec!["@bob", "s", "#x", ":", "http://a.b/c", ".", "x@y.org"]),
            ("", vec![]),
            ("…", vec!["…"]),
        ] {
            assert_eq!(cut(text, &ALL), expected, "{text}");
        }
    }

    #[test]
    fn numbers_and_their_shapes() {
        for (text, expected) in [
            ("3.14", "9.99"),
            ("1,000,000", "9,999,999"),
            ("2024-01-31", "9999-99-99"),
            ("123456", "9+"),
            ("12:30", "99:99"),
            ("٣٤", "99"),
        ] {
            assert_eq!(cut(text, &ALL), [text]);
            let mut shape = String::new();
            crate::analyze::tokens::punctuation::shape_of_number(text, &mut shape);
            assert_eq!(shape, expected);
        }
        assert_eq!(cut("3.5kg 4th 1.", &Wanted { numbers: true, ..Wanted::default() }), ["3", "5kg", "4th", "1"]);
    }

    #[test]
    fn clauses_end_at_punctuation() {
        let breaks = |text: &str| -> Vec<bool> {
            pieces(text, &Wanted { breaks: true, ..Wanted::default() }).iter().map(|piece| piece.2).collect()
        };
        assert_eq!(breaks("a b, c. d"), [false, false, true, true]);
        assert_eq!(breaks("3.5 well-made x -- y"), [false, false, false, false, false, true]);
        assert_eq!(breaks("漢。字"), [false, true]);
    }

    proptest! {
        #[test]
        fn pieces_cut_the_text_in_order(text in prop_oneof![
            any::<String>(),
            "(www\\.|http://|:-?\\)|:D|@|#|[a-z0-9.:'é_, -]){0,60}",
            "([0-9]{1,6}[.,:/ -]){0,600}",
        ]) {
            for wanted in [ALL, Wanted { numbers: true, ..Wanted::default() }] {
                let mut last = 0;
                for ([start, end], ..) in pieces(&text, &wanted) {
                    prop_assert!(last <= start && start < end);
                    prop_assert!(text.get(start as usize..end as usize).is_some());
                    last = end;
                }
            }
        }
    }
}
