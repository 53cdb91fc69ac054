//! Terms whose rows of numbers are equal.
//!
//! The numbers of a term follow from a few small counts, so that a million terms may have only some thousand different
//! rows. If each term is replaced by the first one with an equal row, the rows that are read stay near the processor.

use crate::score::deltas::Dense;
use crate::vocabulary::table::{MISSING, Table, mix, seeds};
use crate::vocabulary::term_ids::UNKNOWN;

/// More different rows than this are too many to stay near the processor.
const MOST: usize = 1 << 17;

/// For each term, the first one with an equal row, or [`UNKNOWN`] if its row is all zeros, which adds nothing. If there
/// are too many different rows, it returns nothing.
pub(super) fn first_with_equal_row(dense: &Dense) -> Option<Vec<u32>> {
    let Dense { stride, table, .. } = dense;
    let row = |id: u32| dense.row(id).iter().map(|number| number.to_bits());
    let (mut firsts, mut distinct) = (Table::new(), 0);
    let mut first = |id: u32| {
        if row(id).all(|bits| bits == 0) {
            return Some(UNKNOWN);
        }
        let hash = hash_of(row(id));
        match firsts.find_same(hash, hash, |first| row(first).eq(row(id))) {
            MISSING if distinct == MOST => None,
            MISSING => {
                distinct += 1;
                firsts.insert(hash, hash, id, |hash| hash);
                Some(id)
            }
            first => Some(first),
        }
    };
    (0..(table.len() / stride) as u32).map(&mut first).collect()
}

fn hash_of(row: impl Iterator<Item = u64>) -> u64 {
    let [a, b] = seeds();
    row.fold(a, |hash, bits| mix(hash ^ bits, b).rotate_left(23))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_replaced_by_the_first_one_with_an_equal_row() {
        let rows: [[f64; 4]; 6] =
            [[1.0, 0.5, 0.0, 0.0], [0.0; 4], [1.0, 0.5, 0.0, -0.0], [1.0, 0.5, 0.0, 0.0], [0.0; 4], [1.0; 4]];
        let dense = Dense { stride: 4, table: rows.concat(), scaled: false };
        assert_eq!(first_with_equal_row(&dense), Some(vec![0, UNKNOWN, 2, 0, UNKNOWN, 5]));
    }

    #[test]
    fn many_different_rows_are_left_alone() {
        let table: Vec<f64> = (0..MOST * 4).map(|at| 1.0 + (at / 4) as f64).collect();
        let mut dense = Dense { stride: 4, table, scaled: false };
        assert_eq!(first_with_equal_row(&dense), Some((0..MOST as u32).collect()));
        dense.table.extend([0.5; 4]);
        assert_eq!(first_with_equal_row(&dense), None);
    }
}
