//! The terms of one document go in; how often each of them occurs comes out.

use crate::vocabulary::term_ids::UNKNOWN;

/// The known terms of a document and their frequencies. Its memory is reused from document to document.
#[derive(Default)]
pub(crate) struct Frequencies {
    /// The frequency of each term, by id; all are zero between documents.
    of: Vec<u32>,
    /// The terms that occur, in order of appearance.
    terms: Vec<u32>,
}

impl Frequencies {
    /// Adds some terms of the document, all of which have an id below `size` or are [`UNKNOWN`].
    #[inline]
    pub(crate) fn add(&mut self, ids: &[u32], size: usize) {
        if self.of.len() < size {
            self.of.resize(size, 0);
        }
        for &id in ids.iter().filter(|&&id| id != UNKNOWN) {
            let frequency = &mut self.of[id as usize];
            if *frequency == 0 {
                self.terms.push(id);
            }
            *frequency += 1;
        }
    }

    /// The terms of the document with their frequencies, in order of appearance.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.terms.iter().map(|&id| (id, self.of[id as usize]))
    }

    /// Like [`Frequencies::iter`]; afterwards the memory is ready for the next document.
    pub(crate) fn drain(&mut self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let Self { of, terms } = self;
        terms.drain(..).map(|id| (id, std::mem::take(&mut of[id as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_counted_in_each_document_anew() {
        let mut frequencies = Frequencies::default();
        frequencies.add(&[7, UNKNOWN, 2], 8);
        frequencies.add(&[7, 9], 10);
        assert_eq!(frequencies.iter().collect::<Vec<_>>(), [(7, 2), (2, 1), (9, 1)]);
        assert_eq!(frequencies.drain().collect::<Vec<_>>(), [(7, 2), (2, 1), (9, 1)]);
        frequencies.add(&[9], 10);
        assert_eq!(frequencies.drain().collect::<Vec<_>>(), [(9, 1)]);
    }
}
