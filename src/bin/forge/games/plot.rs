//! Statistics as charts: scores, points by score, pieces on the board, game lengths.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::statistics::{BIN_WIDTH, MAX_SCORE, Statistics};
use crate::sigmoid::{expected_points, fitted_scale};

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const SIZE: (u32, u32) = (1000, 700);

/// Bins with fewer positions are left out of the points.
const MIN_POSITIONS: f64 = 30.0;

/// Plies in a bar of the lengths.
const LENGTH_BAR: usize = 10;

pub fn draw(statistics: &Statistics, path: &Path) -> Result<(), Box<dyn Error>> {
    let page = SVGBackend::new(path, SIZE).into_drawing_area();
    page.fill(&WHITE)?;
    let panels = page.split_evenly((2, 2));

    let inner = &statistics.bins[1..statistics.bins.len() - 1];
    let scores = inner.iter().map(|bin| (bin.score, bin.positions));
    bars(&panels[0], "score of the side to move", f64::from(BIN_WIDTH), scores)?;

    points(&panels[1], statistics)?;

    let pieces = statistics.pieces.iter().enumerate().skip(2);
    let pieces = pieces.map(|(pieces, &positions)| (pieces as f64, positions as f64));
    bars(&panels[2], "pieces on the board", 1.0, pieces)?;

    let lengths = statistics.lengths.chunks(LENGTH_BAR).enumerate().map(|(i, games)| {
        ((i * LENGTH_BAR) as f64 + 0.5 * LENGTH_BAR as f64, games.iter().sum::<u64>() as f64)
    });
    bars(&panels[3], "plies of a game", LENGTH_BAR as f64, lengths)?;
    page.present()?;
    Ok(())
}

/// A bar of this width around each point of the axis.
fn bars(
    panel: &Panel,
    name: &str,
    width: f64,
    bars: impl Iterator<Item = (f64, f64)>,
) -> Result<(), Box<dyn Error>> {
    let bars: Vec<(f64, f64)> = bars.collect();
    let most = bars.iter().map(|&(_, height)| height).fold(1.0, f64::max);
    let first = bars.first().map_or(0.0, |&(place, _)| place - width);
    let last = bars.last().map_or(1.0, |&(place, _)| place + width);
    let mut chart = ChartBuilder::on(panel)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(70)
        .build_cartesian_2d(first..last, 0.0..1.05 * most)?;
    chart
        .configure_mesh()
        .x_desc(name)
        .x_label_formatter(&|place| format!("{place:.0}"))
        .y_label_formatter(&|height| format!("{height:.0}"))
        .disable_x_mesh()
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(bars.iter().map(|&(place, height)| {
        let corners = [(place - 0.5 * width, 0.0), (place + 0.5 * width, height)];
        Rectangle::new(corners, BLUE.mix(0.6).filled())
    }))?;
    Ok(())
}

/// Points by score, and the fitted sigmoid.
fn points(panel: &Panel, statistics: &Statistics) -> Result<(), Box<dyn Error>> {
    let scale = fitted_scale(&statistics.bins);
    let range = -f64::from(MAX_SCORE) / 2.0..f64::from(MAX_SCORE) / 2.0;
    let mut chart = ChartBuilder::on(panel)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(70)
        .build_cartesian_2d(range.clone(), 0.0..1.0)?;
    let name = format!("points by score, sigmoid with scale {scale:.0}");
    chart
        .configure_mesh()
        .x_desc(name)
        .x_label_formatter(&|score| format!("{score:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    let known = statistics
        .bins
        .iter()
        .filter(|bin| bin.positions >= MIN_POSITIONS && range.contains(&bin.score));
    chart.draw_series(
        known.map(|bin| Circle::new((bin.score, bin.points / bin.positions), 2, BLUE.filled())),
    )?;
    let places = (-MAX_SCORE / 2..=MAX_SCORE / 2).step_by(BIN_WIDTH as usize).map(f64::from);
    chart.draw_series(LineSeries::new(
        places.map(|score| (score, expected_points(score, scale))),
        RED,
    ))?;
    Ok(())
}
