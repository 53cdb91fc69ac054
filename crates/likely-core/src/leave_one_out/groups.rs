//! Terms go in; groups of terms with the same counts come out. Most rare terms share their counts with many others, so
//! what is computed for one of them holds for the whole group.

use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::ragged::Ragged;
use crate::vocabulary::phrase_table::PhraseTable;
use crate::vocabulary::table::{Table, mix, seeds};
use crate::vocabulary::term_ids::UNKNOWN;
use std::cmp::Ordering;

/// Terms grouped by their counts.
#[derive(Debug, Default)]
pub struct Groups {
    /// The group of each term, by id; [`UNKNOWN`] for terms that were not given.
    pub of: Vec<u32>,
    /// One term of each group.
    pub ids: Vec<u32>,
}

/// The groups of some terms. The terms of a group have the same counts in all classes, and the same mark. Groups are
/// sorted by both, so that they do not depend on the order of the terms.
pub fn group_terms(counts: &Counts, ids: &[u32], marks: &[u32]) -> Groups {
    let mut of = vec![UNKNOWN; counts.vocabulary().len()];
    let mut table: Table<u64> = Table::new();
    let mut first: Vec<(u32, u32)> = Vec::new();
    for (at, (&id, &mark)) in ids.iter().zip(marks).enumerate() {
        counts.cells.prefetch_ahead(ids, at);
        let hash = hash_of(counts, id, mark);
        let same = |group: u32| {
            let (other_mark, other) = first[group as usize];
            other_mark == mark && counts.row(other).eq(counts.row(id))
        };
        let mut group = table.find_same(hash, hash, same);
        if group == UNKNOWN {
            group = first.len() as u32;
            first.push((mark, id));
            table.insert(hash, hash, group, |key| key);
        }
        if let Some(slot) = of.get_mut(id as usize) {
            *slot = group;
        }
    }
    let mut order: Vec<u32> = (0..first.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| compare(counts, first[a as usize], first[b as usize]));
    let mut places = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&group, place)| places[group as usize] = place);
    of.iter_mut().filter(|group| **group != UNKNOWN).for_each(|group| *group = places[*group as usize]);
    Groups { of, ids: order.iter().map(|&group| first[group as usize].1).collect() }
}

fn hash_of(counts: &Counts, id: u32, mark: u32) -> u64 {
    let [a, b] = seeds();
    counts.row(id).fold(mix(u64::from(mark) ^ a, b), |hash, cell| {
        let amounts = [cell.count, cell.documents].into_iter().flat_map(|each| [each.whole(), each.fraction()]);
        amounts.fold(mix(hash ^ u64::from(cell.class), b), |hash, part| mix(hash ^ part, b))
    })
}

fn compare(counts: &Counts, a: (u32, u32), b: (u32, u32)) -> Ordering {
    let key = |cell: Cell| (cell.class, cell.count, cell.documents);
    a.0.cmp(&b.0).then_with(|| counts.row(a.1).map(key).cmp(counts.row(b.1).map(key)))
}

/// The terms of documents by group and frequency: the terms of a case are in one group and occur equally often in
/// their documents.
#[derive(Debug, Default)]
pub struct Cases {
    /// Where the terms of each document start; the last number is the end.
    pub starts: Vec<i64>,
    /// The case of each term.
    pub of: Vec<u32>,
    /// The group of each case.
    pub groups: Vec<u32>,
    /// How often a term of each case occurs in its document.
    pub frequencies: Vec<u32>,
}

/// Cases with a frequency below this one are found without hashing.
const FEW: usize = 8;

/// The cases of the terms of documents, given by id with their frequencies. Terms that are in no group are left out.
pub fn cases_of(groups: &[u32], rows: Ragged<'_>, frequencies: &[u32]) -> Cases {
    let count = groups.iter().filter(|&&group| group != UNKNOWN).max().map_or(0, |&group| group as usize + 1);
    // A few terms are found sooner than a table for all groups is made.
    let mut few = vec![[UNKNOWN; FEW]; if rows.entries() < count { 0 } else { count }];
    let mut many = PhraseTable::with_room(0);
    let mut cases = Cases { starts: vec![0], of: Vec::with_capacity(rows.entries()), ..Cases::default() };
    for row in 0..rows.rows() {
        for (id, frequency) in rows.row_with(row, frequencies) {
            let group = groups.get(id as usize).copied().unwrap_or(UNKNOWN);
            if group == UNKNOWN {
                continue;
            }
            let (key, fresh) = ([group, frequency], cases.groups.len() as u32);
            let slot = few.get_mut(group as usize).and_then(|few| few.get_mut(frequency as usize));
            let case = slot.as_ref().map_or_else(|| many.find(key), |slot| **slot);
            if case == UNKNOWN {
                cases.groups.push(group);
                cases.frequencies.push(frequency);
                match slot {
                    Some(slot) => *slot = fresh,
                    None => many.insert(key, fresh),
                }
            }
            cases.of.push(case.min(fresh));
        }
        cases.starts.push(cases.of.len() as i64);
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyzer::Analyzer;
    use crate::analyze::settings::Unit;

    #[test]
    fn terms_with_the_same_counts_and_mark_are_alike() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = Counts::of_texts(&analyzer, [("a b c c", 0), ("a b d", 1)]);
        let ids: Vec<u32> = ["a", "b", "c", "d"].map(|term| analyzer.find(counts.vocabulary(), term)).to_vec();
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| ids[at] as usize);
        let groups = group_terms(&counts, &ids, &[0, 0, 0, 0]);
        assert_eq!(groups.of[a], groups.of[b]);
        assert_eq!(groups.ids.len(), 3);
        assert!(groups.of[a] != groups.of[c] && groups.of[c] != groups.of[d]);
        let marked = group_terms(&counts, &ids, &[0, 1, 0, 0]);
        assert_eq!(marked.ids.len(), 4);
        assert_eq!(group_terms(&counts, &ids[2..], &[0, 0]).of[a], UNKNOWN);
    }

    #[test]
    fn groups_do_not_depend_on_the_order_of_terms() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let [one, other] = [[("a b b c", 0), ("c d", 1)], [("c b a b", 0), ("d c", 1)]]
            .map(|texts| Counts::of_texts(&analyzer, texts))
            .map(|counts| {
                let ids: Vec<u32> = counts.ids().collect();
                let groups = group_terms(&counts, &ids, &vec![0; ids.len()]);
                groups.ids.iter().map(|&id| counts.row(id).collect::<Vec<Cell>>()).collect::<Vec<_>>()
            });
        assert_eq!(one, other);
    }

    #[test]
    fn terms_of_a_kind_that_occur_equally_often_are_one_case() {
        for many in [vec![], vec![9]] {
            let rows = Ragged::new(&[0, 3, 3, 6], &[0, 2, 1, 3, 2, 0], usize::MAX).expect("sound");
            let groups: Vec<u32> = [0, 1, 0, UNKNOWN].into_iter().chain(many).collect();
            let cases = cases_of(&groups, rows, &[1, 1, 1, 1, 2, 90]);
            assert_eq!(cases.starts, [0, 3, 3, 5]);
            assert_eq!(cases.of, [0, 0, 1, 2, 3]);
            assert_eq!((&cases.groups[..], &cases.frequencies[..]), (&[0, 1, 0, 0][..], &[1, 1, 2, 90][..]));
        }
    }
}
