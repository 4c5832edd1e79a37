//! Bit strings in bytes, the lowest bit first.

#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, and their number.
    rest: u64,
    len: u32,
}

impl BitWriter {
    /// Appends the lowest `count` bits of `value`, at most 32. Its higher bits are zero.
    pub fn put(&mut self, value: u32, count: u32) {
        self.rest |= u64::from(value) << self.len;
        self.len += count;
        while self.len >= u8::BITS {
            self.bytes.push(self.rest as u8);
            self.rest >>= u8::BITS;
            self.len -= u8::BITS;
        }
    }

    /// The bytes, the last one filled up with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        if self.len > 0 {
            self.bytes.push(self.rest as u8);
        }
        self.bytes
    }
}

/// Beyond the end there are zeros.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    place: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, place: 0 }
    }

    /// The next bits, at least 57 of them, the first one lowest.
    #[inline(always)]
    pub fn peek(&self) -> u64 {
        let rest = &self.bytes[self.bytes.len().min(self.place / 8)..];
        let word = match rest.first_chunk() {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => {
                let mut bytes = [0; 8];
                bytes[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(bytes)
            }
        };
        word >> (self.place % 8)
    }

    #[inline(always)]
    pub fn skip(&mut self, count: u32) {
        self.place += count as usize;
    }

    /// Whether all bytes were read but the zeros that fill the last one, and none beyond.
    pub fn is_at_end(&self) -> bool {
        self.place.div_ceil(8) == self.bytes.len() && self.peek() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let values = [(1, 1), (0, 0), (0x1_FFFF, 17), (5, 3), (0xFFFF_FFFF, 32), (0, 9), (1, 1)];
        let mut writer = BitWriter::default();
        values.iter().for_each(|&(value, count)| writer.put(value, count));
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for (value, count) in values {
            assert_eq!(reader.peek() & ((1 << count) - 1), u64::from(value));
            reader.skip(count);
        }
        assert!(reader.is_at_end());
        assert_eq!(reader.peek(), 0);
        reader.skip(8);
        assert!(!reader.is_at_end());
    }
}
