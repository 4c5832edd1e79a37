//! A survey of games as a picture: scores, what they are worth, pieces on the board, lengths.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::curve::{expected, fitted_scale};
use crate::survey::{BIN, LARGEST, Survey};

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const SIZE: (u32, u32) = (1000, 700);

/// Bins with fewer positions say nothing about the points that a score is worth.
const FEW: f64 = 30.0;

/// The games' lengths are put together by so many plies.
const LENGTHS: usize = 10;

pub fn draw(survey: &Survey, path: &Path) -> Result<(), Box<dyn Error>> {
    let page = SVGBackend::new(path, SIZE).into_drawing_area();
    page.fill(&WHITE)?;
    let panels = page.split_evenly((2, 2));

    let inner = &survey.bins[1..survey.bins.len() - 1];
    let scores = inner.iter().map(|bin| (bin.score, bin.positions));
    bars(&panels[0], "score of the side to move", f64::from(BIN), scores)?;

    points(&panels[1], survey)?;

    let pieces = survey.pieces.iter().enumerate().skip(2);
    let pieces = pieces.map(|(pieces, &positions)| (pieces as f64, positions as f64));
    bars(&panels[2], "pieces on the board", 1.0, pieces)?;

    let lengths = survey.lengths.chunks(LENGTHS).enumerate().map(|(i, games)| {
        ((i * LENGTHS) as f64 + 0.5 * LENGTHS as f64, games.iter().sum::<u64>() as f64)
    });
    bars(&panels[3], "plies of a game", LENGTHS as f64, lengths)?;
    page.present()?;
    Ok(())
}

/// A bar of this width around each place.
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

/// The points that scores got, and the curve that fits them.
fn points(panel: &Panel, survey: &Survey) -> Result<(), Box<dyn Error>> {
    let scale = fitted_scale(&survey.bins);
    let range = -f64::from(LARGEST) / 2.0..f64::from(LARGEST) / 2.0;
    let mut chart = ChartBuilder::on(panel)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(70)
        .build_cartesian_2d(range.clone(), 0.0..1.0)?;
    let name = format!("points by score, and the curve with scale {scale:.0}");
    chart
        .configure_mesh()
        .x_desc(name)
        .x_label_formatter(&|score| format!("{score:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    let known = survey.bins.iter().filter(|bin| bin.positions >= FEW && range.contains(&bin.score));
    chart.draw_series(
        known.map(|bin| Circle::new((bin.score, bin.points / bin.positions), 2, BLUE.filled())),
    )?;
    let places = (-LARGEST / 2..=LARGEST / 2).step_by(BIN as usize).map(f64::from);
    chart.draw_series(LineSeries::new(places.map(|score| (score, expected(score, scale))), RED))?;
    Ok(())
}
