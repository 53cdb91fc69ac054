//! Writes the table of character classes that `chars.rs` looks characters up in.
//!
//! One byte a character, in pages of 256 of which equal ones are stored once: two loads a look-up, some 20 KB in all.

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

/// First pictograph that reads as an emoji even without a variation selector; below it stand ©, ™, arrows.
const FIRST_PICTURE: char = '\u{231a}';

fn class(c: char) -> &'static str {
    match c {
        '\'' | '\u{2019}' | '\u{ff07}' => return "Apostrophe",
        '\u{200c}' | '\u{200d}' => return "Joiner",
        '\u{1f1e6}'..='\u{1f1ff}' => return "Regional",
        '\u{1f3fb}'..='\u{1f3ff}' => return "SkinTone",
        '\u{e0020}'..='\u{e007f}' => return "Mark",
        // The prolonged sound marks belong to no script of their own.
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

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut pages: Vec<String> = Vec::new();
    let mut index = Vec::new();
    for page in 0..0x1100u32 {
        let row: Vec<&str> =
            (0..256).map(|low| char::from_u32(page * 256 + low).map_or("Separator", class)).collect();
        let row = row.join(",");
        let at = pages.iter().position(|seen| *seen == row).unwrap_or_else(|| {
            pages.push(row);
            pages.len() - 1
        });
        index.push(at.to_string());
    }
    assert!(pages.len() <= 256, "page numbers must fit one byte");
    let table = format!(
        "use Class::*;\nstatic PAGE_OF: [u8; 0x1100] = [{}];\nstatic PAGES: [[Class; 256]; {}] = [[{}]];\n",
        index.join(","),
        pages.len(),
        pages.join("],[")
    );
    let out = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("char_classes.rs"), table).expect("OUT_DIR can be written");
}
