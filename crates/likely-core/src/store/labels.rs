//! The labels of a model: all of one type.

/// The labels of the classes, by rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Texts.
    Text(Vec<String>),
    /// True and false.
    Truth(Vec<bool>),
    /// Whole numbers.
    Whole(Vec<i64>),
}

impl Labels {
    /// The number of classes.
    pub fn classes(&self) -> usize {
        match self {
            Self::Text(labels) => labels.len(),
            Self::Truth(labels) => labels.len(),
            Self::Whole(labels) => labels.len(),
        }
    }
}
