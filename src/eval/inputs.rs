//! Lists of inputs. A list is written once, without a side, and then read by both perspectives.

use wide::u16x32;

use super::features::{Perspective, place};
use super::file::{INPUTS, THREAT_INPUTS};
use crate::board::{MAX_PIECES, Piece, Square};

/// At most two inputs for each piece; they are read in whole vectors.
const VECTORS: usize = 2 * MAX_PIECES / LANES + 1;
const LANES: usize = 32;

/// What is on some squares.
pub struct Inputs {
    /// The places of pieces as White sees them, and the first input of their kind.
    places: [u16x32; VECTORS],
    firsts: [u16x32; VECTORS],
    count: usize,
}

/// The same list as a perspective sees it.
pub struct SeenInputs {
    list: [u16x32; VECTORS],
    count: usize,
}

impl Inputs {
    #[inline(always)]
    pub fn none() -> Inputs {
        Inputs { places: [u16x32::ZERO; VECTORS], firsts: [u16x32::ZERO; VECTORS], count: 0 }
    }

    /// Adds what is on a square: its piece if `with_piece`, and its danger if there is any. All is
    /// written anyhow, and then counted or not: branches would often be guessed wrong.
    #[inline(always)]
    pub fn push(&mut self, piece: Option<Piece>, square: Square, danger: u16, with_piece: bool) {
        let place = place(piece, square);
        self.write(place, THREAT_INPUTS as u16);
        self.count += usize::from(piece.is_some() & with_piece);
        self.write(place, INPUTS as u16 * danger.saturating_sub(1));
        self.count += usize::from(danger > 0);
    }

    #[inline(always)]
    fn write(&mut self, place: u16, first: u16) {
        let (vector, lane) = (self.count / LANES, self.count % LANES);
        self.places[vector].as_mut_array()[lane] = place;
        self.firsts[vector].as_mut_array()[lane] = first;
    }

    #[inline(always)]
    pub fn seen_by(&self, perspective: Perspective) -> SeenInputs {
        let mut list = [perspective.inputs(self.places[0], self.firsts[0]); VECTORS];
        if self.count > LANES {
            for (vector, inputs) in list.iter_mut().enumerate() {
                *inputs = perspective.inputs(self.places[vector], self.firsts[vector]);
            }
        }
        SeenInputs { list, count: self.count }
    }
}

impl SeenInputs {
    #[inline(always)]
    pub fn as_slice(&self) -> &[u16] {
        &bytemuck::cast_slice(&self.list)[..self.count]
    }
}
