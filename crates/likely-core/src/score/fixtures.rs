//! What the tests of this room have in common.

use crate::analyze::analyzer::Analyzer;
use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::score::session::Session;
use crate::score::weights::{ClassWeight, Weights};

/// The numbers of every class.
pub(super) const CLASS: ClassWeight = ClassWeight { bias: -1.5, base: -2.25, factor: 1.0 };

/// The counts of texts, given the class of each by its place.
pub(super) fn counted<T: AsRef<[u8]>>(analyzer: &Analyzer, texts: &[T], class: impl Fn(usize) -> u32) -> Counts {
    Counts::of_texts(analyzer, texts.iter().zip((0..texts.len()).map(class)))
}

/// Sets the numbers of all classes, and those of all terms by what is counted of them.
pub(super) fn weigh(
    weights: &mut Weights,
    counts: &Counts,
    scales: &[f64],
    rests: &[f64],
    delta: impl Fn(Cell) -> f64,
) {
    weights.set_classes(vec![CLASS; weights.classes.len()]);
    let ids: Vec<u32> = counts.ids().collect();
    let deltas: Vec<f64> = counts.rows(&ids).map(delta).collect();
    weights.set_rows(counts, &ids, scales, rests, &deltas);
}

/// The scores of texts, row after row.
pub(super) fn scores<T: AsRef<[u8]>>(
    session: &mut Session,
    analyzer: &Analyzer,
    counts: &Counts,
    columns: &[u32],
    texts: &[T],
    threads: usize,
) -> Vec<f64> {
    let texts: Vec<&[u8]> = texts.iter().map(AsRef::as_ref).collect();
    let mut scores = vec![f64::NAN; texts.len() * columns.len()];
    session.score(analyzer, counts, columns, &texts, &mut scores, threads, &|| false).expect("nothing stops it");
    scores
}
