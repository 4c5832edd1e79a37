//! How the loss went down, as a table and as a picture.

use std::error::Error;
use std::fmt::Write;

use bytemuck::{Pod, Zeroable};
use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 540);

/// A pass over some of the games.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Point {
    /// Positions learned from so far, repeated ones counted again.
    pub positions: f64,
    pub rate: f64,
    /// The mean squared error while learning, and on games held out.
    pub training: f64,
    pub validation: f64,
    /// The log loss of the results of games held out.
    pub results: f64,
}

pub fn csv(points: &[Point]) -> String {
    let mut text = "positions,rate,training loss,validation loss,log loss of results\n".to_string();
    for point in points {
        let Point { positions, rate, training, validation, results } = point;
        writeln!(text, "{positions},{rate:.3e},{training:.6},{validation:.6},{results:.6}").ok();
    }
    text
}

/// The curve could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the loss curve: {0}")]
pub struct DrawError(String);

pub fn svg(points: &[Point]) -> Result<String, DrawError> {
    let mut text = String::new();
    draw(points, &mut text).map_err(|error| DrawError(error.to_string()))?;
    Ok(text)
}

fn draw(points: &[Point], text: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    // The first pass begins from noise, and its mean would dwarf all that is learned later.
    let later = points.iter().skip(1);
    let lines = [
        ("training", BLUE, later.map(|p| (p.positions / 1e6, p.training)).collect()),
        ("validation", RED, points.iter().map(|p| (p.positions / 1e6, p.validation)).collect()),
    ];
    let losses = || lines.iter().flat_map(|(.., line): &(_, _, Vec<(f64, f64)>)| line).map(|p| p.1);
    let (least, most) = (losses().fold(f64::MAX, f64::min), losses().fold(0.0, f64::max));
    let last = points.last().map_or(0.0, |point| point.positions / 1e6);
    let mut chart = ChartBuilder::on(&area)
        .caption("Loss", ("sans-serif", 24))
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..last, (0.99 * least)..(1.01 * most))?;
    chart
        .configure_mesh()
        .x_desc("millions of positions")
        .y_desc("mean squared error")
        .y_label_formatter(&|loss| format!("{loss:.4}"))
        .draw()?;
    for (name, color, line) in lines {
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color));
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    area.present()?;
    Ok(())
}
