//! The columns of a row group go in, all but that of terms; the cells of its rows come out.

use crate::count::cells::Cell;
use crate::count::fixed_point::Amount;
use crate::store::footer::{ColumnKind, Footer};
use crate::store::labels::Labels;
use crate::store::pages::{Column, Encoding, Page, Unpacking};
use crate::store::refused::{Refused, Result};
use crate::store::values::{each_plain_string, push_places, truths};
use std::collections::HashMap;

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

    /// Appends the ranks of the labels of a page of this kind that is written plain.
    fn push_page(&self, page: &Page, content: &[u8], kind: ColumnKind, found: &mut Vec<u32>) -> Result<()> {
        let mut take = |label: &[u8]| {
            found.push(*self.0.get(label).ok_or("a row has a class that is not one of its classes")?);
            Ok(())
        };
        match kind {
            ColumnKind::Text => each_plain_string(content, page.values, take),
            ColumnKind::Truth => truths(content, page.values).try_for_each(|label| take(&[u8::from(label)])),
            _ => content.as_chunks::<8>().0.iter().try_for_each(|label| take(label)),
        }
    }
}

/// The cell of each row of a row group, and its learned weight, 0 if none are learned.
pub(super) fn cells_of(
    unpacking: &mut Unpacking<'_>,
    columns: &[Column],
    names: &Names,
    ranks: &Ranks,
) -> Result<impl Iterator<Item = (Cell, f32)> + use<>> {
    let (classes, kind) = (&columns[names.class.0], names.class.1);
    let mut dictionary = Vec::new();
    if let Some(page) = &classes.dictionary {
        ranks.push_page(page, &unpacking.content(page)?, kind, &mut dictionary)?;
    }
    let classes = values_of(unpacking, classes, |page, content, found| match page.encoding {
        Encoding::Places => push_places(content, page.values, &dictionary, found),
        _ => ranks.push_page(page, content, kind, found),
    })?;
    let counts = amounts_of(unpacking, columns, &names.count)?;
    let documents = amounts_of(unpacking, columns, &names.documents)?;
    let weights = match names.weight {
        Some(at) => numbers_of(unpacking, &columns[at], f32::from_le_bytes)?,
        None => Vec::new(),
    };
    // Every column has as many values as there are rows, which was checked before.
    let cells = classes.into_iter().zip(counts).zip(documents).enumerate();
    Ok(cells.map(move |(at, ((class, count), documents))| {
        (Cell { class, count, documents }, weights.get(at).copied().unwrap_or(0.0))
    }))
}

/// The exact numbers of a column.
fn amounts_of(
    unpacking: &mut Unpacking<'_>,
    columns: &[Column],
    of: &Exact,
) -> Result<impl Iterator<Item = Amount> + use<>> {
    let wholes = numbers_of(unpacking, &columns[of.whole], u64::from_le_bytes)?;
    if of.is_signed && wholes.iter().any(|&whole| whole > i64::MAX as u64) {
        return Err("a count is negative".into());
    }
    let fractions = match of.fraction {
        Some(at) => numbers_of(unpacking, &columns[at], u64::from_le_bytes)?,
        None => Vec::new(),
    };
    let wholes = wholes.into_iter().enumerate();
    Ok(wholes.map(move |(at, whole)| Amount::new(whole, fractions.get(at).copied().unwrap_or(0))))
}

/// The numbers of `N` bytes of a column.
fn numbers_of<T, const N: usize>(
    unpacking: &mut Unpacking<'_>,
    column: &Column,
    number: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>> {
    values_of(unpacking, column, |_, content, found| {
        found.extend(content.as_chunks().0.iter().map(|&bytes| number(bytes)));
        Ok(())
    })
}

/// The values of a column, page by page.
fn values_of<T>(
    unpacking: &mut Unpacking<'_>,
    column: &Column,
    mut push: impl FnMut(&Page, &[u8], &mut Vec<T>) -> Result<()>,
) -> Result<Vec<T>> {
    let mut found = Vec::with_capacity(column.rows());
    for page in &column.pages {
        push(page, &unpacking.content(page)?, &mut found)?;
    }
    Ok(found)
}
