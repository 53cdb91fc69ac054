//! How many errors apart two words are: the optimal string alignment distance.

/// The distance of two words if it is at most `most`.
pub(super) fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - same], &b[..b.len() - same]);
    (a.len().abs_diff(b.len())..=most).find(|&most| is_within(a, b, most))
}

/// Tries each kind of error at the first difference. Only a few errors can follow each other, so this takes few steps.
fn is_within(a: &[char], b: &[char], most: usize) -> bool {
    let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) else {
        return a.len().max(b.len()) <= most;
    };
    let swapped = || match (a_rest, b_rest) {
        ([x2, a @ ..], [y2, b @ ..]) if x == y2 && y == x2 => is_within(a, b, most - 1),
        _ => false,
    };
    most > 0
        && (swapped()
            || is_within(a_rest, b_rest, most - 1)
            || is_within(a_rest, b, most - 1)
            || is_within(a, b_rest, most - 1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The whole table, by the book.
    pub(crate) fn reference(a: &[char], b: &[char]) -> usize {
        let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                table[i][j] = if i == 0 || j == 0 {
                    i + j
                } else {
                    let changed = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    let swapped = if swapped { table[i - 2][j - 2] + 1 } else { usize::MAX };
                    changed.min(swapped).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
                };
            }
        }
        table[a.len()][b.len()]
    }

    proptest! {
        #[test]
        fn distance_is_that_of_the_whole_table(a in "[ab]{0,9}", b in "[abc]{0,9}", most in 0usize..4) {
            let (a, b) = (a.chars().collect::<Vec<_>>(), b.chars().collect::<Vec<_>>());
            let expected = reference(&a, &b);
            prop_assert_eq!(distance(&a, &b, most), (expected <= most).then_some(expected));
        }
    }
}
