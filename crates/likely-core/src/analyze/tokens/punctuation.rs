//! What stands between words: punctuation, emoticons, the ends of clauses, and what belongs to a number.

use crate::analyze::characters::char_class::{Class, class_at, decode};

/// Whether a character outside words is punctuation or a symbol, and not white space, a control character or a stray
/// mark.
pub(crate) fn is_mark(text: &[u8], at: usize, class: Class) -> bool {
    if !matches!(class, Class::Separator | Class::TextEmoji | Class::Apostrophe) {
        return false;
    }
    match decode(text, at).0 {
        Some(c) => !(c.is_whitespace() || c.is_control() || is_invisible(c)),
        None => false,
    }
}

/// Whether a character only formats text or is not assigned.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff0}'..='\u{ffff}' | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{10ffff}')
}

pub(crate) fn is_number(word: &[u8]) -> bool {
    match word.first() {
        Some(byte) if byte.is_ascii() => word.iter().all(u8::is_ascii_digit),
        _ => std::str::from_utf8(word).is_ok_and(|word| !word.is_empty() && word.chars().all(char::is_numeric)),
    }
}

/// The end of a number whose first digits end at `end`. Points, commas, colons, slashes and hyphens between digits
/// belong to the number.
pub(crate) fn end_of_number(text: &[u8], mut end: usize) -> usize {
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

/// Appends a number with each digit written as 9, and each run of more than four digits as `9+`.
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

/// Whether what stands between two words ends a clause: a stop, a comma, a colon, a bracket, a dash or a new
/// paragraph.
#[inline]
pub(crate) fn ends_clause(text: &[u8], start: usize, end: usize) -> bool {
    // Most gaps are a comma or a stop, followed by a space.
    end - start > 1 && matches!(text[start], b'.' | b',' | b'!' | b'?') || ends_clause_somewhere(text, start, end)
}

fn ends_clause_somewhere(text: &[u8], start: usize, end: usize) -> bool {
    let gap = &text[start..end];
    let digit = |at: Option<usize>| at.and_then(|at| text.get(at)).is_some_and(u8::is_ascii_digit);
    if gap.len() == 1 && digit(start.checked_sub(1)) && digit(Some(end)) {
        // This is the point of a number, as in 3.5.
        return false;
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
    gap.iter().filter(|&&byte| byte == b'\n').count() > 1
}

/// The characters beyond ASCII that end a clause.
const ENDS: [char; 31] = [
    '…', '–', '—', '。', '，', '、', '；', '：', '！', '？', '．', '（', '）', '「', '」', '『', '』', '【', '】',
    '·', '،', '؛', '؟', '۔', '।', '॥', '።', '՞', '։', '¿', '¡',
];

/// The end of the emoticon that begins at `at`, if one does.
pub(crate) fn end_of_emoticon(text: &[u8], at: usize) -> Option<usize> {
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
    // After a word only a bracket is certainly a mouth (`http:/`, `3:30`), and no word follows a mouth directly.
    let clear = (!touches || matches!(mouth, b')' | b'(')) && !is_word(end);
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
