//! Bytes that come in pieces go in, one frame of Zstandard comes out.
//!
//! Zstandard's own streams copy what they are given into a ring that is hardly larger than the window, so that nearly
//! every block refers to bytes in front of the place where the ring begins anew. A slower search of matches is needed
//! for that. Here the ring is many windows long, and Zstandard reads the blocks where they are.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io::{Error, Result};
use std::ptr::NonNull;
use zstd_sys::{ZSTD_CCtx, ZSTD_CONTENTSIZE_UNKNOWN, ZSTD_parameters, ZSTD_strategy};

/// The size of a block before compression, in bytes: the largest that the format allows (RFC 8878, 3.1.1.2.4).
const BLOCK: usize = 128 << 10;

/// The size of the ring in bytes: a multiple of a block, and eight times the window of level 3.
const RING: usize = 16 << 20;

/// Compresses bytes that come in pieces, as one frame with a checksum. The same bytes give the same frame, whatever the
/// sizes of the pieces.
///
/// ```
/// use likely_core::read::zstd_frame::FrameWriter;
///
/// let (mut writer, mut frame) = (FrameWriter::new(3)?, Vec::new());
/// writer.feed(b"good ", &mut frame)?;
/// writer.feed(b"fun", &mut frame)?;
/// writer.finish(&mut frame)?;
/// assert_eq!(zstd::stream::decode_all(&frame[..])?, b"good fun");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FrameWriter {
    context: Context,
    level: i32,
    is_begun: bool,
    /// The ring: it is filled from its start to its capacity, then anew. It never grows, because its memory must stay
    /// where it is: Zstandard looks for matches in the blocks before, also in those of the last round.
    ring: Vec<u8>,
    /// How much of the ring is compressed in this round.
    compressed: usize,
}

impl FrameWriter {
    /// A frame with this level.
    pub fn new(level: i32) -> Result<Self> {
        let (context, ring) = (Context::new()?, Vec::with_capacity(RING));
        Ok(Self { context, level, is_begun: false, ring, compressed: 0 })
    }

    /// Appends the compressed bytes that are ready after the next piece.
    pub fn feed(&mut self, mut piece: &[u8], frame: &mut Vec<u8>) -> Result<()> {
        while !piece.is_empty() {
            let missing = self.compressed + BLOCK - self.ring.len();
            let (now, later) = piece.split_at(missing.min(piece.len()));
            self.ring.extend_from_slice(now);
            piece = later;
            if now.len() == missing {
                self.compress(frame)?;
            }
        }
        Ok(())
    }

    /// Appends the last compressed bytes.
    pub fn finish(mut self, frame: &mut Vec<u8>) -> Result<()> {
        self.compress_with(zstd_sys::ZSTD_compressEnd, frame)
    }

    fn compress(&mut self, frame: &mut Vec<u8>) -> Result<()> {
        self.compress_with(zstd_sys::ZSTD_compressContinue, frame)?;
        self.compressed = self.ring.len();
        if self.compressed == RING {
            self.ring.clear();
            self.compressed = 0;
        }
        Ok(())
    }

    fn compress_with(&mut self, function: Compress, frame: &mut Vec<u8>) -> Result<()> {
        let block = &self.ring[self.compressed..];
        if !self.is_begun {
            self.context.begin(options(self.level, block))?;
            self.is_begun = true;
        }
        self.context.compress(block, frame, function)
    }
}

/// The options of a level for a file that begins with this block.
///
/// In text that is mostly ASCII, matches of only five bytes, for which level 3 looks too, make files hardly smaller: by
/// 0.4 % at most in corpora of news, reviews, mail and messages, and some are even larger. Without them, compression
/// takes 9 % less time. In Chinese, where two characters have six bytes, they are worth 1.6 %.
fn options(level: i32, first: &[u8]) -> ZSTD_parameters {
    // SAFETY: the function has no conditions.
    let mut options = unsafe { zstd_sys::ZSTD_getParams(level, 0, 0) };
    options.fParams.contentSizeFlag = 0;
    options.fParams.checksumFlag = 1;
    let is_wide = first.iter().filter(|byte| !byte.is_ascii()).count() > first.len() / 4;
    if options.cParams.strategy == ZSTD_strategy::ZSTD_dfast && !is_wide {
        options.cParams.minMatch = 6;
    }
    options
}

/// Compresses the next block, or the last one: (context, destination, its size, block, its size).
type Compress =
    unsafe extern "C" fn(*mut ZSTD_CCtx, *mut core::ffi::c_void, usize, *const core::ffi::c_void, usize) -> usize;

/// The state of the compressor.
struct Context(NonNull<ZSTD_CCtx>);

// SAFETY: the state belongs to this value alone, and no function of Zstandard depends on the thread that calls it.
unsafe impl Send for Context {}
// SAFETY: nothing can be done with a shared reference.
unsafe impl Sync for Context {}

impl Context {
    fn new() -> Result<Self> {
        // SAFETY: the function has no conditions. The context is freed when it is dropped.
        let context = NonNull::new(unsafe { zstd_sys::ZSTD_createCCtx() });
        Ok(Self(context.ok_or_else(|| Error::other("there is no memory left"))?))
    }

    fn begin(&mut self, options: ZSTD_parameters) -> Result<()> {
        let size = ZSTD_CONTENTSIZE_UNKNOWN as core::ffi::c_ulonglong;
        // SAFETY: the context is valid, and there is no dictionary.
        checked(unsafe {
            zstd_sys::ZSTD_compressBegin_advanced(self.0.as_ptr(), std::ptr::null(), 0, options, size)
        })?;
        Ok(())
    }

    /// Appends a compressed block to the frame.
    ///
    /// Later calls read the bytes of this block again, up to the size of the window. `FrameWriter` lets all blocks be in
    /// one allocation that lives as long as the context. If a block replaces older bytes there, Zstandard sees that
    /// their places overlap, and forgets the older ones. These are further away than the window.
    fn compress(&mut self, block: &[u8], frame: &mut Vec<u8>, function: Compress) -> Result<()> {
        // SAFETY: the function has no conditions.
        frame.reserve(unsafe { zstd_sys::ZSTD_compressBound(block.len()) } + AROUND);
        let room = frame.spare_capacity_mut();
        // SAFETY: the pointers and sizes are those of a slice and of memory that may be written to.
        let written = checked(unsafe {
            let (to, from) = (room.as_mut_ptr().cast(), block.as_ptr().cast());
            function(self.0.as_ptr(), to, room.len(), from, block.len())
        })?;
        // SAFETY: the function has written this number of bytes behind those that were there before.
        unsafe { frame.set_len(frame.len() + written) };
        Ok(())
    }
}

/// More than the largest header of a frame, an empty block and the checksum need, in bytes.
const AROUND: usize = 64;

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is valid, and nobody uses it later.
        unsafe { zstd_sys::ZSTD_freeCCtx(self.0.as_ptr()) };
    }
}

/// What a function of Zstandard returned, unless it is an error.
fn checked(returned: usize) -> Result<usize> {
    // SAFETY: the functions take any number, and the name is text that is never freed.
    unsafe {
        if zstd_sys::ZSTD_isError(returned) == 0 {
            return Ok(returned);
        }
        Err(Error::other(CStr::from_ptr(zstd_sys::ZSTD_getErrorName(returned)).to_string_lossy()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text with matches near and far, so that a wrong look behind the ring's end would show.
    fn text(size: usize) -> Vec<u8> {
        let mut state = 17_u64;
        let mut text = Vec::new();
        while text.len() < size {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let word = state >> 33;
            match word % 5 {
                0 if text.len() > (3 << 20) => {
                    let from = text.len() - 1 - (word as usize % (3 << 20));
                    let to = (from + 300).min(text.len());
                    text.extend_from_within(from..to);
                }
                _ => text.extend_from_slice(format!("{} ", word % 5000).as_bytes()),
            }
        }
        text.truncate(size);
        text
    }

    fn frame(text: &[u8], piece: usize) -> Vec<u8> {
        let (mut writer, mut frame) = (FrameWriter::new(3).expect("begins"), Vec::new());
        text.chunks(piece).for_each(|piece| writer.feed(piece, &mut frame).expect("compresses"));
        writer.finish(&mut frame).expect("finishes");
        frame
    }

    #[test]
    fn what_was_compressed_is_read_back_also_after_many_rounds_of_the_ring() {
        let text = text(2 * RING + RING / 2 + 12345);
        let ours = frame(&text, 1 << 20);
        assert!(zstd::stream::decode_all(&ours[..]).expect("a frame") == text);
        let theirs = zstd::stream::encode_all(&text[..], 3).expect("compresses");
        assert!(ours.len() < theirs.len() + theirs.len() / 200, "{} against {}", ours.len(), theirs.len());
    }

    #[test]
    fn short_matches_are_looked_for_where_characters_are_long() {
        let shortest = |level, text: &str| options(level, text.as_bytes()).cParams.minMatch;
        assert_eq!((shortest(3, "good"), shortest(3, "房间很干净"), shortest(3, "the café is closed")), (6, 5, 6));
        assert_eq!((shortest(1, "good"), shortest(9, "good")), (shortest(1, "很"), shortest(9, "很")));
        assert_eq!(shortest(9, "good"), 5);
    }

    #[test]
    fn the_sizes_of_the_pieces_do_not_matter() {
        let text = text(RING + 3 * BLOCK + 1);
        let whole = frame(&text, text.len());
        for piece in [1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 << 20] {
            assert!(frame(&text, piece) == whole, "{piece}");
        }
    }

    #[test]
    fn files_of_any_size_are_one_frame_with_the_window_of_the_level_and_a_checksum() {
        for size in [0, 1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, RING, RING + 1] {
            let text = text(size);
            let mut frame = frame(&text, BLOCK);
            assert!(zstd::stream::decode_all(&frame[..]).expect("a frame") == text, "{size}");
            assert_eq!(zstd::zstd_safe::find_frame_compressed_size(&frame), Ok(frame.len()));
            // RFC 8878, 3.1.1.1: a checksum and a window of 2 MiB, and neither a size nor a dictionary.
            assert_eq!(frame[4..6], [0b100, 11 << 3]);
            *frame.last_mut().expect("a checksum") ^= 1;
            assert!(zstd::stream::decode_all(&frame[..]).is_err());
        }
    }

    #[test]
    fn what_cannot_be_compressed_is_stored() {
        let mut state = 1_u64;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        })
        .take(3 * BLOCK + 5)
        .collect();
        let frame = frame(&noise, 7777);
        assert!(frame.len() > noise.len() && zstd::stream::decode_all(&frame[..]).expect("a frame") == noise);
    }
}
