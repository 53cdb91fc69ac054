//! The columns of a row group go in, all but that of terms; the cells of its rows come out, page by page.

use crate::count::cells::Cell;
use crate::count::fixed_point::Amount;
use crate::store::footer::{ColumnKind, Footer};
use crate::store::labels::Labels;
use crate::store::pages::{Column, Encoding, Page, Unpacking};
use crate::store::refused::{Refused, Result};
use crate::store::values::{each_plain_string, floats, push_places, truths, wholes};
use std::collections::HashMap;
use std::slice::Iter;

/// The columns of a table by what they mean.
pub(super) struct Names {
    pub(super) term: usize,
    class: (usize, ColumnKind),
    count: Exact,
    documents: Exact,
    weight: Option<usize>,
}

/// The columns of exact numbers: whole parts, and fractions in units of 2^-64 if any number has one.
struct Exact {
    whole: usize,
    is_signed: bool,
    fraction: Option<usize>,
}

impl Names {
    pub(super) fn of(footer: &Footer, labels: &Labels, weighed: bool) -> Result<Self> {
        let other = "its columns are not those of a model";
        let mut expected = vec!["term", "class", "count", "documents"];
        expected.extend(weighed.then_some("weight"));
        let found = footer.columns.iter().map(|column| column.0.as_str());
        if !found.filter(|name| !name.ends_with("_fraction")).eq(expected.iter().copied()) {
            return Err(other.into());
        }
        let of_kind = |name: &str, kinds: &[ColumnKind]| match footer.column(name) {
            Some((at, kind)) if kinds.contains(&kind) => Ok(Some((at, kind))),
            Some(_) => Err(Refused::column(name, "is of another type than `likely` writes")),
            None => Ok(None),
        };
        let label = match labels {
            Labels::Text(_) => ColumnKind::Text,
            Labels::Truth(_) => ColumnKind::Truth,
            Labels::Whole(_) => ColumnKind::Signed,
        };
        let exact = |name: &str, fraction: &str| -> Result<Exact> {
            let (whole, kind) = of_kind(name, &[ColumnKind::Signed, ColumnKind::Unsigned])?.ok_or(other)?;
            let fraction = of_kind(fraction, &[ColumnKind::Unsigned])?.map(|(at, _)| at);
            Ok(Exact { whole, is_signed: kind == ColumnKind::Signed, fraction })
        };
        let names = Self {
            term: of_kind("term", &[ColumnKind::Text])?.ok_or(other)?.0,
            class: of_kind("class", &[label])?.ok_or(other)?,
            count: exact("count", "count_fraction")?,
            documents: exact("documents", "documents_fraction")?,
            weight: of_kind("weight", &[ColumnKind::Float])?.map(|(at, _)| at),
        };
        let fractions = [names.count.fraction, names.documents.fraction];
        let known = expected.len() + fractions.iter().flatten().count();
        if known == footer.columns.len() { Ok(names) } else { Err(other.into()) }
    }
}

/// The ranks of the classes by the bytes of their labels, as pages write them.
pub(super) struct Ranks(HashMap<Vec<u8>, u32>);

impl Ranks {
    pub(super) fn of(labels: &Labels) -> Self {
        Self(match labels {
            Labels::Text(labels) => labels.iter().map(|label| label.as_bytes().to_vec()).zip(0..).collect(),
            Labels::Truth(labels) => labels.iter().map(|&label| vec![u8::from(label)]).zip(0..).collect(),
            Labels::Whole(labels) => labels.iter().map(|label| label.to_le_bytes().to_vec()).zip(0..).collect(),
        })
    }

    /// The ranks of the labels of a page of this kind that is written plain.
    fn of_page(&self, content: &[u8], page: &Page, kind: ColumnKind) -> Result<Vec<u32>> {
        let mut found = Vec::with_capacity(page.values);
        let mut take = |label: &[u8]| {
            found.push(*self.0.get(label).ok_or("a row has a class that is not one of its classes")?);
            Ok(())
        };
        match kind {
            ColumnKind::Text => each_plain_string(content, page.values, take)?,
            ColumnKind::Truth => truths(content, page.values).try_for_each(|label| take(&[u8::from(label)]))?,
            _ => content.as_chunks::<8>().0.iter().try_for_each(|label| take(label))?,
        }
        Ok(found)
    }
}

/// The columns of a row group, as far as they are unpacked.
pub(super) struct CellColumns<'a, 'data> {
    unpacking: &'a mut Unpacking<'data>,
    ranks: &'a Ranks,
    kind: ColumnKind,
    /// The ranks of the labels that the column of classes refers to.
    dictionary: Vec<u32>,
    classes: Values<'a, u32>,
    counts: Amounts<'a>,
    documents: Amounts<'a>,
    weights: Option<Values<'a, f32>>,
}

impl<'a, 'data> CellColumns<'a, 'data> {
    pub(super) fn new(
        unpacking: &'a mut Unpacking<'data>,
        columns: &'a [Column],
        names: &Names,
        ranks: &'a Ranks,
    ) -> Result<Self> {
        let classes = &columns[names.class.0];
        let dictionary = match &classes.dictionary {
            Some(page) => ranks.of_page(&unpacking.content(page)?, page, names.class.1)?,
            None => Vec::new(),
        };
        Ok(Self {
            unpacking,
            ranks,
            kind: names.class.1,
            dictionary,
            classes: Values::of(classes),
            counts: Amounts::of(columns, &names.count),
            documents: Amounts::of(columns, &names.documents),
            weights: names.weight.map(|at| Values::of(&columns[at])),
        })
    }

    /// The next rows: the cell of each, and its learned weight, 0 if none are learned. There is at least one.
    pub(super) fn unpack(&mut self) -> Result<impl Iterator<Item = (Cell, f32)> + '_> {
        let (unpacking, ranks, kind) = (&mut *self.unpacking, self.ranks, self.kind);
        self.classes.fill(|page, found| {
            let content = unpacking.content(page)?;
            match page.encoding {
                Encoding::Places => push_places(&content, page.values, &self.dictionary, found)?,
                _ => found.extend(ranks.of_page(&content, page, kind)?),
            }
            Ok(())
        })?;
        self.counts.fill(unpacking)?;
        self.documents.fill(unpacking)?;
        if let Some(weights) = &mut self.weights {
            weights.fill(|page, found| {
                found.extend(floats(&unpacking.content(page)?));
                Ok(())
            })?;
        }
        let of_weights = self.weights.as_ref().map_or(usize::MAX, Values::left);
        let rows = [self.classes.left(), self.counts.left(), self.documents.left(), of_weights];
        let rows = rows.into_iter().min().unwrap_or(0);
        let (counts, documents) = (self.counts.take(rows), self.documents.take(rows));
        let cells = self.classes.take(rows).iter().zip(counts).zip(documents);
        let weights = self.weights.as_mut().map_or(&[][..], |weights| weights.take(rows));
        Ok(cells.enumerate().map(|(at, ((&class, count), documents))| {
            (Cell { class, count, documents }, weights.get(at).copied().unwrap_or(0.0))
        }))
    }
}

/// The exact numbers of a column.
struct Amounts<'a> {
    wholes: Values<'a, u64>,
    is_signed: bool,
    fractions: Option<Values<'a, u64>>,
}

impl<'a> Amounts<'a> {
    fn of(columns: &'a [Column], of: &Exact) -> Self {
        let fractions = of.fraction.map(|at| Values::of(&columns[at]));
        Self { wholes: Values::of(&columns[of.whole]), is_signed: of.is_signed, fractions }
    }

    fn fill(&mut self, unpacking: &mut Unpacking<'_>) -> Result<()> {
        let is_signed = self.is_signed;
        self.wholes.fill(|page, found| {
            found.extend(wholes(&unpacking.content(page)?));
            if is_signed && found.iter().any(|&whole| whole > i64::MAX as u64) {
                return Err("a count is negative".into());
            }
            Ok(())
        })?;
        self.fractions.as_mut().map_or(Ok(()), |fractions| {
            fractions.fill(|page, found| {
                found.extend(wholes(&unpacking.content(page)?));
                Ok(())
            })
        })
    }

    fn left(&self) -> usize {
        self.wholes.left().min(self.fractions.as_ref().map_or(usize::MAX, Values::left))
    }

    fn take(&mut self, count: usize) -> impl Iterator<Item = Amount> + '_ {
        let fractions = self.fractions.as_mut().map_or(&[][..], |fractions| fractions.take(count));
        let wholes = self.wholes.take(count).iter().enumerate();
        wholes.map(|(at, &whole)| Amount::new(whole, fractions.get(at).copied().unwrap_or(0)))
    }
}

/// The values of a column, of which one page at a time is unpacked.
struct Values<'a, T> {
    pages: Iter<'a, Page>,
    unpacked: Vec<T>,
    /// The number of unpacked values that were taken.
    taken: usize,
}

impl<'a, T> Values<'a, T> {
    fn of(column: &'a Column) -> Self {
        Self { pages: column.pages.iter(), unpacked: Vec::new(), taken: 0 }
    }

    /// Unpacks the next page if nothing is left of the one before.
    fn fill(&mut self, mut unpack: impl FnMut(&Page, &mut Vec<T>) -> Result<()>) -> Result<()> {
        while self.left() == 0 {
            let page = self.pages.next().ok_or("a page of it is damaged")?;
            self.unpacked.clear();
            self.taken = 0;
            unpack(page, &mut self.unpacked)?;
        }
        Ok(())
    }

    /// The number of unpacked values that were not taken yet.
    fn left(&self) -> usize {
        self.unpacked.len() - self.taken
    }

    /// The next values, which are unpacked.
    fn take(&mut self, count: usize) -> &[T] {
        let start = self.taken;
        self.taken += count;
        &self.unpacked[start..self.taken]
    }
}
