//! The longest n-grams of a vocabulary in a hash table that is made once and takes half of the memory of
//! [`crate::vocabulary::phrase_table`], so that more of it stays near the processor.
//!
//! **Warning: cleverer than it looks.** An n-gram is a pair of ids, and thus a number of few bits. These are mixed in a
//! way that can be undone (a Feistel network); the high bits of the result say in which bucket the n-gram is, so that
//! only the low bits, its tag, must be stored to know it exactly. Three things must hold:
//!
//! - Every id is below the number that the table was made for: ids of terms that came later would share tags.
//! - Homes are injective. A test lists the homes of all pairs of some ids, for vocabularies of many sizes.
//! - An n-gram that is not known has no branch of its own, because it could not be foreseen: numbers are reckoned.
//!
//! A bucket is a cache line, all of whose tags are compared; the compiler makes vector instructions of that. N-grams for
//! which their bucket had no room are in another table, which is hardly ever asked.

use crate::prefetch::prefetch;
use crate::vector::vectorized;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::phrase_table::{Phrase, PhraseTable};
use crate::vocabulary::table::{MISSING, seeds};
use crate::vocabulary::term_ids::{Node, Vocabulary};

/// For how many n-grams memory is asked before they are put in.
const STAGED: usize = 64;
/// How many n-grams a bucket has room for.
const ROOM: usize = 8;
/// The average number of n-grams per bucket with which few buckets are full.
const USED: usize = 5;

/// The longest n-grams of a vocabulary, to their ids.
pub(crate) struct PackedPhrases {
    /// The last bucket is always empty.
    buckets: Vec<Bucket>,
    mixing: Mixing,
    /// The n-grams for which the buckets had no room, by their homes.
    beyond: PhraseTable,
}

/// Some n-grams: their tags and their ids, which are [`MISSING`] if there is none.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    tags: [u32; ROOM],
    ids: [u32; ROOM],
}

/// Where some n-grams belong, and their tags there.
#[derive(Default)]
pub(crate) struct Homes {
    buckets: Vec<u32>,
    tags: Vec<u32>,
}

impl PackedPhrases {
    /// The n-grams of `longest` words of a vocabulary; None if there are none, or if there are too many terms.
    pub(crate) fn of_longest(vocabulary: &Vocabulary, longest: usize) -> Option<Self> {
        Self::new(vocabulary.len(), vocabulary.longest_phrases(longest))
    }

    /// The table of some n-grams, whose parts are all less than `ids`, with a number for each.
    pub(crate) fn new(ids: usize, phrases: impl Iterator<Item = (Phrase, u32)> + Clone) -> Option<Self> {
        let size = phrases.clone().count();
        let mixing = Mixing::new(ids, size / USED + 1).filter(|_| size > 0)?;
        let empty = Bucket { tags: [MISSING; ROOM], ids: [MISSING; ROOM] };
        let mut table =
            Self { buckets: vec![empty; mixing.buckets as usize + 1], mixing, beyond: PhraseTable::with_room(0) };
        let (mut phrases, mut staged) = (phrases, Vec::with_capacity(STAGED));
        loop {
            staged.extend(phrases.by_ref().take(STAGED).map(|(phrase, id)| (mixing.home(phrase), id)));
            if staged.is_empty() {
                return Some(table);
            }
            staged.iter().for_each(|(home, _)| prefetch(&table.buckets, home.bucket as usize));
            staged.drain(..).for_each(|(home, id)| table.put(home, id));
        }
    }

    fn put(&mut self, home: Home, id: u32) {
        let Bucket { tags, ids } = &mut self.buckets[home.bucket as usize];
        match ids.iter().position(|&other| other == MISSING) {
            Some(free) => (tags[free], ids[free]) = (home.tag, id),
            None => self.beyond.insert(home.key(), id),
        }
    }

    /// Finds out where the n-grams belong that consist of these parents, each followed by the last word at the same
    /// index, and asks for that memory. Parts may be [`MISSING`].
    #[inline]
    pub(crate) fn locate(&self, parents: &[u32], lasts: &[u32], homes: &mut Homes) {
        vectorized(|| self.mixing.locate(parents, lasts, homes));
        homes.buckets.iter().for_each(|&bucket| prefetch(&self.buckets, bucket as usize));
    }

    /// Appends the ids of the n-grams with these homes, or [`MISSING`].
    #[inline]
    pub(crate) fn find(&self, homes: &Homes, ids: &mut Vec<u32>) {
        vectorized(|| self.find_all(homes, ids));
    }

    #[inline(always)]
    fn find_all(&self, Homes { buckets, tags }: &Homes, ids: &mut Vec<u32>) {
        let old = ids.len();
        ids.resize(old + tags.len(), MISSING);
        for (id, (&bucket, &tag)) in ids[old..].iter_mut().zip(buckets.iter().zip(tags)) {
            let here = &self.buckets[bucket as usize];
            let slots = here.tags.iter().zip(&here.ids);
            *id = slots.fold(MISSING, |found, (&other, &id)| found & if other == tag { id } else { MISSING });
            // This is rare, unlike n-grams that are not known.
            if (here.ids[ROOM - 1] != MISSING) & (*id == MISSING) {
                *id = self.beyond.find(Home { bucket, tag }.key());
            }
        }
    }
}

/// Where an n-gram belongs, and its tag there.
#[derive(Clone, Copy)]
struct Home {
    bucket: u32,
    tag: u32,
}

impl Home {
    fn key(self) -> Phrase {
        [self.bucket, self.tag]
    }
}

/// From n-grams to their homes. Numbers of 32 bits are enough, so that vector instructions do several n-grams at once.
#[derive(Clone, Copy)]
struct Mixing {
    /// How many bits an id has.
    id_bits: u32,
    /// The number of buckets to which n-grams belong.
    buckets: u32,
    /// How many bits a tag has.
    low_bits: u32,
    factors: [u32; 3],
}

impl Mixing {
    fn new(ids: usize, buckets: usize) -> Option<Self> {
        let id_bits = (usize::BITS - ids.leading_zeros()).max(1);
        // The numbers that share a bucket follow each other, so that their low bits differ.
        let low_bits = (2 * id_bits).saturating_sub(buckets.ilog2());
        let [a, b] = seeds();
        let factors = [a, a >> 32, b].map(|seed| seed as u32 | 1);
        let buckets = u32::try_from(buckets).ok().filter(|_| id_bits < 32 && low_bits < 32)?;
        Some(Self { id_bits, buckets, low_bits, factors })
    }

    #[inline(always)]
    fn locate(&self, parents: &[u32], lasts: &[u32], Homes { buckets, tags }: &mut Homes) {
        buckets.resize(lasts.len(), 0);
        tags.resize(lasts.len(), 0);
        for ((bucket, tag), (&parent, &last)) in buckets.iter_mut().zip(tags).zip(parents.iter().zip(lasts)) {
            let home = self.home([parent, last]);
            let is_known = (parent != MISSING) & (last != MISSING);
            // The last bucket is empty.
            *bucket = if is_known { home.bucket } else { self.buckets };
            *tag = home.tag;
        }
    }

    /// Every step can be undone, because it changes one of the ids by a number that follows from the other one (a
    /// Feistel network). Together they are a number of twice `id_bits` bits.
    #[inline(always)]
    fn home(&self, [parent, last]: Phrase) -> Home {
        let Self { id_bits, buckets, low_bits, factors: [a, b, c] } = *self;
        let mixed = |id: u32, factor: u32| id.wrapping_mul(factor) >> (32 - id_bits);
        let parent = parent ^ mixed(last, a);
        let last = last ^ mixed(parent, b);
        let parent = parent ^ mixed(last, c);
        // Its highest 32 bits say which share of all buckets are before its own.
        let [left, right] = [32u32.saturating_sub(2 * id_bits), (2 * id_bits).saturating_sub(32)];
        let share = parent << (32 - id_bits) | last << left >> right;
        let bucket = (u64::from(share) * u64::from(buckets)) >> 32;
        Home { bucket: bucket as u32, tag: (parent << id_bits | last) & ((1 << low_bits) - 1) }
    }
}

/// A vocabulary, and its longest n-grams in a table of their own.
#[derive(Clone, Copy)]
pub(crate) struct WithLongest<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) phrases: &'a PackedPhrases,
}

impl Vocabulary {
    /// The n-grams of `longest` words: their parts and ids.
    pub(crate) fn longest_phrases(&self, longest: usize) -> impl Iterator<Item = (Phrase, u32)> + Clone {
        let length_of = |mut id: u32| {
            let mut length = 1;
            while let Node::Phrase { parent, .. } = self.nodes[id as usize] {
                (id, length) = (parent, length + 1);
            }
            length
        };
        (0..self.len() as u32).filter_map(move |id| match self.nodes[id as usize] {
            Node::Phrase { parent, last } if length_of(parent) + 1 == longest => Some(([parent, last], id)),
            _ => None,
        })
    }
}

impl Lexicon for WithLongest<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    #[inline(always)]
    fn reads(&self) -> Option<&Vocabulary> {
        Some(self.vocabulary)
    }

    #[inline(always)]
    fn longest(&self) -> Option<&PackedPhrases> {
        Some(self.phrases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    impl PackedPhrases {
        pub(crate) fn found(&self, parents: &[u32], lasts: &[u32]) -> Vec<u32> {
            let (mut homes, mut ids) = (Homes::default(), Vec::new());
            self.locate(parents, lasts, &mut homes);
            self.find(&homes, &mut ids);
            ids
        }
    }

    #[test]
    fn n_grams_of_any_ids_have_homes_of_their_own_and_are_found_and_no_others() {
        for ids in [1, 2, 3, 255, 256, 70_000, 1 << 20] {
            let some = (0..ids as u32).step_by(1 + ids / 300);
            let pairs = some.clone().flat_map(|parent| some.clone().map(move |last| [parent, last]));
            let (known, others): (Vec<Phrase>, Vec<Phrase>) =
                pairs.clone().partition(|[parent, last]| (parent + last) % 3 != 2);
            for used in [1, 5, 40] {
                let mixing = Mixing::new(ids, (known.len() + others.len()) / used + 1).expect("they fit");
                let homes: HashSet<Phrase> = pairs.clone().map(|phrase| mixing.home(phrase).key()).collect();
                assert_eq!(homes.len(), pairs.clone().count(), "{ids} {used}");
            }
            let table = PackedPhrases::new(ids, known.iter().copied().zip(7..)).expect("they fit");
            let all = |phrases: &[Phrase]| {
                let (parents, lasts): (Vec<u32>, Vec<u32>) = phrases.iter().map(|&[a, b]| (a, b)).unzip();
                table.found(&parents, &lasts)
            };
            assert_eq!(all(&known), (7..7 + known.len() as u32).collect::<Vec<u32>>());
            assert!(all(&others).iter().all(|&id| id == MISSING), "{ids}");
            assert_eq!(all(&[[0, MISSING], [MISSING, 0], [MISSING, MISSING]]), [MISSING; 3]);
        }
    }

    #[test]
    fn a_table_may_have_too_many_ids_or_no_n_grams() {
        let one = [([0, 0], 1)];
        assert!(PackedPhrases::new(1 << 31, one.into_iter()).is_none());
        assert!(PackedPhrases::new(4000, one.into_iter().skip(1)).is_none());
        assert_eq!([size_of::<Bucket>(), align_of::<Bucket>()], [64; 2]);
    }

    #[test]
    fn only_the_longest_n_grams_are_in_the_table() {
        let mut vocabulary = Vocabulary::default();
        let terms = ["new york", "new york city", "york new york"];
        let [new_york, city, york] = terms.map(|term| vocabulary.intern(term.as_bytes(), true));
        let longest: Vec<u32> = vocabulary.longest_phrases(3).map(|(_, id)| id).collect();
        assert_eq!((longest, vocabulary.longest_phrases(4).count()), (vec![city, york], 0));
        let phrases = PackedPhrases::of_longest(&vocabulary, 3).expect("they fit");
        let mut lexicon = WithLongest { vocabulary: &vocabulary, phrases: &phrases };
        let [new, city_word] = ["new", "city"].map(|word| vocabulary.find(word.as_bytes(), true));
        assert_eq!(phrases.found(&[new_york, new_york], &[city_word, new]), [city, MISSING]);
        assert_eq!(lexicon.phrase(new_york, city_word), city);
    }
}
