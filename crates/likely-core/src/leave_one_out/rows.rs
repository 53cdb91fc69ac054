//! Texts go in; the known terms of each come out, by id, with the frequency of each.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::frequencies::Frequencies;
use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use crate::vocabulary::term_ids::Vocabulary;

/// The terms of some texts, in order of appearance. Those of text `r` are `starts[r]..starts[r + 1]`.
#[derive(Debug, Default)]
pub struct Rows {
    /// Where the terms of each text start; the last number is the end.
    pub starts: Vec<i64>,
    /// The ids of the terms.
    pub ids: Vec<u32>,
    /// How often each term occurs in its text.
    pub frequencies: Vec<u32>,
}

impl Rows {
    fn begin() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    fn push(&mut self, terms: &Frequencies) {
        self.ids.extend_from_slice(terms.terms());
        self.frequencies.extend_from_slice(terms.of());
        self.starts.push(self.ids.len() as i64);
    }

    fn append(&mut self, mut other: Self) {
        let before = self.ids.len() as i64;
        self.starts.extend(other.starts[1..].iter().map(|start| start + before));
        self.ids.append(&mut other.ids);
        self.frequencies.append(&mut other.frequencies);
    }
}

/// The rows of some texts. `stop` is asked from time to time whether to give up.
pub fn rows_of(
    analyzer: &Analyzer,
    vocabulary: &Vocabulary,
    texts: &[&[u8]],
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Rows> {
    check_lengths(texts.iter().map(|text| text.len()), analyzer.longest_text())?;
    let bytes = texts.iter().map(|text| text.len()).sum();
    let mut workers = parallel::workers(bytes, threads, <(Scratch, Frequencies)>::default);
    let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
    let mut parts: Vec<Rows> = blocks.iter().map(|_| Rows::begin()).collect();
    let work = blocks.into_iter().zip(&mut parts);
    let done = parallel::share(&mut workers, work, stop, |(scratch, frequencies), (block, rows), pulse| {
        texts[block].iter().all(|text| {
            frequencies.begin();
            let done = analyzer.terms(text, &mut { vocabulary }, scratch, |ids, _| {
                frequencies.add(ids);
                pulse.beat()
            });
            rows.push(frequencies);
            done
        })
    });
    if !done {
        return Err(Error::Interrupted);
    }
    let mut rows = Rows::begin();
    parts.into_iter().for_each(|part| rows.append(part));
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;

    #[test]
    fn rows_are_those_of_the_texts_whatever_the_threads() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let mut vocabulary = Vocabulary::default();
        let [a, b] = ["a", "b"].map(|term| analyzer.intern(&mut vocabulary, term));
        let texts = ["b a b x", "", "a"].repeat(40_000);
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        for threads in [1, 3] {
            let rows = rows_of(&analyzer, &vocabulary, &texts, threads, &|| false).expect("nothing stops it");
            assert_eq!(rows.starts[..4], [0, 2, 2, 3]);
            assert_eq!(rows.starts.len(), texts.len() + 1);
            assert_eq!((&rows.ids[..3], &rows.frequencies[..3]), (&[b, a, a][..], &[2, 1, 1][..]));
            assert_eq!(rows.ids.len(), 3 * 40_000);
        }
    }
}
