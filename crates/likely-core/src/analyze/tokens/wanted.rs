//! The kinds of pieces that a text has, and which of them a caller wants.

/// The kind of a piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A word, a character of an unspaced script, or an emoji.
    Word,
    /// A punctuation mark, a symbol or an emoticon.
    Mark,
    /// A number with the points and commas inside it.
    Number,
    /// A URL.
    Url,
    /// An email address.
    Email,
    /// `@name`.
    Mention,
    /// `#name`.
    Hashtag,
}

/// What happens to a URL, an email address, a mention or a hashtag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// Its words become tokens like any others.
    #[default]
    Split,
    /// It becomes one token.
    Keep,
    /// It becomes one token that is the same for all of its kind.
    Mask,
}

/// Which pieces become tokens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Whether punctuation becomes tokens.
    pub punctuation: bool,
    /// Whether a number becomes one token, masked by its shape.
    pub numbers: bool,
    /// Whether the ends of clauses are noted.
    pub breaks: bool,
    /// What happens to URLs.
    pub urls: Treatment,
    /// What happens to email addresses.
    pub emails: Treatment,
    /// What happens to mentions (`@name`).
    pub mentions: Treatment,
    /// What happens to hashtags (`#name`).
    pub hashtags: Treatment,
}

impl Wanted {
    /// What happens to pieces of a kind.
    pub(crate) fn treatment(&self, kind: PieceKind) -> Treatment {
        match kind {
            PieceKind::Url => self.urls,
            PieceKind::Email => self.emails,
            PieceKind::Mention => self.mentions,
            PieceKind::Hashtag => self.hashtags,
            PieceKind::Number => Treatment::Mask,
            PieceKind::Word | PieceKind::Mark => Treatment::Keep,
        }
    }

    pub(super) fn entities(&self) -> bool {
        [self.urls, self.emails, self.mentions, self.hashtags].iter().any(|each| *each != Treatment::Split)
    }

    /// Whether anything besides words is wanted.
    pub(crate) fn anything(&self) -> bool {
        self.punctuation || self.numbers || self.breaks || self.entities()
    }
}
