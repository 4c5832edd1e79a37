//! Tables of histories that are cleared as far as they were used: a game of short searches uses little
//! of them, and the workshop plays thousands a minute.

use std::ops::Index;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_vec;

/// Rows of numbers, and which of them may be other than zero.
pub struct Rows<const COLUMNS: usize> {
    rows: Vec<[i16; COLUMNS]>,
    is_used: Vec<bool>,
}

impl<const COLUMNS: usize> Rows<COLUMNS>
where
    [i16; COLUMNS]: Zeroable,
{
    /// Zeros, if there is memory for them.
    pub fn new(rows: usize) -> Option<Rows<COLUMNS>> {
        Some(Rows { rows: try_zeroed_vec(rows).ok()?, is_used: try_zeroed_vec(rows).ok()? })
    }

    /// A row to be written.
    #[inline(always)]
    pub fn row(&mut self, row: usize) -> &mut [i16; COLUMNS] {
        self.is_used[row] = true;
        &mut self.rows[row]
    }

    /// Zeros again.
    pub fn clear(&mut self) {
        for (row, is_used) in self.rows.iter_mut().zip(&mut self.is_used) {
            if std::mem::take(is_used) {
                row.fill(0);
            }
        }
    }
}

impl<const COLUMNS: usize> Index<usize> for Rows<COLUMNS> {
    type Output = [i16; COLUMNS];

    #[inline(always)]
    fn index(&self, row: usize) -> &[i16; COLUMNS] {
        &self.rows[row]
    }
}
