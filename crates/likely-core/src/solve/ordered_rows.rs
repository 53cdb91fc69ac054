//! Rows of terms go in; the same rows come out in an order that depends on nothing but the documents.

use crate::error::{Error, Result};
use crate::ragged::{CountedRows, Ragged};
use crate::vocabulary::term_ids::UNKNOWN;

/// After how many documents `stop` is asked.
const OFTEN: usize = 1 << 12;

/// The documents whose order is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Unordered<'a> {
    /// The terms of each document by id, each once.
    pub rows: Ragged<'a>,
    /// The frequency of each.
    pub frequencies: &'a [u32],
    /// The class of each document.
    pub classes: &'a [u32],
    /// The weight of each document; empty if all are 1.
    pub weights: &'a [f64],
}

impl Unordered<'_> {
    /// Whether every term has a frequency, and every document a class and a weight.
    pub fn is_sound(&self) -> bool {
        let weighed = self.weights.is_empty() || self.weights.len() == self.classes.len();
        weighed && self.rows.rows() == self.classes.len() && self.frequencies.len() == self.rows.entries()
    }
}

/// Sorts documents by class, then by their columns, by the frequency of each, and by their weights: the index of each
/// among the given ones, and the columns of each, sorted. `places` holds the column of each term by id, [`UNKNOWN`] for a term that is left out. Documents
/// of weight 0 are left out too. `stop` is asked from time to time whether to give up.
pub fn order_rows(
    documents: Unordered<'_>,
    places: &[u32],
    stop: &dyn Fn() -> bool,
) -> Result<(Vec<u32>, CountedRows)> {
    let Unordered { rows: given, frequencies, classes, weights } = documents;
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(classes.len());
    for at in 0..given.rows() {
        if at.is_multiple_of(OFTEN) && stop() {
            return Err(Error::Interrupted);
        }
        let mut row: Vec<(u32, u32)> = given
            .row_with(at, frequencies)
            .filter_map(|(id, frequency)| places.get(id as usize).map(|&place| (place, frequency)))
            .filter(|&(place, _)| place != UNKNOWN)
            .collect();
        row.sort_unstable();
        rows.push(row);
    }
    let weight = |at: u32| weights.get(at as usize).copied().unwrap_or(1.0);
    let mut order: Vec<u32> = (0..rows.len() as u32).filter(|&at| weight(at) > 0.0).collect();
    order.sort_by(|&a, &b| {
        let by_class = classes[a as usize].cmp(&classes[b as usize]);
        by_class.then_with(|| rows[a as usize].cmp(&rows[b as usize])).then(weight(a).total_cmp(&weight(b)))
    });
    let mut found = CountedRows::default();
    for &at in &order {
        if found.starts.len().is_multiple_of(OFTEN) && stop() {
            return Err(Error::Interrupted);
        }
        let row = &rows[at as usize];
        found.columns.extend(row.iter().map(|pair| pair.0));
        found.frequencies.extend(row.iter().map(|pair| pair.1));
        found.end_row();
    }
    Ok((order, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents<'a>(
        starts: &'a [i64],
        ids: &'a [u32],
        frequencies: &'a [u32],
        classes: &'a [u32],
    ) -> Unordered<'a> {
        let rows = Ragged::new(starts, ids, usize::MAX).expect("sound");
        Unordered { rows, frequencies, classes, weights: &[] }
    }

    #[test]
    fn the_order_is_that_of_the_documents() {
        let places = [2, UNKNOWN, 0, 1];
        let given = documents(&[0, 2, 3, 6], &[0, 1, 3, 3, 0, 2], &[1, 9, 2, 1, 1, 1], &[1, 0, 1]);
        let (order, found) = order_rows(given, &places, &|| false).expect("nothing stops it");
        assert_eq!(order, [1, 2, 0]);
        assert_eq!((found.starts, found.columns), (vec![0, 1, 4, 5], vec![1, 0, 1, 2, 2]));
        assert_eq!(found.frequencies, [2, 1, 1, 1, 1]);
        let turned = documents(&[0, 3, 5, 6], &[2, 0, 3, 1, 0, 3], &[1, 1, 1, 9, 1, 2], &[1, 1, 0]);
        let (order, turned) = order_rows(turned, &places, &|| false).expect("nothing stops it");
        assert_eq!((order, turned.columns), (vec![2, 0, 1], vec![1, 0, 1, 2, 2]));
    }

    #[test]
    fn what_weighs_nothing_is_left_out() {
        let given = documents(&[0, 1, 2], &[0, 0], &[1, 1], &[0, 0]);
        let weighed = Unordered { weights: &[0.0, 0.5], ..given };
        let (order, found) = order_rows(weighed, &[0], &|| false).expect("nothing stops it");
        assert_eq!((order, found.columns), (vec![1], vec![0]));
        assert_eq!(order_rows(given, &[0], &|| true), Err(Error::Interrupted));
    }

    #[test]
    fn what_does_not_fit_is_known() {
        let sound = documents(&[0, 1, 2], &[0, 0], &[1, 1], &[0, 0]);
        assert!(sound.is_sound() && Unordered { weights: &[1.0, 2.0], ..sound }.is_sound());
        assert!(!Unordered { weights: &[1.0], ..sound }.is_sound());
        assert!(!Unordered { frequencies: &[1], ..sound }.is_sound());
        assert!(!Unordered { classes: &[0], ..sound }.is_sound());
    }
}
