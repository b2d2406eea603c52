//! Tables as a stream of bytes, and back. A digest at the end detects damage.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

use bytemuck::Pod;
use sha2::{Digest, Sha256};

/// The number of items that are written or read at a time.
const BLOCK: usize = 1 << 13;
/// The number of bytes of the digest.
const DIGEST: usize = 32;

/// Writes items to a file.
pub struct Writer {
    out: BufWriter<File>,
    digest: Sha256,
}

impl Writer {
    /// A writer that appends to a file.
    #[must_use]
    pub fn new(file: File) -> Self {
        Self { out: BufWriter::with_capacity(1 << 20, file), digest: Sha256::new() }
    }

    /// Writes items, whose number the reader must know.
    ///
    /// # Errors
    /// The file's.
    pub fn items<T: Pod>(&mut self, items: &[T]) -> io::Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        self.digest.update(bytes);
        self.out.write_all(bytes)
    }

    /// Writes a number.
    ///
    /// # Errors
    /// The file's.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.items(&[number])
    }

    /// Writes a list with its length, which must be exact.
    ///
    /// # Errors
    /// The file's.
    pub fn list<T: Pod>(&mut self, len: usize, mut items: impl Iterator<Item = T>) -> io::Result<()> {
        self.number(len as u64)?;
        let mut block = Vec::with_capacity(BLOCK);
        loop {
            block.clear();
            block.extend(items.by_ref().take(BLOCK));
            if block.is_empty() {
                return Ok(());
            }
            self.items(&block)?;
        }
    }

    /// Writes the digest, and waits until all is on the disk.
    ///
    /// # Errors
    /// The file's.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&self.digest.finalize())?;
        self.out.flush()?;
        self.out.get_ref().sync_all()
    }
}

/// Reads the data of a [`Writer`].
pub struct Reader {
    input: BufReader<File>,
    /// The number of bytes that were not read yet.
    left: u64,
}

impl Reader {
    /// A reader of the rest of a file. It checks the digest first.
    ///
    /// # Errors
    /// The file's, and [`io::ErrorKind::InvalidData`] if something is damaged.
    pub fn new(mut file: File) -> io::Result<Self> {
        let (from, end) = (file.stream_position()?, file.metadata()?.len());
        let left = (end - from).checked_sub(DIGEST as u64).ok_or_else(damaged)?;
        let mut digest = Sha256::new();
        let mut part = vec![0; 1 << 20];
        let mut whole = (&file).take(left);
        loop {
            match whole.read(&mut part)? {
                0 => break,
                read => digest.update(&part[..read]),
            }
        }
        let mut expected = [0; DIGEST];
        file.read_exact(&mut expected)?;
        if digest.finalize()[..] != expected {
            return Err(damaged());
        }
        file.seek(io::SeekFrom::Start(from))?;
        Ok(Self { input: BufReader::with_capacity(1 << 20, file), left })
    }

    /// Reads `len` items.
    ///
    /// # Errors
    /// The file's, and [`io::ErrorKind::InvalidData`] if there are fewer.
    pub fn items<T: Pod>(&mut self, len: usize) -> io::Result<Vec<T>> {
        let bytes = (len as u64).checked_mul(size_of::<T>() as u64).filter(|&bytes| bytes <= self.left);
        self.left -= bytes.ok_or_else(damaged)?;
        let mut items = vec![T::zeroed(); len];
        self.input.read_exact(bytemuck::cast_slice_mut(&mut items))?;
        Ok(items)
    }

    /// Reads a number.
    ///
    /// # Errors
    /// As [`Self::items`].
    pub fn number(&mut self) -> io::Result<u64> {
        Ok(self.items(1)?[0])
    }

    /// Reads a list and passes its items to `take`, in order.
    ///
    /// # Errors
    /// As [`Self::items`].
    pub fn list<T: Pod>(&mut self, mut take: impl FnMut(T)) -> io::Result<()> {
        let mut left = usize::try_from(self.number()?).map_err(|_| damaged())?;
        while left > 0 {
            let block = self.items(left.min(BLOCK))?;
            left -= block.len();
            block.into_iter().for_each(&mut take);
        }
        Ok(())
    }
}

/// The error of a file whose content is damaged.
#[must_use]
pub fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> File {
        let mut file = tempfile::tempfile().expect("a file");
        let mut writer = Writer::new(file.try_clone().expect("another handle"));
        writer.number(7).expect("written");
        writer.list(20_000, 0..20_000_u16).expect("written");
        writer.finish().expect("written");
        file.rewind().expect("the beginning");
        file
    }

    #[test]
    fn what_was_written_is_read() {
        let mut reader = Reader::new(written()).expect("a reader");
        let mut items = Vec::new();
        assert_eq!(reader.number().expect("a number"), 7);
        reader.list(|item: u16| items.push(item)).expect("a list");
        assert!(items.into_iter().eq(0..20_000));
        assert!(reader.number().is_err(), "nothing is left");
    }

    #[test]
    fn every_damage_is_seen() {
        let len = written().metadata().expect("a length").len();
        for at in (0..len).step_by(997).chain([len - 1]) {
            let mut file = written();
            file.seek(io::SeekFrom::Start(at)).expect("a place");
            let mut byte = [0];
            file.read_exact(&mut byte).expect("a byte");
            file.seek(io::SeekFrom::Start(at)).expect("a place");
            file.write_all(&[byte[0] ^ 0x10]).expect("written");
            file.rewind().expect("the beginning");
            assert!(Reader::new(file).is_err(), "byte {at}");
        }
        for len in [0, 5, 31, len - 1] {
            let file = written();
            file.set_len(len).expect("shorter");
            assert!(Reader::new(file).is_err(), "{len} bytes");
        }
    }
}
