//! The general compressor behind the blocks: zstd, one context a thread.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// The level used when nobody asks for another: speed counts while solving.
pub const DEFAULT_LEVEL: i32 = 1;

struct Encoder {
    level: i32,
    compressor: Compressor<'static>,
    frame: Vec<u8>,
}

impl Encoder {
    fn new(level: i32) -> io::Result<Encoder> {
        let mut compressor = Compressor::new(level)?;
        compressor.include_checksum(true)?;
        compressor.include_contentsize(true)?;
        Ok(Encoder {
            level,
            compressor,
            frame: Vec::new(),
        })
    }
}

thread_local! {
    static ENCODER: RefCell<Option<Encoder>> = const { RefCell::new(None) };
    static DECODER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Compresses a block into a frame with content size and checksum.
pub fn compress(raw: &[u8], level: i32) -> io::Result<Vec<u8>> {
    ENCODER.with_borrow_mut(|slot| {
        let encoder = match slot {
            Some(encoder) if encoder.level == level => encoder,
            _ => slot.insert(Encoder::new(level)?),
        };
        encoder.frame.clear();
        encoder
            .frame
            .reserve(zstd::zstd_safe::compress_bound(raw.len()));
        encoder
            .compressor
            .compress_to_buffer(raw, &mut encoder.frame)?;
        Ok(encoder.frame.clone())
    })
}

/// Decodes a frame that holds exactly `raw.len()` bytes.
///
/// # Errors
/// When the frame is damaged or holds another number of bytes. `raw` is then undefined.
pub fn decompress(frame: &[u8], raw: &mut [u8]) -> io::Result<()> {
    let expected = raw.len();
    let found = DECODER.with_borrow_mut(|slot| {
        let decoder = match slot {
            Some(decoder) => decoder,
            None => slot.insert(Decompressor::new()?),
        };
        decoder.decompress_to_buffer(frame, raw)
    })?;
    if found == expected {
        Ok(())
    } else {
        let text = format!("it holds {found} bytes instead of {expected}");
        Err(io::Error::new(io::ErrorKind::InvalidData, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_as_they_were() {
        let raw: Vec<u8> = (0..70_000u32)
            .map(|i| (i.wrapping_mul(i) >> 7) as u8)
            .collect();
        for level in [-3, 1, 9, 1] {
            let frame = compress(&raw, level).unwrap();
            let mut back = vec![0; raw.len()];
            decompress(&frame, &mut back).unwrap();
            assert!(back == raw, "level {level}");
        }
    }

    #[test]
    fn a_frame_of_another_length_is_refused() {
        let frame = compress(&[7; 100], 1).unwrap();
        for length in [0, 99, 101] {
            assert!(decompress(&frame, &mut vec![0; length]).is_err());
        }
    }

    #[test]
    fn altered_frames_are_refused_or_decode_to_the_same() {
        let raw: Vec<u8> = (0..1000u32).map(|i| (i % 7 * i % 11) as u8).collect();
        let frame = compress(&raw, 1).unwrap();
        for at in 0..frame.len() {
            for bit in 0..8 {
                let mut altered = frame.clone();
                altered[at] ^= 1 << bit;
                let mut back = vec![0; raw.len()];
                let accepted = decompress(&altered, &mut back).is_ok();
                assert!(!accepted || back == raw, "byte {at}, bit {bit}");
            }
        }
    }
}
