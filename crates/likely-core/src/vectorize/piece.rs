//! Rows of consecutive texts, packed, until the whole matrix is known.

use crate::vectorize::tally::Tallies;
use crate::vocabulary::UNKNOWN;

/// Set in a number after which a count follows; most counts are 1 and are left out.
const COUNTED: u32 = 1 << 31;

/// Some rows. An entry is the number of a term, below 2^31, and how often it occurs.
#[derive(Default)]
pub(crate) struct Piece {
    /// Whose numbers the terms have.
    pub(crate) worker: usize,
    pub(crate) first_row: usize,
    /// How many entries each row has.
    lengths: Vec<u32>,
    packed: Vec<u32>,
}

impl Piece {
    /// Begins with room for about as much as another holds.
    pub(crate) fn like(other: Option<&Self>, worker: usize, first_row: usize) -> Self {
        let packed = Vec::with_capacity(other.map_or(0, |other| other.packed.len() / 8 * 9));
        Self { worker, first_row, lengths: Vec::new(), packed }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push_row(&mut self, entries: impl Iterator<Item = (u32, u32)>) {
        let mut length = 0;
        for (number, count) in entries {
            self.push(number, count);
            length += 1;
        }
        self.lengths.push(length);
    }

    #[inline]
    fn push(&mut self, number: u32, count: u32) {
        if count == 1 {
            self.packed.push(number);
        } else {
            self.packed.extend([number | COUNTED, count]);
        }
    }

    /// Adds the row that is in the tallies.
    #[inline]
    pub(crate) fn push_tallied(&mut self, tallies: &mut Tallies) {
        let mut length = 0;
        tallies.drain(|number, count| {
            self.push(number, count);
            length += 1;
        });
        self.lengths.push(length);
    }

    /// Gives back the room that is left.
    pub(crate) fn close(&mut self) {
        self.packed.shrink_to_fit();
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.lengths.iter().map(|&length| length as usize).sum()
    }

    /// How many entries each row has.
    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// All entries, row after row.
    #[inline]
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        unpacked(&self.packed)
    }

    /// Gives each entry the number that `new` has for its own, leaves out those for which that is [`UNKNOWN`], and sorts
    /// the rows. All new numbers must have room in `tallies`, if given.
    pub(crate) fn renumber(&mut self, new: &[u32], mut tallies: Option<&mut Tallies>) {
        let old =
            std::mem::replace(self, Self { worker: self.worker, first_row: self.first_row, ..Self::default() });
        self.packed.reserve_exact(old.packed.len());
        let mut entries = unpacked(&old.packed).map(|(number, count)| (new[number as usize], count));
        let mut row = Vec::new();
        for length in old.lengths {
            let entries = entries.by_ref().take(length as usize).filter(|&(number, _)| number != UNKNOWN);
            match &mut tallies {
                Some(tallies) => {
                    entries.for_each(|(number, count)| tallies.add(number, count));
                    self.push_tallied(tallies);
                }
                None => {
                    row.extend(entries.map(|(number, count)| u64::from(number) << 32 | u64::from(count)));
                    row.sort_unstable();
                    self.push_row(row.drain(..).map(|entry| ((entry >> 32) as u32, entry as u32)));
                }
            }
        }
    }
}

#[inline]
fn unpacked(packed: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let mut packed = packed.iter().copied();
    std::iter::from_fn(move || {
        let number = packed.next()?;
        if number < COUNTED { Some((number, 1)) } else { Some((number & !COUNTED, packed.next()?)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_renumbered_and_sorted() {
        for tallied in [false, true] {
            let mut piece = Piece::default();
            piece.push_row([(0, 1), (1, 7), (2, 1), (3, 0)].into_iter());
            piece.push_row(std::iter::empty());
            piece.push_row([(3, 1)].into_iter());
            assert_eq!(piece.entries().collect::<Vec<_>>(), [(0, 1), (1, 7), (2, 1), (3, 0), (3, 1)]);
            let mut tallies = Tallies::default();
            tallies.make_room(9);
            piece.renumber(&[8, 4, UNKNOWN, 5], tallied.then_some(&mut tallies));
            assert_eq!(piece.lengths(), [3, 0, 1]);
            assert_eq!(piece.entries().collect::<Vec<_>>(), [(4, 7), (5, 0), (8, 1), (5, 1)]);
            assert_eq!(piece.len(), 4);
        }
    }
}
