//! Tells a line in words: its motifs, its moves, and the material that it wins.

use std::mem::discriminant;

use super::material::{HORIZON, Material};
use super::motifs::{
    Found, Guard, Line, Motif, PAWN, find, is_piece, list, named, phrase, value_at, winnings,
};
use engine::board::SquareSet;

/// The most plies that are told before the move with the motif.
const LEADING: usize = 4;

/// The most plies that a loss without a motif may take.
const FAR: usize = 6;

/// A line, and the motifs that are told of it.
pub struct Story {
    pub line: Line,
    /// The most telling motif, and perhaps a second one that adds to it.
    pub told: Vec<Found>,
}

impl Story {
    /// Leaves out motifs that the other line has too at the same ply, unless this one shows their gain, and what
    /// both take. A line may end in mate although its score promises none, for its replies are not forced; only
    /// a line that `mates` is told as a mate.
    pub fn new(line: Line, instead: Option<&Line>, mates: bool) -> Story {
        let own = instead.map(find).unwrap_or_default();
        let first = line.first;
        let own = own.iter().filter(|found| found.ply == first).map(|found| &found.motif);
        let told = told(&line, &own.collect::<Vec<_>>(), mates);
        Story { line, told }
    }

    /// Whether the line shows what its motifs win.
    pub fn pays(&self) -> bool {
        self.told.first().is_some_and(|found| found.pays)
    }

    /// Whether a motif is the reason that the line wins.
    fn explains(&self) -> bool {
        self.told.first().is_some_and(|found| found.pays || found.motif.is_strong())
    }

    /// The worth of what the main motif attacks, in centipawns.
    pub fn attacked(&self) -> i32 {
        let worth = |found: &Found| {
            let after = &self.line.positions[found.ply + 1];
            found.motif.attacked().into_iter().map(|square| value_at(after, square)).max()
        };
        self.told.first().and_then(worth).unwrap_or(0)
    }

    /// Whether the first move already has the main motif.
    pub fn is_direct(&self) -> bool {
        self.told.first().is_some_and(|found| found.ply == self.line.first)
    }

    /// Whether the motifs explain nothing.
    pub fn is_idle(&self) -> bool {
        self.told.first().is_none_or(|found| !found.pays && found.motif.is_idle())
    }

    /// Whether what is told is no reason to win.
    pub fn is_quiet(&self) -> bool {
        self.is_idle() || self.told.first().is_some_and(|found| found.motif.is_quiet())
    }

    /// The moves from one ply up to another.
    pub fn moves(&self, from: usize, to: usize) -> String {
        let end = self.line.moves.len().min(to + 1);
        self.line.positions[from].san_line(&self.line.moves[from..end]).join(" ")
    }

    fn leading(&self, ply: usize) -> String {
        self.moves(self.line.first, ply)
    }

    /// The hero's motifs: "forks the king and the rook on d1".
    pub fn does(&self) -> String {
        self.deeds(third_person, None)
    }

    /// The hero's motifs and their result, with verbs in this form: "forking the king and the rook on d1 and
    /// winning a rook".
    fn deeds(&self, form: fn(&str) -> String, result: Option<String>) -> String {
        let deed = |found| form(&phrase(&self.line, found));
        let mut text = String::new();
        let mut deeds = vec![deed(&self.told[0])];
        // "Taking the pawn and winning a rook": it wins more than what it takes.
        if let Found { ply, motif: Motif::Hanging { taken, .. }, .. } = self.told[0]
            && result.is_some()
        {
            deeds[0] = form(&format!("take {}", named(&self.line.positions[ply], taken)));
        }
        if let Some(second) = self.told.get(1) {
            let moves = self.moves(self.told[0].ply + 1, second.ply);
            if !moves.is_empty() {
                text = format!("{}, then {moves} ", deeds.remove(0));
            }
            deeds.push(deed(second));
        }
        deeds.extend(result.as_deref().map(form));
        text + &list(&deeds)
    }

    /// "lets" with the move that the first move of the line allows, and its motifs.
    pub fn lets(&self) -> String {
        let (main, after) = (self.told[0], &self.line.positions[1]);
        let leading = self.leading(main.ply);
        let (text, hangs) = match main.motif {
            Motif::Hanging { taken, .. } if taken == self.line.moves[0].to() => {
                (format!("puts {} where {leading} takes it", named(after, taken)), true)
            }
            Motif::Hanging { taken, guard } => {
                let how = match guard {
                    Guard::None => "undefended".to_string(),
                    Guard::Weak => "without enough defenders".to_string(),
                    Guard::Worthless { by } => format!("to a {}", by.name()),
                };
                (format!("leaves {} {how}: {leading}", named(after, taken)), true)
            }
            _ => (format!("lets {leading} {}", phrase(&self.line, &main)), false),
        };
        let Some(second) = self.told.get(1) else { return text };
        let (moves, does) = (self.moves(main.ply + 1, second.ply), phrase(&self.line, second));
        match (moves.is_empty(), hangs) {
            (true, true) => format!("{text}, {}", gerund(&does)),
            (true, false) => format!("{text} and {does}"),
            (false, true) => format!("{text}, then {moves} {}", third_person(&does)),
            (false, false) => format!("{text}, then {moves} {does}"),
        }
    }

    pub fn misses(&self, result: Option<String>) -> String {
        format!("misses {}, {}", self.leading(self.told[0].ply), self.deeds(gerund, result))
    }

    /// "loses" with the material that the line wins from the side that allows it, unless it wins it too late to
    /// be the reason.
    pub fn loses(&self, lost: Material) -> Option<String> {
        if !self.explains() {
            return self.winning(FAR).map(|moves| format!("{}: {moves}", lost.as_loss()));
        }
        let all =
            if self.is_all(lost) { String::new() } else { format!(", and {}", lost.as_loss()) };
        Some(self.lets() + &all)
    }

    /// "misses" with the material that the line would have won, unless it wins it too late to be the reason: its
    /// replies are not forced.
    pub fn would_win(&self, won: Material) -> Option<String> {
        if !self.explains() {
            let moves = self.winning(LEADING)?;
            return Some(format!("misses {moves}, winning {}", won.as_gain()));
        }
        Some(self.misses((!self.is_all(won)).then(|| format!("win {}", won.as_gain()))))
    }

    /// Whether the motifs name all that the line wins.
    fn is_all(&self, won: Material) -> bool {
        match self.told[..] {
            [Found { motif: Motif::Hanging { .. }, .. }] => {
                self.line.turns().next().is_some_and(|turn| turn.taken() == won.worth())
            }
            [Found { motif: Motif::Promotion { .. }, .. }] => won == Material::NEW_QUEEN,
            _ => false,
        }
    }

    /// The moves of the line up to the last gain, if it comes within some plies, or by checks.
    fn winning(&self, within: usize) -> Option<String> {
        let hero = self.line.hero();
        let all = Material::settled(&self.line, hero).worth();
        let end = self.line.turns().find(|turn| {
            let won = Material::after(&self.line, turn.ply + 1, hero).worth();
            won - winnings(turn.after(), turn.to()) >= all
        });
        let end = end.map_or(self.line.first, |turn| turn.ply);
        let mut before = self.line.turns().take_while(|turn| turn.ply < end);
        let is_near = end - self.line.first <= within || before.all(|turn| turn.after().in_check());
        is_near.then(|| self.leading(end))
    }

    /// A mate with its pattern and its first moves, if they are known.
    pub fn mate(&self, moves: i32) -> String {
        let pattern = match self.told.first().map(|found| found.motif) {
            Some(Motif::Mate { moves: count, pattern }) if count as i32 == moves => pattern,
            _ => return format!("mate in {moves}"),
        };
        let pattern = pattern.map_or(String::new(), |name| format!(" ({name} mate)"));
        let line = self.leading(self.line.first + LEADING);
        let how = self.told.get(1).map_or(String::new(), |found| {
            let does = third_person(&phrase(&self.line, found));
            format!("; {} {does}", self.moves(found.ply, found.ply))
        });
        format!("mate in {moves}{pattern}: {line}{how}")
    }
}

/// The most telling motif, which is the first that wins something or else one of the first move, and the next
/// one that adds to it.
fn told(line: &Line, own: &[&Motif], mates: bool) -> Vec<Found> {
    let is_told = |found: &Found| match found.ply - line.first {
        0 => true,
        plies if matches!(found.motif, Motif::Promotion { .. }) => found.pays && plies <= HORIZON,
        // What a move allows is to be forced. In what was missed, the best replies have not helped, though a quiet
        // move before the last one leaves them too much choice.
        plies if line.first > 0 => {
            found.pays && plies <= LEADING && (line.is_forced_to(found.ply) || strikes(line, found))
        }
        plies => found.pays && plies <= LEADING && (plies < LEADING || line.forces(2)),
    };
    let is_common = |found: &Found| {
        let quiet = found.motif.is_quiet();
        let is_same = |own: &Motif| quiet && discriminant(own) == discriminant(&found.motif);
        let takes_too = |own: &Motif| {
            found.ply == line.first
                && found.motif.taken().is_some_and(|taken| own.taken() == Some(taken))
        };
        own.iter()
            .any(|&own| takes_too(own) || !found.pays && (is_same(own) || *own == found.motif))
    };
    let is_promised = |found: &Found| mates || !matches!(found.motif, Motif::Mate { .. });
    let found = find(line).into_iter().filter(|found| !is_common(found));
    let all: Vec<Found> = found.filter(is_promised).collect();
    let found: Vec<Found> = all.iter().copied().filter(is_told).collect();
    let weight = |found: &Found| match found.motif {
        Motif::Mate { .. } => 0,
        // A saved draw matters more than captures on the way.
        Motif::Perpetual | Motif::Stalemate => 1,
        // A capture matters more than an attack.
        Motif::Hanging { taken, .. } if is_piece(&line.positions[found.ply], taken) => 2,
        motif if !motif.is_quiet() => 3,
        _ => 4,
    };
    let main = found.iter().min_by_key(|found| (!found.pays, found.ply, weight(found)));
    // Where the first move shows nothing, the next one may, if the reply was forced; or in what was missed if a
    // piece is attacked.
    let is_next = |found: &Found| {
        let after = &line.positions[found.ply + 1];
        let attacks_piece = || found.motif.attacked().into_iter().any(|at| is_piece(after, at));
        let is_trade = matches!(found.motif, Motif::Trade { .. });
        let is_quiet = found.motif.is_quiet() || line.takes(found.ply) && !is_trade;
        found.ply == line.first + 2
            && !is_quiet
            && !found.motif.is_idle()
            && match line.first {
                0 => line.forces(0) || attacks_piece(),
                _ => line.is_forced_to(found.ply) || strikes(line, found),
            }
    };
    let is_enough = |found: &Found| {
        found.pays || !found.motif.is_quiet() || line.first == 0 && !found.motif.is_idle()
    };
    let main = main.filter(|found| is_enough(found)).or(all.iter().find(|it| is_next(it)).or(main));
    let Some(&main) = main else { return Vec::new() };
    // Beside a motif that wins something, one that does not is a distraction.
    let may_be_idle = !main.pays || matches!(main.motif, Motif::Mate { .. });
    let adds = |found: &&Found| {
        found.ply >= main.ply
            && (found.pays || may_be_idle && found.ply == main.ply)
            && discriminant(&found.motif) != discriminant(&main.motif)
            && found.motif.adds_to(&main.motif)
    };
    let second = found.iter().filter(adds).min_by_key(|found| (found.ply, !found.pays));
    [main].into_iter().chain(second.copied()).collect()
}

/// Whether the hero's second move strikes what has stood there since before the first, so that any reply might
/// have met it: a piece, or with a pawn or a minor piece a pawn.
fn strikes(line: &Line, found: &Found) -> bool {
    let (begin, before) = (&line.positions[line.first], &line.positions[found.ply]);
    let is_light = value_at(before, line.moves[found.ply].from()) <= 3 * PAWN;
    let stood = |square| {
        begin.piece_at(square) == before.piece_at(square) && (is_light || is_piece(before, square))
    };
    let targets = match found.motif {
        Motif::Pin { pinned, .. } => SquareSet::one(pinned),
        motif => motif.attacked(),
    };
    let is_open = matches!(found.motif, Motif::DiscoveredAttack { .. });
    found.ply == line.first + 2 && !is_open && !targets.is_empty() && targets.into_iter().all(stood)
}

/// "forks the king" for "fork the king".
fn third_person(phrase: &str) -> String {
    let (verb, rest) = phrase.split_at(phrase.find(' ').unwrap_or(phrase.len()));
    format!("{verb}s{rest}")
}

/// "forking the king" for "fork the king".
fn gerund(phrase: &str) -> String {
    let (verb, rest) = phrase.split_at(phrase.find(' ').unwrap_or(phrase.len()));
    let stem = verb.strip_suffix('e').unwrap_or(verb);
    let doubled = match verb {
        "pin" | "win" => "n",
        "trap" | "stop" => "p",
        _ => "",
    };
    format!("{stem}{doubled}ing{rest}")
}
