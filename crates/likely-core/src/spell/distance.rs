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
