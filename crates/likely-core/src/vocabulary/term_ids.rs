//! Terms to ids and back.
//!
//! A word is stored as its bytes; an n-gram as the id of the n-gram before its last word, and the id of that word. In
//! this way the key of an n-gram is two numbers, exact by construction, and its words are stored once.

use crate::prefetch::prefetch;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::phrase_table::PhraseTable;
use crate::vocabulary::table::{MISSING, Table, seeds};
use crate::vocabulary::word::{Key, SHORT, Word, are_equal, hash_of_key};

/// The id of a term that is not in the vocabulary.
pub const UNKNOWN: u32 = MISSING;

/// What separates the words of an n-gram when it is spelled; no word contains it.
pub const JOINT: u8 = b' ';

#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    Word { start: usize, length: u32 },
    Phrase { parent: u32, last: u32 },
}

/// All terms of some counts, and the words and shorter n-grams that they consist of.
#[derive(Clone)]
pub struct Vocabulary {
    pub(super) nodes: Vec<Node>,
    bytes: Vec<u8>,
    pub(super) words: Table<Key>,
    pub(super) phrases: PhraseTable,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self { nodes: Vec::new(), bytes: Vec::new(), words: Table::new(), phrases: PhraseTable::with_room(0) }
    }
}

impl Vocabulary {
    /// An empty vocabulary with room for the terms of about `bytes` bytes of text. Large texts repeat themselves, so
    /// that at most a few megabytes are set aside.
    pub(crate) fn for_text(bytes: usize, phrases: bool) -> Self {
        let words = Table::with_slots((bytes / 128).min(1 << 17));
        let phrases = PhraseTable::with_room(if phrases { (bytes / 32).min(1 << 19) } else { 0 });
        Self { words, phrases, ..Self::default() }
    }

    /// An empty vocabulary whose hash tables have room for these numbers of words and n-grams.
    pub(crate) fn with_room(words: usize, phrases: usize) -> Self {
        let words = Table::with_slots(2 * (words + 1));
        Self { words, phrases: PhraseTable::with_room(phrases), ..Self::default() }
    }

    /// Makes room for this number of words.
    pub(crate) fn reserve(&mut self, words: usize) {
        self.nodes.reserve(words);
        self.words.reserve(words, hash_of_key);
    }

    /// Makes room for this number of terms, except for the hash tables in which they are found.
    pub(crate) fn reserve_apart(&mut self, terms: usize) {
        self.nodes.reserve(terms);
    }

    /// The number of ids that were handed out.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The id of a term as [`Vocabulary::spell`] writes it, or [`UNKNOWN`]; `phrases` says whether [`JOINT`] separates
    /// words.
    pub fn find(&self, term: &[u8], phrases: bool) -> u32 {
        if !phrases {
            return self.find_bytes(term);
        }
        let mut words = term.split(|&byte| byte == JOINT).map(|word| self.find_bytes(word));
        let first = words.next().unwrap_or(UNKNOWN);
        words.fold(first, |parent, last| self.find_phrase(parent, last))
    }

    /// The id of a term. The term is added if it is new.
    pub fn intern(&mut self, term: &[u8], phrases: bool) -> u32 {
        let mut lexicon = self;
        let add = |lexicon: &mut &mut Self, bytes: &[u8]| lexicon.word(&Word::new(bytes), bytes);
        if !phrases {
            return add(&mut lexicon, term);
        }
        let mut words = term.split(|&byte| byte == JOINT);
        let first = add(&mut lexicon, words.next().unwrap_or_default());
        words.fold(first, |parent, word| {
            let last = add(&mut lexicon, word);
            lexicon.phrase(parent, last)
        })
    }

    fn find_bytes(&self, bytes: &[u8]) -> u32 {
        self.find_word(&Word::new(bytes), bytes)
    }

    /// The id of a word, or [`UNKNOWN`]. `bytes` may be empty if the key holds the whole word.
    #[inline(always)]
    pub(crate) fn find_word(&self, word: &Word, bytes: &[u8]) -> u32 {
        let id = self.words.find(word.hash, word.key);
        if word.is_short() || id == UNKNOWN || are_equal(self.word_bytes(id), bytes) {
            return id;
        }
        // Two long words have the same hash.
        self.words.find_same(word.hash, word.key, |id| are_equal(self.word_bytes(id), bytes))
    }

    /// Appends the ids of some words, or [`UNKNOWN`]. `beyond` has the bytes of those words whose keys do not hold them.
    pub(crate) fn find_words(&self, words: &[Word], mut beyond: &[u8], ids: &mut Vec<u32>) {
        const CHUNK: usize = 128;
        let mut left = [0; CHUNK];
        for words in words.chunks(CHUNK) {
            let first = ids.len();
            ids.resize(first + words.len(), UNKNOWN);
            let ids = &mut ids[first..];
            // Whether a word is known cannot be foreseen. Those that need a second look are listed without a branch.
            let mut size = 0;
            for (at, (id, word)) in ids.iter_mut().zip(words).enumerate() {
                let is_elsewhere;
                (*id, is_elsewhere) = self.words.find_first(word.hash, word.key);
                left[size % CHUNK] = at;
                size += usize::from(is_elsewhere | !word.is_short());
            }
            for &at in &left[..size] {
                let (bytes, rest) = beyond.split_at(words[at].beyond());
                (ids[at], beyond) = (self.find_word(&words[at], bytes), rest);
            }
        }
    }

    #[inline]
    pub(crate) fn find_phrase(&self, parent: u32, last: u32) -> u32 {
        if parent == UNKNOWN || last == UNKNOWN {
            return UNKNOWN;
        }
        self.phrases.find([parent, last])
    }

    #[inline]
    pub(crate) fn prefetch_word(&self, word: &Word) {
        self.words.prefetch(word.hash);
    }

    /// Asks for the place of the bytes of a long word, which its look-up compares.
    #[inline]
    pub(crate) fn prefetch_place(&self, word: &Word) {
        prefetch(&self.nodes, self.words.find(word.hash, word.key) as usize);
    }

    /// Asks for the bytes of a long word, which its look-up compares.
    #[inline]
    pub(crate) fn prefetch_bytes(&self, word: &Word) {
        if let Some(Node::Word { start, .. }) = self.nodes.get(self.words.find(word.hash, word.key) as usize) {
            prefetch(&self.bytes, *start);
        }
    }

    #[inline]
    pub(crate) fn prefetch_phrase(&self, parent: u32, last: u32) {
        self.phrases.prefetch([parent, last]);
    }

    /// Asks for the parts of a term, which are needed to spell it.
    #[inline]
    pub(crate) fn prefetch_parts(&self, id: u32) {
        prefetch(&self.nodes, id as usize);
    }

    #[cold]
    pub(super) fn add_word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        let start = self.bytes.len();
        if word.is_short() {
            self.bytes.extend_from_slice(word.short_text(&word.short_bytes()));
        } else {
            self.bytes.extend_from_slice(bytes);
        }
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::Word { start, length: (self.bytes.len() - start) as u32 });
        self.insert_word(word, id);
        id
    }

    /// Adds a word that cannot be found until it is inserted.
    pub(super) fn push_word(&mut self, bytes: &[u8]) -> u32 {
        self.nodes.push(Node::Word { start: self.bytes.len(), length: bytes.len() as u32 });
        self.bytes.extend_from_slice(bytes);
        self.nodes.len() as u32 - 1
    }

    #[inline]
    pub(super) fn insert_word(&mut self, word: &Word, id: u32) {
        self.words.insert(word.hash, word.key, id, hash_of_key);
    }

    #[cold]
    pub(super) fn add_phrase(&mut self, parent: u32, last: u32) -> u32 {
        let id = self.push_phrase(parent, last);
        self.phrases.insert([parent, last], id);
        id
    }

    /// Adds an n-gram that cannot be found until it is inserted.
    #[inline]
    pub(super) fn push_phrase(&mut self, parent: u32, last: u32) -> u32 {
        self.nodes.push(Node::Phrase { parent, last });
        self.nodes.len() as u32 - 1
    }

    /// For an n-gram of several words, the n-gram before the last word, and that word.
    pub(crate) fn parts(&self, id: u32) -> Option<(u32, u32)> {
        match self.nodes[id as usize] {
            Node::Word { .. } => None,
            Node::Phrase { parent, last } => Some((parent, last)),
        }
    }

    /// The bytes of a word; nothing for an n-gram.
    pub(crate) fn word_bytes(&self, id: u32) -> &[u8] {
        match self.nodes[id as usize] {
            Node::Word { start, length } => &self.bytes[start..start + length as usize],
            Node::Phrase { .. } => &[],
        }
    }

    /// The key of the word with this id.
    #[inline]
    pub(super) fn word_of(&self, id: usize) -> Word {
        match self.nodes[id] {
            Node::Word { start, length } if length as usize <= SHORT && start + 16 <= self.bytes.len() => {
                // Sixteen bytes are read at once, most of which belong to other words.
                let bytes: [u8; 16] = self.bytes[start..start + 16].try_into().unwrap_or_default();
                let whole = u128::from_le_bytes(bytes) & (u128::MAX >> (128 - 8 * length.max(1)));
                Word::short(whole as u64, (whole >> 64) as u64, length, seeds())
            }
            _ => Word::new(self.word_bytes(id as u32)),
        }
    }

    /// The words of a term, first to last.
    pub(super) fn words_of(&self, id: u32) -> Vec<u32> {
        let (mut words, mut id) = (Vec::new(), id);
        while let Node::Phrase { parent, last } = self.nodes[id as usize] {
            words.push(last);
            id = parent;
        }
        words.push(id);
        words.reverse();
        words
    }

    /// Appends the term of an id: a word as it is, the words of an n-gram joined by [`JOINT`].
    pub fn spell(&self, id: u32, out: &mut Vec<u8>) {
        match self.nodes[id as usize] {
            Node::Word { .. } => out.extend_from_slice(self.word_bytes(id)),
            Node::Phrase { parent, last } => {
                self.spell(parent, out);
                out.push(JOINT);
                out.extend_from_slice(self.word_bytes(last));
            }
        }
    }

    /// The term of an id as text.
    pub fn term(&self, id: u32) -> String {
        let mut bytes = Vec::new();
        self.spell(id, &mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// How many words a term has.
    pub fn words_in(&self, id: u32) -> usize {
        self.words_of(id).len()
    }

    /// The id of each term after some words are replaced by others; [`UNKNOWN`] for an n-gram that is then not in the
    /// vocabulary.
    pub(crate) fn folded(&self, folds: &[(u32, u32)]) -> Vec<u32> {
        let mut words: Vec<u32> = (0..self.len() as u32).collect();
        folds.iter().for_each(|&(word, other)| words[word as usize] = other);
        let mut mapped: Vec<u32> = Vec::with_capacity(self.len());
        for (id, node) in self.nodes.iter().enumerate() {
            mapped.push(match *node {
                Node::Word { .. } => words[id],
                Node::Phrase { parent, last } => self.find_phrase(mapped[parent as usize], mapped[last as usize]),
            });
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn add(vocabulary: &mut Vocabulary, term: &str) -> u32 {
        vocabulary.intern(term.as_bytes(), true)
    }

    const TERMS: [&str; 7] = [
        "a",
        "exactly15bytes!",
        "sixteen bytes!!!",
        "a word that is much longer than a key",
        "new york",
        "new york city",
        "\0",
    ];

    #[test]
    fn terms_come_back_as_they_went_in() {
        let mut vocabulary = Vocabulary::default();
        for term in TERMS {
            let id = add(&mut vocabulary, term);
            assert_eq!(vocabulary.term(id), term);
            assert_eq!(add(&mut vocabulary, term), id);
            assert_eq!(vocabulary.find(term.as_bytes(), true), id);
            assert_eq!(vocabulary.words_in(id), term.split(' ').count());
        }
        assert_eq!(vocabulary.find(b"york new", true), UNKNOWN);
        assert_eq!(vocabulary.find(b"new york", false), UNKNOWN);
        assert_eq!(vocabulary.find(b"\0\0", false), UNKNOWN);
    }

    #[test]
    fn another_vocabulary_is_translated() {
        let (mut here, mut there) = (Vocabulary::default(), Vocabulary::default());
        add(&mut here, "york");
        add(&mut here, "new york");
        for i in 0..500 {
            add(&mut there, &format!("w{i} w{} w{}", i / 2, i / 3));
        }
        add(&mut there, "new york");
        let known = here.locate(&there);
        assert_eq!(known.iter().filter(|&&id| id != UNKNOWN).count(), 3);
        let ids = here.absorb(&there, &|| false, |_| ()).expect("there is room");
        for (id, &mapped) in ids.iter().enumerate() {
            assert_eq!(here.term(mapped), there.term(id as u32));
        }
        let some = [there.len() as u32 - 1, 7, 1200, 7];
        let mut few = Vocabulary::default();
        let ids = few.adopt(&there, &some);
        assert!(some.iter().zip(ids).all(|(&id, own)| few.term(own) == there.term(id)));
        assert!(few.len() < 10);
    }

    fn found_at_once(vocabulary: &Vocabulary, words: &[String]) -> Vec<u32> {
        let keys: Vec<Word> = words.iter().map(|word| Word::new(word.as_bytes())).collect();
        let long = words.iter().filter(|word| word.len() > SHORT);
        let mut ids = Vec::new();
        vocabulary.find_words(&keys, long.cloned().collect::<String>().as_bytes(), &mut ids);
        ids
    }

    #[test]
    fn words_that_have_the_places_of_others_are_found_at_once() {
        let mut vocabulary = Vocabulary::default();
        let words: Vec<String> = (0..5000u64).map(|at| format!("w{}", at.pow(at as u32 % 5))).collect();
        words.iter().step_by(2).for_each(|word| _ = add(&mut vocabulary, word));
        let one_by_one: Vec<u32> = words.iter().map(|word| vocabulary.find(word.as_bytes(), true)).collect();
        assert_eq!(found_at_once(&vocabulary, &words), one_by_one);
    }

    proptest! {
        #[test]
        fn words_are_found_at_once_as_one_by_one(
            known in prop::collection::vec("[ab\0é]{0,20}", 0..200),
            others in prop::collection::vec("[ab\0é]{0,20}", 0..200),
        ) {
            let mut vocabulary = Vocabulary::default();
            known.iter().for_each(|word| _ = add(&mut vocabulary, word));
            let words: Vec<String> = others.into_iter().chain(known).collect();
            let one_by_one: Vec<u32> = words.iter().map(|word| vocabulary.find(word.as_bytes(), true)).collect();
            prop_assert_eq!(found_at_once(&vocabulary, &words), one_by_one);
        }
    }
}
