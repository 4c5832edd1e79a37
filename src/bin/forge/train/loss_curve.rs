//! The loss during training, as CSV and as a chart.

use std::error::Error;
use std::fmt::Write;

use bytemuck::{Pod, Zeroable};
use plotters::prelude::*;

const SIZE: (u32, u32) = (960, 540);

/// After a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LossPoint {
    /// Positions trained on so far, each as often as it came.
    pub positions: f64,
    pub learning_rate: f64,
    /// Mean squared errors.
    pub training: f64,
    pub validation: f64,
    /// The log loss of the results in the validation set.
    pub results: f64,
}

pub fn csv(points: &[LossPoint]) -> String {
    let mut text =
        "positions,learning rate,training loss,validation loss,log loss of results\n".to_string();
    for point in points {
        let LossPoint { positions, learning_rate, training, validation, results } = point;
        writeln!(
            text,
            "{positions},{learning_rate:.3e},{training:.6},{validation:.6},{results:.6}"
        )
        .ok();
    }
    text
}

#[derive(Debug, thiserror::Error)]
#[error("the loss curve: {0}")]
pub struct DrawError(String);

pub fn svg(points: &[LossPoint]) -> Result<String, DrawError> {
    let mut text = String::new();
    draw(points, &mut text).map_err(|error| DrawError(error.to_string()))?;
    Ok(text)
}

fn draw(points: &[LossPoint], text: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    // The first chunk begins with random weights, and its mean would dwarf all later ones.
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
