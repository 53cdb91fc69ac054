//! Buckets of n-grams, each of which is a cache line.
//!
//! An n-gram is known by the low bits of a number, its tag. All tags of a bucket are compared, because a branch could
//! not be foreseen; the compiler makes wide instructions of that.

/// What nothing was put into: a tag that no n-gram has, or a number that no n-gram has.
const NOTHING: u32 = u32::MAX;

/// Some n-grams with their numbers.
pub(super) trait Bucket: Copy {
    /// The average number of n-grams per bucket with which few buckets are full.
    const USED: usize;
    const EMPTY: Self;

    /// Whether tags of this number of bits, and numbers up to `last`, fit into buckets.
    fn fits(tag_bits: u32, last: u32) -> bool;

    /// Puts an n-gram in; returns whether there was room.
    fn put(&mut self, tag: u32, number: u32, tag_bits: u32) -> bool;

    /// The number of an n-gram, and 0, or anything and [`NOTHING`]. Whether an n-gram is known cannot be foreseen, so
    /// that this is reckoned: the compiler would make a branch of a comparison.
    fn find(&self, tag: u32, tag_bits: u32) -> [u32; 2];

    /// Some bits, if the bucket is full, otherwise 0.
    fn is_full(&self) -> u32;
}

/// Sixteen n-grams: the high bits are their tags, and the low bits are their numbers.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Narrow([u32; 16]);

impl Bucket for Narrow {
    const USED: usize = 10;
    const EMPTY: Self = Self([NOTHING; 16]);

    fn fits(tag_bits: u32, last: u32) -> bool {
        // The highest number means nothing.
        (1..32).contains(&tag_bits) && last < NOTHING >> tag_bits
    }

    fn put(&mut self, tag: u32, number: u32, tag_bits: u32) -> bool {
        let free = self.0.iter_mut().find(|slot| **slot == NOTHING);
        let is_room = free.is_some();
        free.into_iter().for_each(|slot| *slot = shifted(tag, tag_bits) | number);
        is_room
    }

    #[inline(always)]
    fn find(&self, tag: u32, tag_bits: u32) -> [u32; 2] {
        let mask = NOTHING >> tag_bits;
        let tag = shifted(tag, tag_bits);
        // An empty slot may have the tag, too, but all bits of its number are set.
        let number =
            self.0.iter().fold(mask, |number, &slot| number & if slot & !mask == tag { slot } else { NOTHING });
        [number, ((number + 1) >> (32 - tag_bits)).wrapping_neg()]
    }

    #[inline(always)]
    fn is_full(&self) -> u32 {
        self.0[15] ^ NOTHING
    }
}

/// A tag as the highest bits.
#[inline(always)]
fn shifted(tag: u32, tag_bits: u32) -> u32 {
    tag << (32 - tag_bits)
}

/// Eight n-grams, whose numbers may be larger.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Wide {
    tags: [u32; 8],
    numbers: [u32; 8],
}

impl Bucket for Wide {
    const USED: usize = 5;
    const EMPTY: Self = Self { tags: [NOTHING; 8], numbers: [NOTHING; 8] };

    fn fits(tag_bits: u32, last: u32) -> bool {
        tag_bits < 32 && last < NOTHING >> 1
    }

    fn put(&mut self, tag: u32, number: u32, _: u32) -> bool {
        let free = self.tags.iter().position(|&other| other == NOTHING);
        free.into_iter().for_each(|at| (self.tags[at], self.numbers[at]) = (tag, number));
        free.is_some()
    }

    #[inline(always)]
    fn find(&self, tag: u32, _: u32) -> [u32; 2] {
        let slots = self.tags.iter().zip(&self.numbers);
        let number =
            slots.fold(NOTHING, |found, (&other, &number)| found & if other == tag { number } else { NOTHING });
        [number, (number >> 31).wrapping_neg()]
    }

    #[inline(always)]
    fn is_full(&self) -> u32 {
        self.tags[7] ^ NOTHING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold_what_was_put_in<B: Bucket>(room: u32) {
        for tag_bits in [1, 2, 18, 31] {
            let tag = |at: u32| NOTHING >> (32 - tag_bits) & !at;
            let found = |bucket: &B, at: u32| match bucket.find(tag(at), tag_bits) {
                [number, 0] => Some(number),
                [_, missing] => (missing != NOTHING).then_some(missing),
            };
            let mut bucket = B::EMPTY;
            let different = (1u32 << tag_bits).min(room);
            for at in 0..different {
                assert_eq!((found(&bucket, at), bucket.is_full()), (None, 0));
                assert!(bucket.put(tag(at), at % 2 / tag_bits, tag_bits));
                assert_eq!(found(&bucket, at), Some(at % 2 / tag_bits));
            }
            assert!((0..different).all(|at| found(&bucket, at) == Some(at % 2 / tag_bits)));
            assert_eq!(bucket.is_full() != 0, different == room);
            assert_eq!(bucket.put(tag(room), 0, tag_bits), different < room);
        }
    }

    #[test]
    fn buckets_hold_what_was_put_in() {
        hold_what_was_put_in::<Narrow>(16);
        hold_what_was_put_in::<Wide>(8);
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!([size_of::<Narrow>(), align_of::<Narrow>(), size_of::<Wide>(), align_of::<Wide>()], [64; 4]);
    }

    #[test]
    fn tags_and_numbers_share_the_bits_of_narrow_buckets() {
        assert!(Narrow::fits(18, 16_382) && !Narrow::fits(18, 16_383));
        assert!(Narrow::fits(1, NOTHING / 2 - 1) && !Narrow::fits(0, 0) && !Narrow::fits(32, 0));
        assert!(Wide::fits(31, NOTHING / 2 - 1) && !Wide::fits(31, NOTHING / 2));
    }
}
