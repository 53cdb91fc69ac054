//! Writes the tables in which `char_class.rs` looks up characters: their classes, and which of them are capitals.
//!
//! The tables consist of pages of 256 characters, and equal pages are stored once. A look-up takes two loads, and the
//! tables take some 30 KB in all.

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
fn two_step(name: &str, of: &str, page: impl Fn(u32) -> String) -> String {
    let mut pages: Vec<String> = Vec::new();
    let mut index = Vec::new();
    for number in 0..0x1100 {
        let row = page(number);
        let at = pages.iter().position(|seen| *seen == row).unwrap_or_else(|| {
            pages.push(row);
            pages.len() - 1
        });
        index.push(at.to_string());
    }
    assert!(pages.len() <= 256, "page numbers must fit one byte");
    let (index, count, pages) = (index.join(","), pages.len(), pages.join("],["));
    format!("static {name}_OF: [u8; 0x1100] = [{index}];\nstatic {name}S: [{of}; {count}] = [[{pages}]];\n")
}

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let classes = two_step("PAGE", "[Class; 256]", |page| {
        let row = (0..256).map(|low| char::from_u32(page * 256 + low).map_or("Separator", class));
        row.collect::<Vec<_>>().join(",")
    });
    let capitals = two_step("CAPITAL_PAGE", "[u64; 4]", capitals);
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let path = Path::new(&out).join("char_classes.rs");
    fs::write(path, format!("use Class::*;\n{classes}{capitals}")).expect("OUT_DIR can be written");
}
