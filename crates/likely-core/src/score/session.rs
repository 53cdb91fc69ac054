//! Texts go in, scores come out, on several threads; what is remembered from one call to the next belongs to a session.
//!
//! A session has one owner, who scores one batch after the other with the same weights. It holds no lock: its threads
//! live as long as a call, read what it remembers, and hand what they learned to it when they have ended.

use crate::analyze::analyzer::Analyzer;
use crate::count::counts::Counts;
use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use crate::score::compiled::{Compiled, Effort};
use crate::score::scorer::{Call, DOUBT, KNOWN, Scorer, TERMS, Way};
use crate::score::weights::Weights;
use crate::score::word_rows::WordRows;
use std::sync::Arc;

/// With this many bytes of text, a session makes the tables that pay for much text.
const MUCH_TEXT: usize = 16 << 20;
/// If scores may be rough, which needs them, it makes them earlier: whoever allows that has large files.
const MUCH_ROUGH_TEXT: usize = 4 << 20;
/// If scores may be rough, few texts need exact ones: one byte in this many is for the words of those.
const EXACT: usize = 8;

/// The weights of a model, and what is remembered while they score.
pub struct Session {
    pub(super) compiled: Compiled,
    effort: Effort,
    /// The bytes of text until now.
    text: usize,
    words: WordRows<f64>,
    rough: WordRows<i16>,
    scorers: Vec<Scorer>,
    /// The memory for the numbers of words, in bytes: the words of all threads together may use that of the session, and
    /// each thread a tenth of it during a call.
    memory: usize,
    may_be_rough: bool,
}

impl Session {
    /// A session that uses at most about this many bytes for the words that it remembers.
    pub fn new(weights: Arc<Weights>, memory: usize) -> Self {
        Self {
            compiled: Compiled::once(weights),
            effort: Effort::Once,
            text: 0,
            words: WordRows::default(),
            rough: WordRows::default(),
            scorers: Vec::new(),
            memory,
            may_be_rough: false,
        }
    }

    /// Makes the tables that pay for much text.
    pub fn compile(&mut self, analyzer: &Analyzer, counts: &Counts) {
        self.effort = Effort::Much;
        self.compiled = Arc::clone(&self.compiled.weights).compile(analyzer, counts, self.effort);
    }

    /// Must be called before so many bytes of text are scored for these columns, in one or several calls: if they, and
    /// those before, are much text, the tables for it are made now.
    pub fn expect(&mut self, analyzer: &Analyzer, counts: &Counts, columns: &[u32], bytes: usize) {
        self.text = self.text.saturating_add(bytes);
        let by_word = self.compiled.weights.adds_by_word(analyzer);
        if columns.contains(&DOUBT) && by_word && !self.may_be_rough {
            (self.may_be_rough, self.words) = (true, WordRows::default());
        }
        let much = if self.may_be_rough { MUCH_ROUGH_TEXT } else { MUCH_TEXT };
        if self.effort == Effort::Once && self.text >= much {
            self.compile(analyzer, counts);
        }
    }

    /// Scores texts for the classes `columns` and writes one row of `columns.len()` numbers per text into `scores`. A
    /// class that the weights do not know has the score minus infinity. The analyzer and the counts are those of the
    /// weights; the counts may have learned since.
    pub fn score(
        &mut self,
        analyzer: &Analyzer,
        counts: &Counts,
        columns: &[u32],
        texts: &[&[u8]],
        scores: &mut [f64],
        threads: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        check_lengths(texts.iter().map(|text| text.len()), analyzer.longest_text())?;
        let width = columns.len();
        if width == 0 {
            return Ok(());
        }
        let bytes = texts.iter().map(|text| text.len()).sum();
        let remembering;
        let mut analyzer = analyzer;
        if self.compiled.weights.reading.is_some() {
            remembering = analyzer.remembering();
            analyzer = &remembering;
        }
        let mut scorers = std::mem::take(&mut self.scorers);
        scorers.resize_with(scorers.len().max(parallel::threads_for(bytes, threads)), Scorer::default);
        let call = self.call(analyzer, counts, columns);
        let (way, memory) = (call.way, call.memory);
        let mut rest = scores;
        let blocks = parallel::blocks(texts.iter().map(|text| text.len())).into_iter().map(move |block| {
            let (rows, after) = std::mem::take(&mut rest).split_at_mut(block.len() * width);
            rest = after;
            (block, rows)
        });
        let working = &mut scorers[..parallel::threads_for(bytes, threads)];
        let done = parallel::share(working, blocks, stop, |scorer, (block, rows), pulse| {
            texts[block]
                .iter()
                .zip(rows.chunks_mut(width))
                .all(|(text, row)| scorer.score(&call, text, row, pulse))
        });
        for scorer in &mut scorers {
            match way {
                Way::Rough => self.rough.absorb(&mut scorer.rough.words, memory),
                Way::Words => self.words.absorb(&mut scorer.words.words, memory),
                _ => {}
            }
        }
        self.scorers = scorers;
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    fn call<'a>(&'a self, analyzer: &'a Analyzer, counts: &'a Counts, columns: &'a [u32]) -> Call<'a> {
        let Self { compiled, words, rough, .. } = self;
        let (weights, compact) = (&*compiled.weights, compiled.compact());
        let way = if compact.is_some() && columns.contains(&DOUBT) {
            Way::Rough
        } else if weights.adds_by_word(analyzer) {
            Way::Words
        } else if weights.is_linear() {
            Way::Terms
        } else {
            Way::Frequencies
        };
        let exact = if self.may_be_rough { self.memory / EXACT } else { self.memory };
        let memory = if way == Way::Rough { self.memory - exact } else { exact };
        let shares = columns.contains(&KNOWN) || columns.contains(&TERMS);
        let (vocabulary, lexicon, deltas) = compiled.lexicon(counts);
        Call {
            analyzer,
            vocabulary,
            weights,
            lexicon,
            deltas,
            columns,
            shares,
            way,
            compact,
            words,
            rough,
            memory,
        }
    }
}
