//! Rows of terms go in; the same rows come out in an order that depends on nothing but the documents.

use crate::error::{Error, Result};

/// After how many documents `stop` is asked.
const OFTEN: usize = 1 << 12;

/// Documents sorted by class, then by their columns, by the frequency of each, and by their weights.
#[derive(Debug, Default, PartialEq)]
pub struct OrderedRows {
    /// The index of each document among the given ones.
    pub order: Vec<u32>,
    /// Where each document starts; the last number is the end.
    pub starts: Vec<i64>,
    /// The columns of each document, sorted.
    pub columns: Vec<u32>,
    /// The frequency of each.
    pub frequencies: Vec<u32>,
}

/// Brings documents in order. The terms of document `r` are `starts[r]..starts[r + 1]` of `ids`, each once; `places` is
/// the column of a term by id, `u32::MAX` for one that is to be left out. Documents of weight 0 are left out too;
/// no weights are 1 each. `stop` is asked every now and then whether to give up.
pub fn order_rows(
    starts: &[i64],
    ids: &[u32],
    frequencies: &[u32],
    places: &[u32],
    own: &[u32],
    weights: &[f64],
    stop: &dyn Fn() -> bool,
) -> Result<OrderedRows> {
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::with_capacity(own.len());
    for (at, bounds) in starts.windows(2).enumerate() {
        if at.is_multiple_of(OFTEN) && stop() {
            return Err(Error::Interrupted);
        }
        let range = bounds[0] as usize..bounds[1] as usize;
        let terms = ids[range.clone()].iter().zip(&frequencies[range]);
        let mut row: Vec<(u32, u32)> = terms
            .filter_map(|(&id, &frequency)| places.get(id as usize).map(|&place| (place, frequency)))
            .filter(|&(place, _)| place != u32::MAX)
            .collect();
        row.sort_unstable();
        rows.push(row);
    }
    let weight = |at: u32| weights.get(at as usize).copied().unwrap_or(1.0);
    let mut order: Vec<u32> = (0..rows.len() as u32).filter(|&at| weight(at) > 0.0).collect();
    order.sort_by(|&a, &b| {
        let by_class = own[a as usize].cmp(&own[b as usize]);
        by_class.then_with(|| rows[a as usize].cmp(&rows[b as usize])).then(weight(a).total_cmp(&weight(b)))
    });
    let mut found = OrderedRows { order, starts: vec![0], ..OrderedRows::default() };
    for &at in &found.order {
        if found.starts.len().is_multiple_of(OFTEN) && stop() {
            return Err(Error::Interrupted);
        }
        let row = &rows[at as usize];
        found.columns.extend(row.iter().map(|pair| pair.0));
        found.frequencies.extend(row.iter().map(|pair| pair.1));
        found.starts.push(found.columns.len() as i64);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_documents() {
        let places = [2, u32::MAX, 0, 1];
        let found =
            order_rows(&[0, 2, 3, 6], &[0, 1, 3, 3, 0, 2], &[1, 9, 2, 1, 1, 1], &places, &[1, 0, 1], &[], &|| {
                false
            })
            .expect("nothing stops it");
        assert_eq!(found.order, [1, 2, 0]);
        assert_eq!((found.starts, found.columns), (vec![0, 1, 4, 5], vec![1, 0, 1, 2, 2]));
        assert_eq!(found.frequencies, [2, 1, 1, 1, 1]);
        let turned =
            order_rows(&[0, 3, 5, 6], &[2, 0, 3, 1, 0, 3], &[1, 1, 1, 9, 1, 2], &places, &[1, 1, 0], &[], &|| {
                false
            })
            .expect("nothing stops it");
        assert_eq!((turned.order, turned.columns), (vec![2, 0, 1], vec![1, 0, 1, 2, 2]));
    }

    #[test]
    fn what_weighs_nothing_is_left_out() {
        let found = order_rows(&[0, 1, 2], &[0, 0], &[1, 1], &[0], &[0, 0], &[0.0, 0.5], &|| false)
            .expect("nothing stops it");
        assert_eq!((found.order, found.columns), (vec![1], vec![0]));
        assert_eq!(order_rows(&[0, 0], &[], &[], &[], &[0], &[], &|| true), Err(Error::Interrupted));
    }
}
