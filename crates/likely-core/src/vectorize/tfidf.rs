//! Rows of counts go in, rows of weights come out.

use crate::error::{Error, Result};
use crate::parallel;

/// The length to which each row is brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// The sum of the absolute entries is 1.
    Sum,
    /// The sum of the squared entries is 1.
    Length,
}

/// What is done to the rows of a matrix.
#[derive(Clone, Copy)]
pub struct Weighting<'a> {
    /// Whether a count becomes 1 plus its logarithm.
    pub sublinear: bool,
    /// The factor of each column.
    pub factors: Option<&'a [f64]>,
    /// The length to which each row is brought; rows of zeros stay as they are.
    pub norm: Option<Norm>,
}

/// How many entries a thread weighs at a time.
const BLOCK: usize = 1 << 16;

impl Weighting<'_> {
    /// Weighs the entries of a matrix whose rows start at `starts`. If there are factors, every column must have one.
    pub fn weigh<I: Copy + Into<i64> + Sync>(
        self,
        starts: &[I],
        columns: &[I],
        values: &mut [f64],
        threads: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        let threads = if values.len() > BLOCK { threads.max(1) } else { 1 };
        let mut rows = starts.windows(2).map(|bounds| (bounds[1].into() - bounds[0].into()) as usize);
        let (mut columns, mut values) = (columns, values);
        let blocks = std::iter::from_fn(move || {
            let (mut lengths, mut total) = (Vec::new(), 0);
            while total < BLOCK {
                let Some(length) = rows.next() else { break };
                lengths.push(length);
                total += length;
            }
            let (columns, values) = (columns.split_off(..total)?, values.split_off_mut(..total)?);
            (!lengths.is_empty()).then_some((lengths, columns, values))
        });
        let done = parallel::share(&mut vec![(); threads], blocks, stop, |(), (lengths, columns, values), _| {
            let (mut columns, mut values) = (columns, values);
            for length in lengths {
                if let (Some(columns), Some(values)) =
                    (columns.split_off(..length), values.split_off_mut(..length))
                {
                    self.weigh_row(columns, values);
                }
            }
            true
        });
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    fn weigh_row<I: Copy + Into<i64>>(self, columns: &[I], values: &mut [f64]) {
        if self.sublinear {
            values.iter_mut().for_each(|value| *value = value.ln() + 1.0);
        }
        if let Some(factors) = self.factors {
            values.iter_mut().zip(columns).for_each(|(value, &column)| *value *= factors[column.into() as usize]);
        }
        let length = match self.norm {
            None => return,
            Some(Norm::Sum) => values.iter().map(|value| value.abs()).sum(),
            Some(Norm::Length) => values.iter().map(|value| value * value).sum::<f64>().sqrt(),
        };
        if length != 0.0 {
            values.iter_mut().for_each(|value| *value /= length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(weighting: Weighting<'_>) -> Vec<f64> {
        let (mut values, mut same) = (vec![3.0, 4.0, 0.0, 2.0], vec![3.0, 4.0, 0.0, 2.0]);
        let (starts, columns) = ([0, 2, 3, 3, 4], [0, 1, 0, 1]);
        weighting.weigh(&starts, &columns, &mut values, 2, &|| false).expect("nothing stops it");
        let (starts, columns) = (starts.map(i64::from), columns.map(i64::from));
        weighting.weigh::<i64>(&starts, &columns, &mut same, 2, &|| false).expect("nothing stops it");
        assert_eq!(values, same);
        values
    }

    #[test]
    fn rows_are_weighed_one_by_one() {
        let plain = Weighting { sublinear: false, factors: None, norm: None };
        assert_eq!(weighed(plain), [3.0, 4.0, 0.0, 2.0]);
        assert_eq!(weighed(Weighting { norm: Some(Norm::Length), ..plain }), [0.6, 0.8, 0.0, 1.0]);
        assert_eq!(weighed(Weighting { norm: Some(Norm::Sum), ..plain }), [3.0 / 7.0, 4.0 / 7.0, 0.0, 1.0]);
        assert_eq!(weighed(Weighting { factors: Some(&[2.0, 0.5]), ..plain }), [6.0, 2.0, 0.0, 1.0]);
        assert_eq!(weighed(Weighting { sublinear: true, ..plain })[3], 2f64.ln() + 1.0);
    }
}
