//! A text goes in; the places of its URLs, email addresses, mentions and hashtags come out.
//!
//! They are found by their signs (`://`, `www.`, `@`, `#`), which most texts do not have, before the text is cut into
//! words. Looking back from a sign is bounded, so that the time is linear for any text.

use crate::analyze::characters::char_class::{Class, class_at};
use crate::analyze::tokens::wanted::PieceKind;
use memchr::{memchr3_iter, memmem};

/// The place of an entity, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entity {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: PieceKind,
}

/// The longest name before the @ of an email address (RFC 5321), and the longest scheme of a URL that is looked for.
const LONGEST_NAME: usize = 64;
const LONGEST_SCHEME: usize = 16;
/// The longest domain (RFC 1035).
const LONGEST_DOMAIN: usize = 255;

/// Appends all entities of a text, in order; they do not overlap.
pub(crate) fn find_entities(text: &[u8], found: &mut Vec<Entity>) {
    let mut webs = Webs::default();
    for at in memchr3_iter(b'@', b'#', b':', text) {
        let from = found.last().map_or(0, |last| last.end);
        if at < from {
            continue;
        }
        webs.add_before(text, at, from, found);
        let from = found.last().map_or(0, |last| last.end);
        if at < from {
            continue;
        }
        let entity = match text[at] {
            b':' => url_around(text, at, from),
            b'#' => hashtag_at(text, at),
            _ => email_around(text, at, from).or_else(|| mention_at(text, at)),
        };
        found.extend(entity);
    }
    let from = found.last().map_or(0, |last| last.end);
    webs.add_before(text, text.len(), from, found);
}

const WEB_SIGNS: [&[u8]; 3] = [b"www.", b"WWW.", b"Www."];

/// The places of `www.` in a text. Each is found once, when it is needed.
#[derive(Default)]
struct Webs {
    /// The next place of each sign, if it has been looked for.
    next: [usize; WEB_SIGNS.len()],
    sought: bool,
}

impl Webs {
    fn next_from(&mut self, text: &[u8], from: usize) -> Option<usize> {
        for (next, sign) in self.next.iter_mut().zip(WEB_SIGNS) {
            if !self.sought || *next < from {
                *next = memmem::find(&text[from..], sign).map_or(text.len(), |at| from + at);
            }
        }
        self.sought = true;
        self.next.into_iter().min().filter(|&next| next < text.len())
    }

    fn add_before(&mut self, text: &[u8], until: usize, mut from: usize, found: &mut Vec<Entity>) {
        while let Some(start) = self.next_from(text, from).filter(|&start| start < until) {
            from = start + 4;
            if is_free_before(text, start) && is_word_at(text, from) {
                from = end_of_url(text, start);
                found.push(Entity { start, end: from, kind: PieceKind::Url });
            }
        }
    }
}

fn is_word_at(text: &[u8], at: usize) -> bool {
    at < text.len() && matches!(class_at(text, at).0, Class::Word | Class::Single)
}

/// Whether what begins at `at` does not continue a word.
fn is_free_before(text: &[u8], at: usize) -> bool {
    let Some(&byte) = at.checked_sub(1).and_then(|before| text.get(before)) else { return true };
    if byte < 0x80 {
        return !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'' | b'@' | b'#' | b'&'));
    }
    let start = (at.saturating_sub(4)..at).rev().find(|&start| text[start] & 0xc0 != 0x80).unwrap_or(at - 1);
    !matches!(class_at(text, start).0, Class::Word | Class::Mark | Class::Apostrophe | Class::Joiner)
}

/// `scheme://` and what follows; `at` is the colon.
fn url_around(text: &[u8], at: usize, from: usize) -> Option<Entity> {
    if !text[at..].starts_with(b"://") {
        return None;
    }
    let least = at.saturating_sub(LONGEST_SCHEME).max(from);
    let scheme = text[least..at].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let start = at - scheme;
    let named = scheme > 0 && text[start].is_ascii_alphabetic() && is_free_before(text, start);
    if !named || !is_word_at(text, at + 3) {
        return None;
    }
    Some(Entity { start, end: end_of_url(text, at + 3), kind: PieceKind::Url })
}

/// The end of a URL. It extends to white space, or to quotes and brackets that no URL has; punctuation at its end
/// belongs to the sentence.
fn end_of_url(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < text.len() {
        let byte = text[end];
        if byte < 0x80 {
            if byte <= b' ' || byte == 0x7f || b"<>\"'`{}|\\^".contains(&byte) {
                break;
            }
            end += 1;
            continue;
        }
        match class_at(text, end) {
            (Class::Word | Class::Mark | Class::Single, width) => end += width,
            _ => break,
        }
    }
    without_punctuation(text, start, end)
}

fn without_punctuation(text: &[u8], start: usize, mut end: usize) -> usize {
    let count = |sign: u8| text[start..end].iter().filter(|&&byte| byte == sign).count();
    // A closing bracket belongs to the URL only if it was opened in it (as in the addresses of Wikipedia).
    let mut unopened = count(b')').saturating_sub(count(b'('));
    while end > start {
        match text[end - 1] {
            b')' if unopened == 0 => break,
            b')' => unopened -= 1,
            b'.' | b',' | b';' | b':' | b'!' | b'?' | b']' | b'[' | b'(' | b'*' | b'_' | b'~' | b'-' => {}
            _ => break,
        }
        end -= 1;
    }
    end
}

/// `name@domain.top`; `at` is the @.
fn email_around(text: &[u8], at: usize, from: usize) -> Option<Entity> {
    let least = at.saturating_sub(LONGEST_NAME).max(from);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let length = text[least..at].iter().rev().take_while(is_name).count();
    let dots = text[at - length..at].iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    let start = at - length + dots;
    if start >= at || !text[at - 1].is_ascii_alphanumeric() && text[at - 1] != b'_' || !is_free_before(text, start)
    {
        return None;
    }
    let end = end_of_domain(text, at + 1)?;
    Some(Entity { start, end, kind: PieceKind::Email })
}

/// The end of a domain: two or more labels of letters, digits and hyphens with dots between them, the last of letters
/// only.
fn end_of_domain(text: &[u8], start: usize) -> Option<usize> {
    let most = text.len().min(start + LONGEST_DOMAIN);
    let label = |at: usize| {
        text[at..most].iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-').count()
    };
    let (mut at, mut end) = (start, None);
    loop {
        let length = label(at);
        let last = &text[at..at + length];
        if length == 0 || last.starts_with(b"-") {
            return end;
        }
        let top = at > start && length >= 2 && last.iter().all(u8::is_ascii_alphabetic);
        at += length;
        if top {
            end = Some(at).filter(|&at| !is_word_at(text, at)).or(end);
        }
        if text.get(at) != Some(&b'.') {
            return end;
        }
        at += 1;
    }
}

fn end_of_name(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match class_at(text, at) {
            (Class::Word | Class::Mark | Class::Single, width) => at += width,
            _ if text[at] == b'_' => at += 1,
            _ => break,
        }
    }
    at
}

/// Whether a name begins at `at`. A mark does not begin one, because a keycap emoji begins with a # too.
fn begins_name(text: &[u8], at: usize) -> bool {
    is_word_at(text, at) || text.get(at) == Some(&b'_')
}

/// `@name`; `at` is the @.
fn mention_at(text: &[u8], at: usize) -> Option<Entity> {
    let end = end_of_name(text, at + 1);
    let named = text[at + 1..end].iter().any(|&byte| byte != b'_') && begins_name(text, at + 1);
    (named && is_free_before(text, at)).then_some(Entity { start: at, end, kind: PieceKind::Mention })
}

/// `#name`, unless the name is a number; `at` is the #.
fn hashtag_at(text: &[u8], at: usize) -> Option<Entity> {
    let end = end_of_name(text, at + 1);
    let is_letter = |&byte: &u8| byte != b'_' && !byte.is_ascii_digit();
    let named = text[at + 1..end].iter().any(is_letter) && begins_name(text, at + 1);
    (named && is_free_before(text, at)).then_some(Entity { start: at, end, kind: PieceKind::Hashtag })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entities(text: &str) -> Vec<(&str, PieceKind)> {
        let mut found = Vec::new();
        find_entities(text.as_bytes(), &mut found);
        found.iter().map(|entity| (&text[entity.start..entity.end], entity.kind)).collect()
    }

    #[test]
    fn what_is_found() {
        use PieceKind::{Email, Hashtag, Mention, Url};
        for (text, expected) in [
            ("see https://example.org/a?b=c#d, ok", vec![("https://example.org/a?b=c#d", Url)]),
            ("(http://x.org/wiki/A_(b)) www.a.de.", vec![("http://x.org/wiki/A_(b)", Url), ("www.a.de", Url)]),
            ("mail first.last+x@mail.example.org!", vec![("first.last+x@mail.example.org", Email)]),
            (
                "@anna_b and @bob's #100 #100days #été",
                vec![("@anna_b", Mention), ("@bob", Mention), ("#100days", Hashtag), ("#été", Hashtag)],
            ),
            ("a@b no@where x@@y #️⃣ 3:30 note: ://", vec![]),
            ("WWW.x.org xwww.a.b http:// 東京www.例え.jp", vec![("WWW.x.org", Url), ("www.例え.jp", Url)]),
            ("ftp://user@host.org/x #東京", vec![("ftp://user@host.org/x", Url), ("#東京", Hashtag)]),
        ] {
            assert_eq!(entities(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn entities_are_in_order_and_do_not_overlap(text in prop_oneof![
            any::<String>(),
            "(www\\.|http://|@|#|[a-z0-9.:'é_ -]){0,60}",
        ]) {
            let mut found = Vec::new();
            find_entities(text.as_bytes(), &mut found);
            let mut last = 0;
            for entity in found {
                prop_assert!(last <= entity.start && entity.start < entity.end);
                prop_assert!(text.get(entity.start..entity.end).is_some());
                last = entity.end;
            }
        }
    }
}
