//! Texts go in; the known terms of each come out, by id, with the frequency of each.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::frequencies::Frequencies;
use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use crate::ragged::CountedRows;
use crate::vocabulary::term_ids::Vocabulary;

/// The terms of some texts as columns, in order of appearance. `stop` is asked from time to time whether to give up.
pub fn rows_of(
    analyzer: &Analyzer,
    vocabulary: &Vocabulary,
    texts: &[&[u8]],
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<CountedRows> {
    check_lengths(texts.iter().map(|text| text.len()), analyzer.longest_text())?;
    let bytes = texts.iter().map(|text| text.len()).sum();
    let mut workers = parallel::workers(bytes, threads, <(Scratch, Frequencies)>::default);
    let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
    let mut parts: Vec<CountedRows> = blocks.iter().map(|_| CountedRows::default()).collect();
    let work = blocks.into_iter().zip(&mut parts);
    let done = parallel::share(&mut workers, work, stop, |(scratch, frequencies), (block, rows), pulse| {
        texts[block].iter().all(|text| {
            frequencies.begin();
            let done = analyzer.terms(text, &mut { vocabulary }, scratch, |ids, _| {
                frequencies.add(ids);
                pulse.beat()
            });
            rows.columns.extend_from_slice(frequencies.terms());
            rows.frequencies.extend_from_slice(frequencies.of());
            rows.end_row();
            done
        })
    });
    if !done {
        return Err(Error::Interrupted);
    }
    let mut rows = CountedRows::default();
    for part in parts {
        let before = rows.columns.len() as i64;
        rows.starts.extend(part.starts[1..].iter().map(|start| start + before));
        rows.columns.extend(part.columns);
        rows.frequencies.extend(part.frequencies);
    }
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
            assert_eq!((&rows.columns[..3], &rows.frequencies[..3]), (&[b, a, a][..], &[2, 1, 1][..]));
            assert_eq!(rows.columns.len(), 3 * 40_000);
        }
    }
}
