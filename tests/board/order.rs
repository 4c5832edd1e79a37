//! The moves of each stage and their order, compared with a generator that visits one square after the other.

use crate::common::{trials, varied_positions};
use crate::rules::{attackers, board_without};
use engine::board::square::{EAST, JUMPS, RAYS, WEST};
use engine::board::{CastlingSide, Move, MoveList, PieceType, Position, Square, Stage};

#[test]
fn moves_come_in_order() {
    let mut count = 0;
    for position in varied_positions(71).take(trials(100_000)) {
        let moves = moves_in_order(&position);
        for stage in [Stage::All, Stage::Noisy, Stage::Quiet] {
            let mut list = MoveList::new();
            position.generate(stage, &mut list);
            let wanted = |&&mv: &&Move| match stage {
                Stage::All => true,
                Stage::Noisy => position.is_noisy(mv),
                Stage::Quiet => !position.is_noisy(mv),
            };
            assert!(list.iter().eq(moves.iter().filter(wanted)), "{position:?} {stage:?}");
        }
        assert_eq!(position.count_moves() as usize, moves.len(), "{position:?}");
        count += moves.len();
    }
    println!("{count} moves came in order");
}

/// The legal moves: the pseudo-legal ones that leave no king attacked.
fn moves_in_order(position: &Position) -> Vec<Move> {
    let us = position.side();
    let king = position.king(us);
    let mut moves = steps(position, king, &RAYS, 1);
    moves.extend(CastlingSide::BOTH.into_iter().filter_map(|side| castling(position, side)));
    for (from, piece) in position.pieces().filter(|(_, piece)| piece.color() == us) {
        moves.extend(match piece.kind() {
            PieceType::Knight => steps(position, from, &JUMPS, 1),
            PieceType::Bishop => steps(position, from, &[RAYS[0], RAYS[2], RAYS[5], RAYS[7]], 7),
            PieceType::Rook => steps(position, from, &[RAYS[1], RAYS[3], RAYS[4], RAYS[6]], 7),
            PieceType::Queen => steps(position, from, &RAYS, 7),
            PieceType::Pawn | PieceType::King => Vec::new(),
        });
    }
    let pawn_moves = pawn_moves(position);
    let promotes = |&(_, to): &(Square, Square)| matches!(to.rank(), 0 | 7);
    for (from, to) in pawn_moves.iter().copied().filter(promotes) {
        moves.extend(PieceType::PROMOTIONS.map(|kind| Move::promotion(from, to, kind)));
    }
    let others = pawn_moves.iter().filter(|mv| !promotes(mv));
    moves.extend(others.map(|&(from, to)| Move::normal(from, to)));
    moves.extend(position.en_passant().into_iter().flat_map(|target| {
        [WEST, EAST].into_iter().filter_map(move |step| {
            let from = target.step(step - us.forward())?;
            let takes = position.piece_at(from) == Some(PieceType::Pawn.of(us));
            takes.then(|| Move::en_passant(from, target))
        })
    }));
    moves.retain(|&mv| mv.is_castling() || is_safe(position, mv));
    moves
}

/// Normal moves of a piece, in the order of its steps.
fn steps(position: &Position, from: Square, steps: &[i8], farthest: usize) -> Vec<Move> {
    let is_own = |to| position.piece_at(to).is_some_and(|piece| piece.color() == position.side());
    let ray = |&step: &i8| {
        let mut open = true;
        from.ray(step).take(farthest).take_while(move |&to| {
            std::mem::replace(&mut open, position.is_empty(to)) && !is_own(to)
        })
    };
    steps.iter().flat_map(ray).map(|to| Move::normal(from, to)).collect()
}

/// Captures to the west and to the east, single and double steps, each by destination.
fn pawn_moves(position: &Position) -> Vec<(Square, Square)> {
    let us = position.side();
    let ahead = us.forward();
    let mut moves = Vec::new();
    for step in [ahead + WEST, ahead + EAST, ahead, 2 * ahead] {
        for to in Square::all() {
            let Some(from) = to.step(-step) else { continue };
            let goes = match position.piece_at(to) {
                Some(target) => step % 16 != 0 && target.color() != us,
                None if step == 2 * ahead => {
                    from.rank_for(us) == 1
                        && from.step(ahead).is_some_and(|square| position.is_empty(square))
                }
                None => step == ahead,
            };
            if goes && position.piece_at(from) == Some(PieceType::Pawn.of(us)) {
                moves.push((from, to));
            }
        }
    }
    moves
}

/// Castling, if no other piece is in the way of king and rook, no square of the king's path is attacked, and
/// its destination is safe once the rook has left its square.
fn castling(position: &Position, side: CastlingSide) -> Option<Move> {
    let us = position.side();
    let (king, rook) = (position.king(us), position.castling_rook(us, side)?);
    let (king_file, rook_file) = match side {
        CastlingSide::King => (6, 5),
        CastlingSide::Queen => (2, 3),
    };
    let board = board_without(position, &[king, rook]);
    let way = |from: Square, file: u8| {
        let files = from.file().min(file)..=from.file().max(file);
        files.filter_map(move |file| Square::new(file, from.rank()))
    };
    let free = way(king, king_file).chain(way(rook, rook_file));
    let with_rook = board_without(position, &[king]);
    let legal = free.into_iter().all(|square| board.piece_at(square).is_none())
        && way(king, king_file).all(|square| attackers(&with_rook, square, !us).is_empty())
        && attackers(&board, Square::new(king_file, king.rank())?, !us).is_empty();
    legal.then(|| Move::castling(king, rook))
}

fn is_safe(position: &Position, mv: Move) -> bool {
    let us = position.side();
    let mut board = board_without(position, &[mv.from()]);
    if mv.is_en_passant()
        && let Some(passed) = mv.to().step(-us.forward())
    {
        board.take(passed);
    }
    let mover = position.piece_at(mv.from()).expect("a piece moves");
    board.put(mover, mv.to());
    let king = if mover.is(PieceType::King) { mv.to() } else { position.king(us) };
    attackers(&board, king, !us).is_empty()
}
