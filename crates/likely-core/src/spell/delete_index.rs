//! Words by what is left of them when characters are deleted. Two words are close to each other only if the same is
//! left of both after a few characters are deleted from each.
//!
//! Only the hashes of what is left are stored, made of the first few characters of a word, so that every word costs
//! the same however long it is. The hashes are seeded, so that nobody can choose words whose hashes collide.

use crate::prefetch::prefetch;
use crate::vocabulary::table::{mix, seeds};

/// The number of characters at the start of a word that are hashed. With more characters fewer words are compared in
/// vain, but the index takes more memory and more time to build: 10 took half as long again as 8, to save a
/// microsecond or two per word.
pub(crate) const PREFIX: usize = 8;

/// The rank of a word, and the part of its hash that did not choose the bucket.
#[derive(Clone, Copy, Default)]
struct Entry {
    tag: u32,
    rank: u32,
}

/// Which words leave what. The ranks in a bucket ascend.
pub(crate) struct DeleteIndex {
    /// Where the entries of each bucket start; the last number is the end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    shift: u32,
}

impl DeleteIndex {
    /// The words in the order of their ranks, each with the number of deletions, at most two, under which it is
    /// indexed.
    pub(crate) fn new<'a>(words: impl DoubleEndedIterator<Item = (&'a [char], usize)> + Clone) -> Self {
        let most: usize = words.clone().map(|(word, most)| Remains::most(word.len(), most)).sum();
        let buckets = (most / 4).next_power_of_two().max(2);
        let shift = 64 - buckets.trailing_zeros();
        let bucket = |hash: u64| (hash >> shift) as usize;
        let mut starts = vec![0u32; buckets + 1];
        for (word, most) in words.clone() {
            Remains::of(word).for_each(most, |hash| starts[bucket(hash)] += 1);
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // The buckets are filled from the end, so that each end becomes a start and the ranks in a bucket ascend.
        let mut entries = vec![Entry::default(); end as usize];
        let ranks = 0..words.clone().count() as u32;
        for ((word, most), rank) in words.rev().zip(ranks.rev()) {
            Remains::of(word).for_each(most, |hash| {
                let place = &mut starts[bucket(hash)];
                *place -= 1;
                entries[*place as usize] = Entry { tag: hash as u32, rank };
            });
        }
        Self { starts, entries, shift }
    }

    /// Asks for the memory that a look-up of this hash will touch.
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.starts, (hash >> self.shift) as usize);
    }

    /// The words that leave this hash, best rank first; very rarely another word.
    pub(crate) fn find(&self, hash: u64) -> impl Iterator<Item = u32> {
        let bucket = (hash >> self.shift) as usize;
        let bounds = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        self.entries[bounds].iter().filter(move |entry| entry.tag == hash as u32).map(|entry| entry.rank)
    }
}

/// The hashes of what is left of a word. A hash is a sum over characters and their places. What follows a deletion
/// moves up by one, so that each hash is made of sums over whole parts, moved and unmoved, in a few additions.
pub(crate) struct Remains {
    word: [char; PREFIX],
    length: usize,
    /// For each distance that characters moved, the sum over the characters before each place.
    sums: [[u64; PREFIX + 1]; 3],
}

impl Remains {
    pub(crate) fn of(word: &[char]) -> Self {
        let [a, b] = seeds();
        let length = word.len().min(PREFIX);
        let mut remains = Self { word: ['\0'; PREFIX], length, sums: [[0; PREFIX + 1]; 3] };
        remains.word[..length].copy_from_slice(&word[..length]);
        for (moved, sums) in remains.sums.iter_mut().enumerate() {
            for (at, &c) in word[..length].iter().enumerate() {
                // A character that cannot have moved that far is never asked for.
                let place = at.wrapping_sub(moved) as u64;
                sums[at + 1] = sums[at].wrapping_add(mix(u64::from(c) ^ a, place ^ b));
            }
        }
        remains
    }

    /// The hashes with no or one character deleted.
    pub(crate) fn up_to_one(&self) -> impl Iterator<Item = u64> {
        let whole = self.sums[0][self.length];
        let deleted = (0..self.length).filter(|&i| self.is_first(i));
        std::iter::once(whole)
            .chain(deleted.map(|i| self.part(0, 0, i).wrapping_add(self.part(1, i + 1, self.length))))
    }

    /// The hashes with two characters deleted.
    pub(crate) fn two(&self) -> impl Iterator<Item = u64> {
        let firsts = (0..self.length).filter(|&i| self.is_first(i));
        firsts.flat_map(move |i| {
            let seconds = (i + 1..self.length).filter(move |&j| j == i + 1 || self.is_first(j));
            let front = self.part(0, 0, i);
            seconds.map(move |j| {
                front.wrapping_add(self.part(1, i + 1, j)).wrapping_add(self.part(2, j + 1, self.length))
            })
        })
    }

    /// Calls `visit` with the hashes of at most `most` deletions, which is at most two.
    fn for_each(&self, most: usize, mut visit: impl FnMut(u64)) {
        match most {
            0 => visit(self.sums[0][self.length]),
            1 => self.up_to_one().for_each(visit),
            _ => {
                self.up_to_one().for_each(&mut visit);
                self.two().for_each(visit);
            }
        }
    }

    /// The number of hashes that a word of this length has at most.
    fn most(length: usize, most: usize) -> usize {
        let length = length.min(PREFIX);
        [1, 1 + length, 1 + length * (length + 1) / 2][most.min(2)]
    }

    fn part(&self, moved: usize, start: usize, end: usize) -> u64 {
        self.sums[moved][end].wrapping_sub(self.sums[moved][start])
    }

    /// Of equal neighbours it does not matter which one is deleted: the first stands for all.
    fn is_first(&self, at: usize) -> bool {
        at == 0 || self.word[at] != self.word[at - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(word: &str, most: usize) -> Vec<u64> {
        let mut hashes = Vec::new();
        Remains::of(&word.chars().collect::<Vec<_>>()).for_each(most, |hash| hashes.push(hash));
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }

    #[test]
    fn remains_are_those_of_the_words_with_characters_deleted() {
        let whole = |words: &[&str]| {
            let mut hashes: Vec<u64> = words.iter().flat_map(|word| hashes(word, 0)).collect();
            hashes.sort_unstable();
            hashes
        };
        assert_eq!(hashes("abc", 1), whole(&["abc", "bc", "ac", "ab"]));
        assert_eq!(hashes("abc", 2), whole(&["abc", "bc", "ac", "ab", "a", "b", "c"]));
        assert_eq!(hashes("aab", 2), whole(&["aab", "ab", "aa", "a", "b"]));
        assert_eq!(hashes("aaa", 2), whole(&["aaa", "aa", "a"]));
        assert_eq!(hashes("", 2), whole(&[""]));
        assert_eq!(hashes("0123456789abc", 2), hashes("0123456789xyz", 2));
    }

    #[test]
    fn words_are_found_best_rank_first() {
        let words: Vec<Vec<char>> = ["bath", "path", "math", "moth"].map(|word| word.chars().collect()).to_vec();
        let index = DeleteIndex::new(words.iter().map(|word| (word.as_slice(), 1)));
        let ath = hashes("ath", 0)[0];
        assert_eq!(index.find(ath).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(index.find(hashes("moth", 0)[0]).collect::<Vec<_>>(), [3]);
        assert_eq!(index.find(hashes("zzz", 0)[0]).count(), 0);
        assert!(DeleteIndex::new(std::iter::empty()).find(ath).next().is_none());
    }
}
