//! Header and trailer of a sector's file, byte by byte as FORMAT.md has them.

use std::io;

use crate::game::{Fingerprint, Sector};
use crate::index::Fixed;

use super::codec;
use super::error::Damage;
use super::kind::Kind;

/// The format version this program writes and reads.
pub const VERSION: u16 = 2;

/// Length of the header.
pub const HEADER_LEN: usize = 80;

/// Length of the footer, the last part of the trailer.
pub const FOOTER_LEN: usize = 24;

/// One of the sixteen numbers that tell a zstd reader to skip a frame.
const SKIPPABLE: u32 = 0x184D_2A5D;
const HEADER_MAGIC: [u8; 8] = *b"millbase";
const FOOTER_MAGIC: [u8; 8] = *b"blockend";

/// The block index is small and read whole.
const INDEX_LEVEL: i32 = 19;

/// The longest block index a reader makes room for, in bytes.
const MOST_INDEX_BYTES: usize = 1 << 30;

/// Bytes of a skippable frame before its content: the number and the length of the content.
const FRAME_PREFIX: usize = 8;

/// The longest model a reader makes room for, in bytes.
const MOST_MODEL_BYTES: u32 = 1 << 20;

/// What a sector file says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: Kind,
    pub sector: Sector,
    pub cells: u64,
    pub block_cells: u32,
    /// Length of the model between the header and the first block; 0 for kinds without one.
    pub model_bytes: u32,
    pub fingerprint: Fingerprint,
}

impl Header {
    /// How many blocks hold the cells.
    pub fn blocks(&self) -> u64 {
        self.cells.div_ceil(self.block_cells.into())
    }

    /// Offset of the first block.
    pub fn blocks_at(&self) -> u64 {
        HEADER_LEN as u64 + u64::from(self.model_bytes)
    }

    pub fn encode(&self) -> [u8; HEADER_LEN] {
        let Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        } = self.sector;
        let mut bytes = Vec::with_capacity(HEADER_LEN);
        bytes.extend(SKIPPABLE.to_le_bytes());
        bytes.extend(((HEADER_LEN - FRAME_PREFIX) as u32).to_le_bytes());
        bytes.extend(HEADER_MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.kind.code(), fixed_code(self.sector)]);
        bytes.extend([mover, opponent, mover_hand, opponent_hand]);
        bytes.extend(self.cells.to_le_bytes());
        bytes.extend(self.block_cells.to_le_bytes());
        bytes.extend(self.model_bytes.to_le_bytes());
        bytes.extend(self.fingerprint.0);
        bytes.extend(checksum(&bytes));
        bytes.try_into().expect("the fields fill the header")
    }

    /// Reads a header. The file's size bounds nothing here: callers compare `cells` with the rules and
    /// the trailer.
    pub fn decode(file: &[u8]) -> Result<Header, HeaderError> {
        let magic_at = FRAME_PREFIX;
        if file.get(magic_at..magic_at + HEADER_MAGIC.len()) != Some(&HEADER_MAGIC[..])
            || field::<4>(file, 0) != Some(SKIPPABLE.to_le_bytes())
        {
            return Err(HeaderError::Foreign);
        }
        let cut_short = || HeaderError::Damage(Damage::CutShort(file.len() as u64));
        let header = file.first_chunk::<HEADER_LEN>().ok_or_else(cut_short)?;
        // The version first: another version may well have another header.
        let version = u16::from_le_bytes([header[16], header[17]]);
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        let (fields, sum) = header.split_at(HEADER_LEN - 8);
        if checksum(fields) != *sum {
            return Err(HeaderError::Damage(Damage::Header));
        }
        Header::fields(header).map_err(HeaderError::Damage)
    }

    /// The fields of a header whose checksum is right.
    fn fields(header: &[u8; HEADER_LEN]) -> Result<Header, Damage> {
        let array = |at: usize| field::<8>(header, at).unwrap_or_default();
        let kind = Kind::from_code(header[18]).ok_or(Damage::Unknown("kind of contents"))?;
        let [_, _, _, fixed, mover, opponent, mover_hand, opponent_hand] = array(16);
        let sector = Sector {
            mover,
            opponent,
            mover_hand,
            opponent_hand,
        };
        if fixed != fixed_code(sector) {
            return Err(Damage::Unknown("order of rows"));
        }
        let number = |at: usize| u32::from_le_bytes(field(header, at).unwrap_or_default());
        let (block_cells, model_bytes) = (number(32), number(36));
        if !kind.allows_blocks_of(block_cells) {
            return Err(Damage::Unknown("block size"));
        }
        if kind.has_model() != (model_bytes > 0) || model_bytes > MOST_MODEL_BYTES {
            return Err(Damage::Unknown("length of the model"));
        }
        let cells = u64::from_le_bytes(array(24));
        let fingerprint = Fingerprint(field(header, 40).unwrap_or_default());
        Ok(Header {
            kind,
            sector,
            cells,
            block_cells,
            model_bytes,
            fingerprint,
        })
    }
}

/// Why the beginning of a file is no header.
#[derive(Debug)]
pub enum HeaderError {
    /// The file is something else.
    Foreign,
    /// The file has another format version.
    Version(u16),
    /// The file is one of ours and wrong.
    Damage(Damage),
}

fn fixed_code(sector: Sector) -> u8 {
    match Fixed::of(sector) {
        Fixed::Mover => 0,
        Fixed::Opponent => 1,
    }
}

/// The trailer for blocks of these lengths, the first of which begins at `blocks_at`.
///
/// # Errors
/// When the compressor fails, which it does for lack of memory only.
pub fn encode_trailer(blocks_at: u64, lengths: &[u32]) -> io::Result<Vec<u8>> {
    let start = blocks_at + lengths.iter().copied().map(u64::from).sum::<u64>();
    let raw: Vec<u8> = lengths
        .iter()
        .flat_map(|length| length.to_le_bytes())
        .collect();
    let index = codec::compress(&raw, INDEX_LEVEL)?;
    let content = index.len() + FOOTER_LEN;
    let mut bytes = Vec::with_capacity(FRAME_PREFIX + content);
    bytes.extend(SKIPPABLE.to_le_bytes());
    bytes.extend((content as u32).to_le_bytes());
    bytes.extend(index);
    bytes.extend(start.to_le_bytes());
    bytes.extend(checksum(&bytes));
    bytes.extend(FOOTER_MAGIC);
    Ok(bytes)
}

/// Where the trailer begins, from the footer, the last bytes of a file.
///
/// # Errors
/// When these bytes are no footer.
pub fn trailer_start(footer: &[u8; FOOTER_LEN]) -> Result<u64, Damage> {
    let [start, _, magic] = [0, 8, 16].map(|at| field::<8>(footer, at).unwrap_or_default());
    if magic != FOOTER_MAGIC {
        return Err(Damage::Index(
            "has no footer: the file is cut short or overwritten",
        ));
    }
    Ok(u64::from_le_bytes(start))
}

/// Where each block ends, from the bytes of the trailer.
///
/// # Errors
/// When the trailer is altered, or the blocks do not fill the file up to it.
pub fn decode_trailer(trailer: &[u8], start: u64, header: &Header) -> Result<Vec<u64>, Damage> {
    let footer_at = trailer.len().checked_sub(FOOTER_LEN);
    let footer_at = footer_at.filter(|&at| at >= FRAME_PREFIX);
    let footer_at = footer_at.ok_or(Damage::Index("does not begin where the footer says"))?;
    let (covered, sum) = trailer.split_at(footer_at + 8);
    if sum.first_chunk() != Some(&checksum(covered)) {
        return Err(Damage::Index("does not match its checksum"));
    }
    let blocks = usize::try_from(header.blocks()).unwrap_or(usize::MAX);
    let bytes = blocks
        .checked_mul(4)
        .filter(|&bytes| bytes <= MOST_INDEX_BYTES);
    let mut raw = vec![0; bytes.ok_or(Damage::Index("is longer than any file needs"))?];
    codec::decompress(&trailer[FRAME_PREFIX..footer_at], &mut raw)
        .map_err(|_| Damage::Index("does not have one entry a block"))?;
    let mut end = header.blocks_at();
    let ends = raw.chunks_exact(4).map(|length| {
        end += u64::from(u32::from_le_bytes([
            length[0], length[1], length[2], length[3],
        ]));
        end
    });
    let ends: Vec<u64> = ends.collect();
    if end != start {
        return Err(Damage::Index("does not end where the blocks do"));
    }
    Ok(ends)
}

/// The checksum of headers and trailers: the first 8 bytes of the BLAKE3 digest.
fn checksum(bytes: &[u8]) -> [u8; 8] {
    let digest = blake3::hash(bytes);
    *digest
        .as_bytes()
        .first_chunk()
        .expect("a digest has 32 bytes")
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            kind: Kind::Planes,
            sector: Sector {
                mover: 3,
                opponent: 4,
                mover_hand: 6,
                opponent_hand: 5,
            },
            cells: 945_630,
            block_cells: 262_144,
            model_bytes: 0,
            fingerprint: Fingerprint([9; 32]),
        }
    }

    #[test]
    fn headers_come_back_as_they_were() {
        assert_eq!(Header::decode(&header().encode()).unwrap(), header());
        assert_eq!(header().blocks(), 4);
    }

    #[test]
    fn every_altered_bit_of_a_header_is_seen() {
        let bytes = header().encode();
        // The frame's own length is read by zstd alone, and covered by the checksum all the same.
        for bit in 0..8 * HEADER_LEN {
            let mut altered = bytes;
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::decode(&altered).is_err(), "bit {bit}");
        }
        for length in 0..HEADER_LEN {
            assert!(Header::decode(&bytes[..length]).is_err(), "length {length}");
        }
    }

    #[test]
    fn well_formed_nonsense_is_refused() {
        for block_cells in [0, 63, 100, u32::MAX, (1 << 22) + 64] {
            let bytes = Header {
                block_cells,
                ..header()
            }
            .encode();
            assert!(matches!(
                Header::decode(&bytes),
                Err(HeaderError::Damage(Damage::Unknown("block size")))
            ));
        }
        let mut other_version = header().encode();
        other_version[16] = 9;
        assert!(matches!(
            Header::decode(&other_version),
            Err(HeaderError::Version(9))
        ));
        assert!(matches!(
            Header::decode(b"PNG, not ours"),
            Err(HeaderError::Foreign)
        ));
    }

    /// A header for blocks of 64 cells.
    fn blocks(blocks: u64) -> Header {
        Header {
            cells: 64 * blocks - 1,
            block_cells: 64,
            ..header()
        }
    }

    fn ends(trailer: &[u8], blocks_wanted: u64) -> Result<Vec<u64>, Damage> {
        let footer = trailer.last_chunk().ok_or(Damage::CutShort(0))?;
        decode_trailer(trailer, trailer_start(footer)?, &blocks(blocks_wanted))
    }

    #[test]
    fn trailers_say_where_blocks_end() {
        let trailer = encode_trailer(80, &[20, 100, 7]).unwrap();
        assert_eq!(ends(&trailer, 3).unwrap(), [100, 200, 207]);
    }

    #[test]
    fn altered_trailers_are_refused() {
        let trailer = encode_trailer(80, &[20, 100, 7]).unwrap();
        for bit in 0..8 * trailer.len() {
            let mut altered = trailer.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(ends(&altered, 3).is_err(), "bit {bit}");
        }
        for length in 0..trailer.len() {
            assert!(ends(&trailer[..length], 3).is_err(), "length {length}");
        }
        for blocks in [1, 2, 4, 1 << 40] {
            assert!(ends(&trailer, blocks).is_err(), "{blocks} blocks");
        }
    }

    #[test]
    fn blocks_that_do_not_fill_the_file_are_refused_even_with_a_right_checksum() {
        let trailer = encode_trailer(81, &[20, 100, 7]).unwrap();
        assert!(matches!(
            ends(&trailer, 3),
            Err(Damage::Index("does not end where the blocks do"))
        ));
    }
}
