//! The terms of one document go in; how often each of them occurs comes out.

use crate::vocabulary::table::seeds;
use crate::vocabulary::term_ids::UNKNOWN;

/// The known terms of a document and their frequencies. Its memory grows with the document, not with the vocabulary,
/// and is reused from document to document.
#[derive(Default)]
pub(crate) struct Frequencies {
    /// The terms that occur, in order of appearance, and room for more.
    terms: Vec<u32>,
    /// The frequency of each of them; beyond them all are 0.
    of: Vec<u32>,
    /// The number of terms that occur.
    size: usize,
    /// A hash table of the places in `terms`. A slot is used if it has the serial number of this document.
    slots: Vec<Slot>,
    serial: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    serial: u32,
    place: u32,
}

/// The smallest number of terms that there is room for. It is a power of 2, as all are.
const SMALLEST: usize = 1 << 8;

impl Frequencies {
    /// Begins a document.
    pub(crate) fn begin(&mut self) {
        self.of[..self.size].fill(0);
        self.size = 0;
        self.serial = self.serial.wrapping_add(1);
        if self.serial == 0 {
            self.slots.fill(Slot::default());
            self.serial = 1;
        }
    }

    /// Adds some terms of the document, which may be [`UNKNOWN`].
    #[inline]
    pub(crate) fn add(&mut self, ids: &[u32]) {
        // The table is at most a quarter full, even if all of these terms are new.
        if self.size + ids.len() > self.terms.len() {
            self.grow(self.size + ids.len());
        }
        let Self { terms, of, size, slots, serial } = self;
        // There may be no slots yet, if there are no terms.
        let (factor, shift, mask) = (seeds()[0], shift_of(slots), slots.len().wrapping_sub(1));
        for &id in ids.iter().filter(|&&id| id != UNKNOWN) {
            let mut at = hash(id, factor, shift);
            // Whether a term is new cannot be foreseen, so this is done without a branch; collisions are rare.
            loop {
                let slot = &mut slots[at & mask];
                let is_new = slot.serial != *serial;
                let place = if is_new { *size } else { slot.place as usize };
                terms[*size] = id;
                if terms[place] == id {
                    *slot = Slot { serial: *serial, place: place as u32 };
                    of[place] += 1;
                    *size += usize::from(is_new);
                    break;
                }
                at += 1;
            }
        }
    }

    /// The terms of the document, in order of appearance.
    pub(crate) fn terms(&self) -> &[u32] {
        &self.terms[..self.size]
    }

    /// The frequencies of these terms.
    pub(crate) fn of(&self) -> &[u32] {
        &self.of[..self.size]
    }

    /// The terms of the document with their frequencies, in order of appearance.
    #[cfg(test)]
    fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.terms().iter().copied().zip(self.of().iter().copied())
    }

    /// Makes room for this number of terms.
    #[cold]
    fn grow(&mut self, terms: usize) {
        let room = terms.next_power_of_two().max(SMALLEST);
        self.terms.resize(room, 0);
        self.of.resize(room, 0);
        self.slots = vec![Slot::default(); 4 * room];
        self.serial = self.serial.max(1);
        let (factor, shift, mask) = (seeds()[0], shift_of(&self.slots), self.slots.len() - 1);
        for (place, &id) in self.terms[..self.size].iter().enumerate() {
            let mut at = hash(id, factor, shift);
            while self.slots[at & mask].serial == self.serial {
                at += 1;
            }
            self.slots[at & mask] = Slot { serial: self.serial, place: place as u32 };
        }
    }

    /// The number of bytes that were set aside so far.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        (self.terms.capacity() + self.of.capacity()) * 4 + self.slots.capacity() * size_of::<Slot>()
    }
}

#[inline]
fn hash(id: u32, factor: u64, shift: u32) -> usize {
    (u64::from(id).wrapping_mul(factor) >> shift) as usize
}

/// The high bits of a hash that are left over by an index into the slots.
#[inline]
fn shift_of(slots: &[Slot]) -> u32 {
    64 - slots.len().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terms_are_counted_in_each_document_anew() {
        let mut frequencies = Frequencies::default();
        frequencies.begin();
        frequencies.add(&[]);
        frequencies.add(&[7, UNKNOWN, 2]);
        frequencies.add(&[7, 9]);
        assert_eq!(frequencies.iter().collect::<Vec<_>>(), [(7, 2), (2, 1), (9, 1)]);
        frequencies.begin();
        frequencies.add(&[9]);
        assert_eq!(frequencies.iter().collect::<Vec<_>>(), [(9, 1)]);
        frequencies.serial = u32::MAX;
        frequencies.begin();
        frequencies.add(&[9, 4, 9]);
        assert_eq!(frequencies.iter().collect::<Vec<_>>(), [(9, 2), (4, 1)]);
    }

    #[test]
    fn memory_does_not_depend_on_the_vocabulary() {
        let memory = |most: u32| {
            let mut frequencies = Frequencies::default();
            for document in 0..100 {
                frequencies.begin();
                let ids: Vec<u32> =
                    (0..200u32).map(|at| (at * 7919 + document).wrapping_mul(104_729) % most).collect();
                frequencies.add(&ids);
            }
            frequencies.memory()
        };
        assert_eq!(memory(1_000), memory(4_000_000_000));
        assert!(memory(4_000_000_000) < 20_000);
    }

    proptest! {
        #[test]
        fn they_are_those_of_a_map(documents in proptest::collection::vec(
            proptest::collection::vec(proptest::collection::vec(prop_oneof![0u32..50, any::<u32>()], 0..400), 0..5),
            1..4,
        )) {
            let mut frequencies = Frequencies::default();
            for rounds in documents {
                frequencies.begin();
                rounds.iter().for_each(|ids| frequencies.add(ids));
                let mut expected: Vec<(u32, u32)> = Vec::new();
                for &id in rounds.iter().flatten().filter(|&&id| id != UNKNOWN) {
                    match expected.iter_mut().find(|(other, _)| *other == id) {
                        Some((_, frequency)) => *frequency += 1,
                        None => expected.push((id, 1)),
                    }
                }
                prop_assert_eq!(frequencies.iter().collect::<Vec<_>>(), expected);
            }
        }
    }
}
