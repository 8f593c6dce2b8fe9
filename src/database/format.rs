//! Header and trailer of a sector file, byte by byte as the module's tables have them.

use crate::game::{Fingerprint, Sector};
use crate::index::Fixed;

use super::Contents;
use super::error::Damage;

/// The format version this program writes and reads.
pub const VERSION: u16 = 1;

/// Length of the header.
pub const HEADER_LEN: usize = 80;

/// Length of the footer, the last part of the trailer.
pub const FOOTER_LEN: usize = 24;

/// One of the sixteen numbers that tell a zstd reader to skip a frame.
const SKIPPABLE: u32 = 0x184D_2A5D;
const HEADER_MAGIC: [u8; 8] = *b"millbase";
const FOOTER_MAGIC: [u8; 8] = *b"blockend";

/// Bytes of a skippable frame before its content: the number and the length of the content.
const FRAME_PREFIX: usize = 8;

/// The largest block a reader makes room for, in cells.
const MOST_BLOCK_CELLS: u32 = 1 << 22;

impl Contents {
    /// Cells of a block in new files.
    pub(super) fn block_cells(self) -> u32 {
        match self {
            Contents::Distances => 65_536,
            Contents::Values => 262_144,
        }
    }

    /// Bytes that a run of cells takes before compression.
    pub(super) fn raw_len(self, cells: usize) -> usize {
        match self {
            Contents::Distances => cells,
            Contents::Values => cells.div_ceil(64) * 16,
        }
    }

    fn code(self) -> u8 {
        match self {
            Contents::Distances => 1,
            Contents::Values => 2,
        }
    }

    fn from_code(code: u8) -> Option<Contents> {
        [Contents::Distances, Contents::Values]
            .into_iter()
            .find(|contents| contents.code() == code)
    }
}

/// What a sector file says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub contents: Contents,
    pub sector: Sector,
    pub cells: u64,
    pub block_cells: u32,
    pub fingerprint: Fingerprint,
}

impl Header {
    /// How many blocks hold the cells.
    pub fn blocks(&self) -> u64 {
        self.cells.div_ceil(self.block_cells.into())
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
        bytes.extend([self.contents.code(), fixed_code(self.sector)]);
        bytes.extend([mover, opponent, mover_hand, opponent_hand]);
        bytes.extend(self.cells.to_le_bytes());
        bytes.extend(self.block_cells.to_le_bytes());
        bytes.extend([0; 4]);
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
        let contents =
            Contents::from_code(header[18]).ok_or(Damage::Unknown("kind of contents"))?;
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
        let [size @ .., _, _, _, _] = array(32);
        let block_cells = u32::from_le_bytes(size);
        if block_cells == 0 || block_cells > MOST_BLOCK_CELLS || block_cells % 64 != 0 {
            return Err(Damage::Unknown("block size"));
        }
        let cells = u64::from_le_bytes(array(24));
        let fingerprint = Fingerprint(field(header, 40).unwrap_or_default());
        Ok(Header {
            contents,
            sector,
            cells,
            block_cells,
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

/// The trailer for blocks that end at these offsets; the last of them is where the trailer starts.
pub fn encode_trailer(ends: &[u64]) -> Vec<u8> {
    let start = ends.last().copied().unwrap_or(HEADER_LEN as u64);
    let content = ends.len() * 8 + FOOTER_LEN;
    let mut bytes = Vec::with_capacity(FRAME_PREFIX + content);
    bytes.extend(SKIPPABLE.to_le_bytes());
    bytes.extend((content as u32).to_le_bytes());
    bytes.extend(ends.iter().flat_map(|end| end.to_le_bytes()));
    bytes.extend(start.to_le_bytes());
    bytes.extend(checksum(&bytes));
    bytes.extend(FOOTER_MAGIC);
    bytes
}

/// Where the blocks of a file are, checked once so that look-ups need not be.
///
/// Reads the trailer of a whole file and returns the offset of its first block end.
///
/// # Errors
/// When the trailer is altered or missing, or blocks overlap or leave gaps.
pub fn check_trailer(file: &[u8], blocks: u64) -> Result<usize, Damage> {
    let footer_at = file
        .len()
        .checked_sub(FOOTER_LEN)
        .ok_or(Damage::CutShort(file.len() as u64))?;
    let [start, sum, magic] = [0, 8, 16].map(|at| field::<8>(file, footer_at + at));
    if magic != Some(FOOTER_MAGIC) {
        return Err(Damage::Index(
            "has no footer: the file is cut short or overwritten",
        ));
    }
    let start = u64::from_le_bytes(start.unwrap_or_default());
    let index_len = blocks.checked_mul(8);
    let ends_at = usize::try_from(start)
        .ok()
        .and_then(|at| at.checked_add(FRAME_PREFIX));
    let fits = ends_at
        .and_then(|at| footer_at.checked_sub(at))
        .is_some_and(|len| Some(len as u64) == index_len);
    let (Some(ends_at), true) = (ends_at, fits) else {
        return Err(Damage::Index("does not have one entry a block"));
    };
    if sum != Some(checksum(&file[ends_at - FRAME_PREFIX..footer_at + 8])) {
        return Err(Damage::Index("does not match its checksum"));
    }
    let ends = file[ends_at..footer_at].chunks_exact(8);
    let mut previous = HEADER_LEN as u64;
    for end in ends.map(|end| u64::from_le_bytes(end.try_into().expect("chunks of 8"))) {
        if end <= previous {
            return Err(Damage::Index("is not in order"));
        }
        previous = end;
    }
    if previous != start {
        return Err(Damage::Index("does not end where the blocks do"));
    }
    Ok(ends_at)
}

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
            contents: Contents::Values,
            sector: Sector {
                mover: 3,
                opponent: 4,
                mover_hand: 6,
                opponent_hand: 5,
            },
            cells: 945_630,
            block_cells: 262_144,
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
        for block_cells in [0, 63, 100, u32::MAX, MOST_BLOCK_CELLS + 64] {
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
        other_version[16] = 2;
        assert!(matches!(
            Header::decode(&other_version),
            Err(HeaderError::Version(2))
        ));
        assert!(matches!(
            Header::decode(b"PNG, not ours"),
            Err(HeaderError::Foreign)
        ));
    }

    fn file_with_blocks(ends: &[u64]) -> Vec<u8> {
        let blocks_end = ends.last().copied().unwrap_or(HEADER_LEN as u64) as usize;
        let mut file = vec![1; blocks_end];
        file.extend(encode_trailer(ends));
        file
    }

    #[test]
    fn trailers_lead_to_the_first_entry() {
        let file = file_with_blocks(&[100, 200, 207]);
        assert_eq!(check_trailer(&file, 3).unwrap(), 207 + FRAME_PREFIX);
    }

    #[test]
    fn altered_trailers_are_refused() {
        let file = file_with_blocks(&[100, 200, 207]);
        for bit in 8 * 207..8 * file.len() {
            let mut altered = file.clone();
            altered[bit / 8] ^= 1 << (bit % 8);
            assert!(check_trailer(&altered, 3).is_err(), "bit {bit}");
        }
        for length in 0..file.len() {
            assert!(
                check_trailer(&file[..length], 3).is_err(),
                "length {length}"
            );
        }
        for blocks in [0, 2, 4, u64::MAX / 8, u64::MAX] {
            assert!(check_trailer(&file, blocks).is_err(), "{blocks} blocks");
        }
    }

    #[test]
    fn blocks_that_overlap_are_refused_even_with_a_right_checksum() {
        for ends in [[100, 90, 207], [100, 100, 207], [80, 90, 207]] {
            assert!(matches!(
                check_trailer(&file_with_blocks(&ends), 3),
                Err(Damage::Index("is not in order"))
            ));
        }
    }
}
