//! Tokens and what stands between them to pieces: words, numbers, punctuation, emoticons, addresses.
//!
//! Words come as [`crate::tokenize`] finds them; here the gaps between them are looked at, most of which are one
//! space. Nothing is looked at twice but the few characters of an emoticon that was none.

use crate::chars::{Class, class_at, decode};
use crate::entities::{Entity, find_entities};
use crate::tokenize::Span;

/// What a piece of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a character of an unspaced script, an emoji.
    Word,
    /// A punctuation mark, a symbol or an emoticon.
    Mark,
    /// A number with its inner points and commas.
    Number,
    /// An address of the web.
    Url,
    /// An address of mail.
    Email,
    /// `@name`.
    Mention,
    /// `#name`.
    Hashtag,
}

/// What becomes of an address, a mention or a hashtag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// Its words are tokens like others.
    #[default]
    Split,
    /// It is one token.
    Keep,
    /// It is one token that is the same for all of its kind.
    Mask,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) span: Span,
    pub(crate) kind: Kind,
    /// Whether a clause ended before it.
    pub(crate) after_break: bool,
}

/// Which pieces are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Punctuation as tokens.
    pub punctuation: bool,
    /// Numbers as one token each.
    pub numbers: bool,
    /// Where clauses end.
    pub breaks: bool,
    /// Addresses of the web.
    pub urls: Treatment,
    /// Addresses of mail.
    pub emails: Treatment,
    /// `@name`.
    pub mentions: Treatment,
    /// `#name`.
    pub hashtags: Treatment,
}

impl Wanted {
    /// What becomes of pieces of a kind.
    pub(crate) fn treatment(&self, kind: Kind) -> Treatment {
        match kind {
            Kind::Url => self.urls,
            Kind::Email => self.emails,
            Kind::Mention => self.mentions,
            Kind::Hashtag => self.hashtags,
            Kind::Number => Treatment::Mask,
            Kind::Word | Kind::Mark => Treatment::Keep,
        }
    }

    fn entities(&self) -> bool {
        [self.urls, self.emails, self.mentions, self.hashtags].iter().any(|each| *each != Treatment::Split)
    }

    /// Whether there is anything to do besides words.
    pub(crate) fn anything(&self) -> bool {
        self.punctuation || self.numbers || self.breaks || self.entities()
    }
}

/// The pieces of a text, some hundred at a time.
#[derive(Default)]
pub(crate) struct Pieces {
    pub(crate) round: Vec<Piece>,
    entities: Vec<Entity>,
    next_entity: usize,
    /// How far the text has been read.
    at: usize,
    broken: bool,
}

impl Pieces {
    /// Begins a text.
    pub(crate) fn begin(&mut self, text: &[u8], wanted: &Wanted) {
        self.entities.clear();
        (self.next_entity, self.at, self.broken) = (0, 0, false);
        if wanted.entities() {
            find_entities(text, &mut self.entities);
            self.entities.retain(|entity| wanted.treatment(entity.kind) != Treatment::Split);
        }
    }

    /// Makes a round of the next words and of what stands before them.
    pub(crate) fn read(&mut self, text: &[u8], words: &[Span], wanted: &Wanted) {
        self.round.clear();
        for &[start, end] in words {
            self.read_gap(text, start as usize, wanted);
            let mut start = start as usize;
            if start < self.at {
                // What an address or an emoticon left of a word.
                start = self.at
                    + text[self.at.min(end as usize)..end as usize].iter().take_while(is_apostrophe).count();
                if start >= end as usize {
                    continue;
                }
            }
            self.read_word(text, start, end as usize, wanted);
        }
    }

    /// Makes a round of what stands behind the last word.
    pub(crate) fn finish(&mut self, text: &[u8], wanted: &Wanted) {
        self.round.clear();
        self.read_gap(text, text.len(), wanted);
    }

    fn read_word(&mut self, text: &[u8], start: usize, end: usize, wanted: &Wanted) {
        if wanted.numbers && is_number(&text[start..end]) {
            self.push(start, end_of_number(text, end), Kind::Number);
        } else {
            self.push(start, end, Kind::Word);
            // A token that was made elsewhere may be punctuation.
            self.broken = wanted.breaks && ends_clause(text, start, end);
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) {
        let after_break = std::mem::take(&mut self.broken);
        self.round.push(Piece { span: [start as u32, end as u32], kind, after_break });
        self.at = end;
    }

    fn read_gap(&mut self, text: &[u8], until: usize, wanted: &Wanted) {
        while let Some(&Entity { start, end, kind }) = self.entities.get(self.next_entity) {
            if start > until || start == until && until == text.len() {
                break;
            }
            self.next_entity += 1;
            self.read_marks(text, start, wanted);
            // A number or an emoticon may have taken its beginning.
            if start >= self.at {
                self.push(start, end, kind);
            }
        }
        self.read_marks(text, until, wanted);
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
            let (class, width) = class_at(text, self.at);
            let at = self.at;
            if let Some(end) = end_of_emoticon(text, at) {
                self.push(at, end, Kind::Mark);
            } else if is_mark(text, at, class) {
                self.push(at, at + width, Kind::Mark);
            } else {
                self.at += width;
            }
        }
        self.broken = broken;
    }
}

fn is_apostrophe(byte: &&u8) -> bool {
    **byte == b'\''
}

/// Whether a character that is in no word is punctuation or a symbol: no white space, no control, no stray mark.
fn is_mark(text: &[u8], at: usize, class: Class) -> bool {
    if !matches!(class, Class::Separator | Class::TextEmoji | Class::Apostrophe) {
        return false;
    }
    match decode(text, at).0 {
        Some(c) => !(c.is_whitespace() || c.is_control() || is_invisible(c)),
        None => false,
    }
}

/// Characters that format or are not assigned to anything.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

fn is_number(word: &[u8]) -> bool {
    match word.first() {
        Some(byte) if byte.is_ascii() => word.iter().all(u8::is_ascii_digit),
        _ => std::str::from_utf8(word).is_ok_and(|word| !word.is_empty() && word.chars().all(char::is_numeric)),
    }
}

/// Where a number ends whose first digits end at `end`: points, commas, colons, slashes and hyphens between digits
/// belong to it.
fn end_of_number(text: &[u8], mut end: usize) -> usize {
    while end < text.len() && matches!(text[end], b'.' | b',' | b':' | b'/' | b'-') {
        let digits = text[end + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let next = end + 1 + digits;
        let goes_on = next < text.len() && !matches!(class_at(text, next).0, Class::Separator | Class::TextEmoji);
        if digits == 0 || goes_on {
            break;
        }
        end = next;
    }
    end
}

/// Appends a number with every digit written 9, and more than four in a row as `9+`.
pub(crate) fn shape_of_number(number: &str, out: &mut String) {
    const LONGEST_RUN: usize = 4;
    let mut rest = number;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c: char| !c.is_numeric()).unwrap_or(rest.len());
        match rest[..length].chars().count() {
            0 => out.push(first),
            run if run <= LONGEST_RUN => out.extend(std::iter::repeat_n('9', run)),
            _ => out.push_str("9+"),
        }
        rest = &rest[length.max(if length == 0 { first.len_utf8() } else { 0 })..];
    }
}

/// Whether what stands between two words ends a clause: a stop, comma, colon, bracket, a dash or a new paragraph.
fn ends_clause(text: &[u8], start: usize, end: usize) -> bool {
    let gap = &text[start..end];
    let digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    if gap.len() == 1 && digit(start.checked_sub(1)) && digit(Some(end)) {
        return false; // 3.5
    }
    let mut at = start;
    while at < end {
        match text[at] {
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' => return true,
            b'-' if gap.len() > 1 => return true,
            byte if byte < 0x80 => at += 1,
            _ => {
                let (c, width) = decode(text, at);
                if c.is_some_and(|c| ENDS.contains(&c)) {
                    return true;
                }
                at += width;
            }
        }
    }
    gap.windows(2).any(|pair| pair == b"\n\n")
}

/// What ends a clause beyond ASCII.
const ENDS: [char; 31] = [
    '…', '–', '—', '。', '，', '、', '；', '：', '！', '？', '．', '（', '）', '「', '」', '『', '』', '【', '】',
    '·', '،', '؛', '؟', '۔', '।', '॥', '።', '՞', '։', '¿', '¡',
];

/// Where an emoticon ends that begins at `at`.
fn end_of_emoticon(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..text.len().min(at + 4)];
    let length = match rest {
        [b'<', b'3', ..] => 2,
        [b'<', b'/', b'3', ..] => 3,
        [b'^', b'_', b'^', ..] | [b'-', b'_', b'-', ..] | [b'>', b'_', b'<', ..] => 3,
        [b'^', b'^', ..] => 2,
        [b':' | b';' | b'=', ..] => face(&rest[1..])? + 1,
        [b'(' | b')', b':' | b';' | b'=', ..] => 2,
        [b'(' | b')', b'-' | b'\'', b':' | b';' | b'=', ..] => 3,
        _ => return None,
    };
    let end = at + length;
    let is_word = |at: usize| at < text.len() && matches!(class_at(text, at).0, Class::Word | Class::Mark);
    let touches = at > 0 && text[at - 1].is_ascii_alphanumeric();
    let mouth = text[end - 1];
    // After a word only a bracket is surely a mouth (`http:/`, `3:30`), and no word goes on from one.
    let clear = !(touches && !matches!(mouth, b')' | b'(')) && !is_word(end);
    clear.then_some(end)
}

/// The length of nose and mouth.
fn face(rest: &[u8]) -> Option<usize> {
    let is_mouth = |byte: u8| b")(][}{DdPpoO3/\\|*@$xXsScC".contains(&byte);
    match rest {
        [b'-' | b'\'' | b'^' | b'o' | b'~', mouth, ..] if is_mouth(*mouth) => Some(2),
        [mouth, ..] if is_mouth(*mouth) => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;
    use crate::tokenize::{Tokens, tokenize};
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

    fn pieces(text: &str, wanted: &Wanted) -> Vec<Piece> {
        let (mut pieces, mut all) = (Pieces::default(), Vec::new());
        pieces.begin(text.as_bytes(), wanted);
        tokenize(text.as_bytes(), 0, blocks::fastest(), &mut Tokens::default(), |spans, _| {
            pieces.read(text.as_bytes(), spans, wanted);
            all.extend_from_slice(&pieces.round);
            true
        });
        pieces.finish(text.as_bytes(), wanted);
        all.extend_from_slice(&pieces.round);
        all
    }

    fn cut<'a>(text: &'a str, wanted: &Wanted) -> Vec<&'a str> {
        pieces(text, wanted).iter().map(|p| &text[p.span[0] as usize..p.span[1] as usize]).collect()
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
            shape_of_number(text, &mut shape);
            assert_eq!(shape, expected);
        }
        assert_eq!(cut("3.5kg 4th 1.", &Wanted { numbers: true, ..Wanted::default() }), ["3", "5kg", "4th", "1"]);
    }

    #[test]
    fn clauses_end_at_punctuation() {
        let breaks = |text: &str| -> Vec<bool> {
            pieces(text, &Wanted { breaks: true, ..Wanted::default() }).iter().map(|p| p.after_break).collect()
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
                for piece in pieces(&text, &wanted) {
                    let [start, end] = piece.span;
                    prop_assert!(last <= start && start < end);
                    prop_assert!(text.get(start as usize..end as usize).is_some());
                    last = end;
                }
            }
        }
    }
}
