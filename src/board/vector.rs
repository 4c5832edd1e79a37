//! The backend for processors with vectors: all that a square sees at once.
//!
//! The board is 128 bytes, and a few instructions (on AVX-512, one) can fetch any 64 of them into a
//! register. So from any square the bytes of its 64 lanes (see `lanes.rs`) come in four steps:
//!
//! ```text
//!   lane      0   1   2  …  6    7     8   9   10 …  14   15   …  56  57  …  62   63
//!   step     -17 -34 -51 … -119 -33   -16 -32 -48 … -112 -31   …  17  34  …  119  33
//!            └ ray south-west ┘ jump  └─── ray south ──┘ jump      ray north-east  jump
//!
//!   squares  = square + step             one addition
//!   on board = squares & 0x88 == 0       one test: 64 bits, a lane each
//!   pieces   = board[squares]            one permute
//!   occupied = pieces != 0               one test: 64 bits, a lane each
//! ```
//!
//! From there on a ray is eight bits of an ordinary 64-bit number. The nearest piece on each ray
//! is the lowest bit of its byte; subtracting one from every byte flips the bits up to it, so that
//! an exclusive or leaves what is seen:
//!
//! ```text
//!   occupied      1 0 1 0 0 1 0 0      bit 7 is always set here, so that no byte borrows
//!   minus one     1 0 1 0 0 0 1 1
//!   seen          0 0 0 0 0 1 1 1      two empty squares and the piece behind them
//! ```
//!
//! A piece is the set of lanes it may use, a pin is another, and its moves are the lanes that
//! remain. Where only sets of squares matter (which are occupied, where may a piece go?), the lanes
//! that lead to a set come straight from its 64 bits.
//!
//! What all pieces of a side attack is not seen from squares one by one, but found for all at once
//! (see [`rose`]).
//!
//! What a processor's registers can do is behind [`Register`]; the instructions themselves, and all
//! `unsafe`, are in [`avx512`] and [`avx2`].

use std::marker::PhantomData;

use super::lanes::{lane, reaches};
use super::see::see_ge;
use super::{
    Attacks, Backend, Color, Move, MoveList, Piece, Position, Scalar, Square, SquareSet, Stage,
};

mod avx2;
#[cfg(avx512_backend)]
mod avx512;
mod generate;
mod register;
mod rose;
mod see;
mod view;

use generate::{MoveCount, generate};
use register::Register;
use rose::Army;
use see::SeeLanes;
use view::Board;

/// The backend for processors with AVX-512, its VBMI and VBMI2 among it.
#[cfg(avx512_backend)]
pub type Avx512 = Vector<avx512::Zmm>;

/// The backend for processors with AVX2.
pub type Avx2 = Vector<avx2::YmmPair>;

/// The backend that works with these registers.
pub struct Vector<R>(PhantomData<R>);

impl<R: Register> Backend for Vector<R> {
    const NAME: &'static str = R::NAME;

    #[inline(always)]
    fn generate_usual(position: &Position, stage: Stage, list: &mut MoveList) {
        generate::<R>(position, stage, list);
    }

    #[inline(always)]
    fn count_usual(position: &Position) -> u32 {
        let mut count = MoveCount(0);
        generate::<R>(position, Stage::All, &mut count);
        count.0
    }

    #[inline(always)]
    fn moved(position: &Position, mv: Move, en_passant: Option<Square>) -> Position {
        if mv.is_normal() {
            R::moved(position, mv, en_passant)
        } else {
            Scalar::moved(position, mv, en_passant)
        }
    }

    #[inline(always)]
    fn occupied_by(position: &Position, color: Color) -> SquareSet {
        let squares = Board::<R>::of(position).squares();
        SquareSet::from_bits(squares.meets(R::splat(color.bit())))
    }

    #[inline(always)]
    fn differences(one: &Position, other: &Position) -> SquareSet {
        let [one, other] = [one, other].map(|position| Board::<R>::of(position).squares());
        SquareSet::from_bits(one.differs(other))
    }

    #[inline(always)]
    fn sees(position: &Position, piece: Piece, from: Square, to: Square) -> bool {
        let seen = Board::<R>::of(position).look(from).seen();
        reaches(piece, from, to) && seen >> (lane(from, to) & 63) & 1 != 0
    }

    #[inline(always)]
    fn keeps_king_safe(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let (from, to) = (mv.from(), mv.to());
        let king = if from == position.king(us) { to } else { position.king(us) };
        let moved = Board::<R>::of(position).with(from, 0).with(to, position.byte_at(from));
        moved.look(king).attackers(!us) == 0
    }

    #[inline]
    fn checkers(position: &Position) -> SquareSet {
        let (us, king) = (position.side(), position.king(position.side()));
        R::squares_of(king, Board::<R>::of(position).look(king).check_lanes(us).checkers)
    }

    #[inline]
    fn pinned(position: &Position, color: Color) -> SquareSet {
        let king = position.king(color);
        R::squares_of(king, Board::<R>::of(position).look(king).check_lanes(color).pinned)
    }

    #[inline(always)]
    fn is_attacked(position: &Position, square: Square, by: Color) -> bool {
        Board::<R>::of(position).look(square).attackers(by) != 0
    }

    fn attacks(position: &Position, by: Color) -> Attacks {
        let squares = Board::<R>::of(position).squares();
        let empty = SquareSet::from_bits(squares.equals(0));
        Army::of(squares, by).attacks::<R::Rose>(empty)
    }

    #[inline]
    fn sight(position: &Position, from: Square) -> SquareSet {
        R::squares_of(from, Board::<R>::of(position).look(from).reach())
    }

    /// Plays the move on a copy of the registers and looks from the enemy's king.
    #[inline]
    fn gives_check(position: &Position, mv: Move) -> bool {
        let us = position.side();
        let king = position.king(!us);
        if !mv.is_normal() {
            return Self::is_attacked(&Scalar::moved(position, mv, None), king, us);
        }
        let mover = position.byte_at(mv.from());
        let moved = Board::<R>::of(position).with(mv.from(), 0).with(mv.to(), mover);
        moved.look(king).attackers(us) != 0
    }

    #[inline]
    fn see_ge(position: &Position, mv: Move, threshold: i32) -> bool {
        see_ge(position, mv, threshold, || {
            let mut captures = SeeLanes::<R>::after(position, mv);
            move |side| captures.pop_least_valuable(side)
        })
    }
}
