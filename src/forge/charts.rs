//! Charts as SVG.

use std::error::Error;
use std::ops::Range;

use plotters::data::float::FloatPrettyPrinter;
use plotters::prelude::*;

pub type Points = Vec<(f64, f64)>;

pub struct Chart {
    pub name: String,
    pub x: Range<f64>,
    pub y: Range<f64>,
    pub series: Vec<Series>,
}

pub enum Series {
    Line(RGBColor, Points),
    Dots(Points),
    /// Bars of this width, each centered on its point.
    Bars(f64, Points),
}

#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn: {0}")]
pub struct ChartError(String);

/// A page of charts, each of this size.
pub fn svg(charts: &[Chart], columns: usize, size: (u32, u32)) -> Result<String, ChartError> {
    let mut page = String::new();
    draw(charts, columns, size, &mut page).map_err(|error| ChartError(error.to_string()))?;
    Ok(page)
}

fn draw(
    charts: &[Chart],
    columns: usize,
    size: (u32, u32),
    page: &mut String,
) -> Result<(), Box<dyn Error>> {
    let columns = columns.min(charts.len());
    let rows = charts.len().div_ceil(columns);
    let size = (size.0 * columns as u32, size.1 * rows as u32);
    let area = SVGBackend::with_string(page, size).into_drawing_area();
    area.fill(&WHITE)?;
    let printer = FloatPrettyPrinter { allow_scientific: false, min_decimal: 0, max_decimal: 4 };
    let label = |number: &f64| printer.print(*number);
    for (chart, panel) in charts.iter().zip(area.split_evenly((rows, columns))) {
        let mut context = ChartBuilder::on(&panel)
            .caption(&chart.name, ("sans-serif", 15))
            .margin(8)
            .x_label_area_size(24)
            .y_label_area_size(60)
            .build_cartesian_2d(chart.x.clone(), chart.y.clone())?;
        context
            .configure_mesh()
            .x_labels(6)
            .y_labels(6)
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .light_line_style(WHITE)
            .draw()?;
        for series in &chart.series {
            match series {
                Series::Line(color, points) => {
                    let line = points.iter().copied();
                    context.draw_series(LineSeries::new(line, color.stroke_width(2)))?
                }
                Series::Dots(points) => {
                    let dots = points.iter().map(|&point| Circle::new(point, 2, BLUE.filled()));
                    context.draw_series(dots)?
                }
                Series::Bars(width, points) => {
                    context.draw_series(points.iter().map(|&(x, height)| {
                        let corners = [(x - 0.5 * width, 0.0), (x + 0.5 * width, height)];
                        Rectangle::new(corners, BLUE.mix(0.6).filled())
                    }))?
                }
            };
        }
    }
    area.present()?;
    Ok(())
}
