//! Byte offsets to character offsets.

/// Byte offsets to character offsets. Lone surrogates are three bytes and one character, like their neighbours.
pub(super) struct CharOffsets<'a> {
    bytes: &'a [u8],
    /// How many characters start before each multiple of `STEP`.
    steps: Vec<usize>,
}

impl<'a> CharOffsets<'a> {
    const STEP: usize = 64;

    pub(super) fn of(bytes: &'a [u8]) -> Self {
        let mut sum = 0;
        let mut steps = vec![0];
        for chunk in bytes.chunks(Self::STEP) {
            sum += starts(chunk);
            steps.push(sum);
        }
        Self { bytes, steps }
    }

    pub(super) fn before(&self, byte: usize) -> usize {
        let step = byte / Self::STEP;
        self.steps[step] + starts(&self.bytes[step * Self::STEP..byte])
    }
}

/// How many characters start in some bytes.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
