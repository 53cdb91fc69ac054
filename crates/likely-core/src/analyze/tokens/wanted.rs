//! The kinds of pieces that a text has, and which of them a caller wants.

/// What a piece of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, a character of an unspaced script, an emoji.
    Word,
    /// A punctuation mark, a symbol or an emoticon.
    Mark,
    /// A number with its inner points and commas.
    Number,
    /// An address of the web.
    Url,
    /// An address of mail.
    Email,
    /// `@name`.
    Mention,
    /// `#name`.
    Hashtag,
}

/// What becomes of an address, a mention or a hashtag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// Its words are tokens like others.
    #[default]
    Split,
    /// It is one token.
    Keep,
    /// It is one token that is the same for all of its kind.
    Mask,
}

/// Which pieces are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    /// Punctuation as tokens.
    pub punctuation: bool,
    /// Numbers as one token each.
    pub numbers: bool,
    /// Where clauses end.
    pub breaks: bool,
    /// Addresses of the web.
    pub urls: Treatment,
    /// Addresses of mail.
    pub emails: Treatment,
    /// `@name`.
    pub mentions: Treatment,
    /// `#name`.
    pub hashtags: Treatment,
}

impl Wanted {
    /// What becomes of pieces of a kind.
    pub(crate) fn treatment(&self, kind: Kind) -> Treatment {
        match kind {
            Kind::Url => self.urls,
            Kind::Email => self.emails,
            Kind::Mention => self.mentions,
            Kind::Hashtag => self.hashtags,
            Kind::Number => Treatment::Mask,
            Kind::Word | Kind::Mark => Treatment::Keep,
        }
    }

    pub(super) fn entities(&self) -> bool {
        [self.urls, self.emails, self.mentions, self.hashtags].iter().any(|each| *each != Treatment::Split)
    }

    /// Whether there is anything to do besides words.
    pub(crate) fn anything(&self) -> bool {
        self.punctuation || self.numbers || self.breaks || self.entities()
    }
}
