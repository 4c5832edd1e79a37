//! The values' path during the tuning as an SVG: a small chart for each parameter.

use std::error::Error;

use plotters::prelude::*;

use super::spsa::Parameter;

const COLUMNS: usize = 4;
const PANEL: (u32, u32) = (300, 190);

pub fn svg(parameters: &[Parameter], path: &[(u64, Vec<f64>)]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    draw(parameters, path, &mut text)?;
    Ok(text)
}

fn draw(
    parameters: &[Parameter],
    path: &[(u64, Vec<f64>)],
    text: &mut String,
) -> Result<(), Box<dyn Error>> {
    let columns = parameters.len().min(COLUMNS);
    let rows = parameters.len().div_ceil(COLUMNS);
    let size = (PANEL.0 * columns as u32, PANEL.1 * rows as u32);
    let area = SVGBackend::with_string(text, size).into_drawing_area();
    area.fill(&WHITE)?;
    let last = path.last().map_or(0, |&(games, _)| games).max(1) as f64 / 1000.0;
    for (i, (parameter, panel)) in
        parameters.iter().zip(area.split_evenly((rows, columns))).enumerate()
    {
        let points = path.iter().map(|(games, values)| (*games as f64 / 1000.0, values[i]));
        // One step to either side is always seen, so that noise does not look like a way.
        let (low, high) = (parameter.start - parameter.step, parameter.start + parameter.step);
        let low = points.clone().map(|point| point.1).fold(low, f64::min);
        let high = points.clone().map(|point| point.1).fold(high, f64::max);
        let mut chart = ChartBuilder::on(&panel)
            .caption(parameter.name, ("sans-serif", 15))
            .margin(6)
            .x_label_area_size(22)
            .y_label_area_size(42)
            .build_cartesian_2d(0.0..last, low..high)?;
        chart
            .configure_mesh()
            .x_labels(4)
            .y_labels(4)
            .x_label_formatter(&|games| format!("{games}k"))
            .light_line_style(WHITE)
            .draw()?;
        let start = [(0.0, parameter.start), (last, parameter.start)];
        chart.draw_series(LineSeries::new(start, BLACK.mix(0.4)))?;
        chart.draw_series(LineSeries::new(points, BLUE.stroke_width(2)))?;
    }
    area.present()?;
    Ok(())
}
