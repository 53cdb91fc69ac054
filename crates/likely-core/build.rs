//! Writes the tables in which characters are looked up: their classes, which of them are capitals (`char_class.rs`), and
//! what most characters of two and three bytes are (`wide_blocks.rs`).
//!
//! The tables consist of pages of characters, and equal pages are stored once. A look-up takes two loads, and the tables
//! take some 50 KB in all.

#![allow(clippy::expect_used)]

use std::{env, fs, path::Path};
use unicode_properties::{
    EmojiStatus, GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory,
};
use unicode_script::{Script, UnicodeScript};

/// Scripts written without spaces between words: each character is a token of its own.
const UNSPACED: [Script; 13] = [
    Script::Han,
    Script::Hiragana,
    Script::Katakana,
    Script::Bopomofo,
    Script::Yi,
    Script::Thai,
    Script::Lao,
    Script::Khmer,
    Script::Myanmar,
    Script::Tai_Le,
    Script::New_Tai_Lue,
    Script::Tai_Tham,
    Script::Tai_Viet,
];

/// The first pictograph that is an emoji even without a variation selector; below it are ©, ™ and arrows.
const FIRST_PICTURE: char = '\u{231a}';

fn class(c: char) -> &'static str {
    match c {
        '\'' | '\u{2019}' | '\u{ff07}' => return "Apostrophe",
        // These signs stand within words: Catalan's middle dot, Hebrew's geresh and gershayim, the hyphenation point.
        '\u{b7}' | '\u{5f3}' | '\u{5f4}' | '\u{2027}' => return "Apostrophe",
        // The soft hyphen and the word joiner stand in words, but do not belong to them.
        '\u{200c}' | '\u{200d}' | '\u{ad}' | '\u{2060}' => return "Joiner",
        // Armenian's signs of stress and question stand on a letter; half-width kana are followed by their voicing.
        '\u{55b}' | '\u{55c}' | '\u{55e}' | '\u{ff9e}' | '\u{ff9f}' => return "Mark",
        '\u{1f1e6}'..='\u{1f1ff}' => return "Regional",
        '\u{1f3fb}'..='\u{1f3ff}' => return "SkinTone",
        '\u{e0020}'..='\u{e007f}' => return "Mark",
        // The prolonged sound marks do not belong to a script of their own.
        '\u{30fc}' | '\u{ff70}' => return "Single",
        _ => {}
    }
    match c.general_category_group() {
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number
            if UNSPACED.contains(&c.script()) && !is_digit(c) =>
        {
            "Single"
        }
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number => "Word",
        GeneralCategoryGroup::Mark => "Mark",
        _ if is_picture(c) && c >= FIRST_PICTURE => "Emoji",
        _ if is_picture(c) => "TextEmoji",
        _ => "Separator",
    }
}

fn is_picture(c: char) -> bool {
    !c.is_ascii() && c.is_emoji_char() && c.emoji_status() != EmojiStatus::NonEmojiButEmojiComponent
}

fn is_digit(c: char) -> bool {
    c.general_category() == GeneralCategory::DecimalNumber
}

/// One bit per character of a page, in four words of 64 bits: whether the character changes in lower case.
fn capitals(page: u32) -> String {
    let is_capital = |code| char::from_u32(code).is_some_and(|c| !c.to_lowercase().eq([c]));
    let word = |first: u32| (0..64).fold(0u64, |bits, bit| bits | u64::from(is_capital(first + bit)) << bit);
    (0..4).map(|at| word(page * 256 + at * 64).to_string()).collect::<Vec<_>>().join(",")
}

/// A table in two steps: which page belongs to the upper bits of a character, and the distinct pages.
fn two_step(name: &str, of: &str, numbers: u32, page: impl Fn(u32) -> String) -> String {
    let mut pages: Vec<String> = Vec::new();
    let mut index = Vec::new();
    for number in 0..numbers {
        let row = page(number);
        let at = pages.iter().position(|seen| *seen == row).unwrap_or_else(|| {
            pages.push(row);
            pages.len() - 1
        });
        index.push(at.to_string());
    }
    assert!(pages.len() <= 256, "page numbers must fit one byte");
    let (index, count, pages) = (index.join(","), pages.len(), pages.join("],["));
    format!(
        "pub(crate) static {name}_OF: [u8; {numbers}] = [{index}];\n\
         pub(crate) static {name}S: [{of}; {count}] = [[{pages}]];\n"
    )
}

/// What the tables of blocks say of a character, or `None` if it must be looked at alone: a character that needs rules
/// of several characters, or whose lower case has another length or depends on its neighbours.
fn kind_in_blocks(c: char) -> Option<&'static str> {
    let same_length = c.to_lowercase().map(char::len_utf8).sum::<usize>() == c.len_utf8();
    let kind = class(c);
    (matches!(kind, "Separator" | "Word" | "Mark" | "Single") && same_length && c != 'Σ').then_some(kind)
}

/// For each character of two bytes, a number: in its lower half the bytes of the lower case, the first byte lowest; then
/// one bit for letters and one for marks. It is 0 for a character that must be looked at alone.
fn characters_of_two() -> String {
    let number = |code: u32| {
        let c = char::from_u32(code).filter(|c| c.len_utf8() == 2)?;
        let kind = ["Separator", "Word", "Mark"].iter().position(|kind| kind_in_blocks(c) == Some(kind))?;
        let lower: [u8; 2] = c.to_lowercase().to_string().as_bytes().try_into().ok()?;
        Some(u32::from(u16::from_le_bytes(lower)) | (kind as u32) << 16)
    };
    let numbers: Vec<String> = (0..0x800).map(|code| number(code).unwrap_or(0).to_string()).collect();
    format!("pub(crate) static CHARACTERS_OF_TWO: [u32; 0x800] = [{}];\n", numbers.join(","))
}

/// The classes of the 64 characters of three bytes whose first two bytes are the same, or `None` for a character that
/// must be looked at alone: also for capitals, and for the mark that makes emoji of symbols.
fn row_of_three(row: u32) -> String {
    let kind = |code: u32| {
        let c = char::from_u32(code).filter(|c| c.len_utf8() == 3 && *c != '\u{fe0f}')?;
        kind_in_blocks(c).filter(|_| c.to_lowercase().eq([c]))
    };
    let kinds = (0..64).map(|low| kind(row * 64 + low).map_or("None".into(), |kind| format!("Some({kind})")));
    kinds.collect::<Vec<String>>().join(",")
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let classes = two_step("PAGE", "[Class; 256]", 0x1100, |page| {
        let row = (0..256).map(|low| char::from_u32(page * 256 + low).map_or("Separator", class));
        row.collect::<Vec<_>>().join(",")
    });
    let capitals = two_step("CAPITAL_PAGE", "[u64; 4]", 0x1100, capitals);
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let path = Path::new(&out).join("char_classes.rs");
    let blocks = characters_of_two() + &two_step("ROW", "[Option<Class>; 64]", 0x400, row_of_three);
    fs::write(path, format!("use Class::*;\n{classes}{capitals}{blocks}")).expect("OUT_DIR can be written");
}
