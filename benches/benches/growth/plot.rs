//! Charts of lines, as SVG files.

use std::path::Path;

use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 560);

/// The points of a line.
pub struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

impl Series {
    /// A line without points.
    pub const fn new(name: String) -> Self {
        Self { name, points: Vec::new() }
    }

    /// Adds a point for a number of states, variables or clauses.
    pub fn add(&mut self, x: u32, count: u64) {
        self.points.push((f64::from(x), count as f64));
    }

    /// Adds a point for a time, which is at least a millisecond in a chart.
    pub fn add_seconds(&mut self, x: u32, seconds: f64) {
        self.points.push((f64::from(x), seconds.max(0.001)));
    }
}

/// An axis of numbers.
pub struct Axis {
    label: &'static str,
    is_logarithmic: bool,
}

impl Axis {
    /// Equal distances are equal differences.
    pub const fn linear(label: &'static str) -> Self {
        Self { label, is_logarithmic: false }
    }

    /// Equal distances are equal ratios.
    pub const fn logarithmic(label: &'static str) -> Self {
        Self { label, is_logarithmic: true }
    }
}

/// The title and the axes of a chart.
pub struct Chart {
    /// The line above it.
    pub title: &'static str,
    /// The label of the horizontal axis.
    pub x: &'static str,
    /// The vertical axis.
    pub y: Axis,
}

impl Chart {
    /// Draws lines to a file. Lines without points are left out.
    pub fn draw(&self, path: &Path, series: &[Series]) -> Result<(), String> {
        let points = || series.iter().flat_map(|series| &series.points);
        let (least, most) = bounds(points().map(|point| point.1));
        let drawn = if self.y.is_logarithmic {
            self.draw_with(path, series, (least * 0.8..most * 1.5).log_scale())
        } else {
            self.draw_with(path, series, 0.0..most * 1.1)
        };
        drawn.map_err(|error| format!("{}: {error}", path.display()))
    }

    fn draw_with<Y>(&self, path: &Path, series: &[Series], y: Y) -> Result<(), Box<dyn std::error::Error>>
    where
        Y: AsRangedCoord<Value = f64>,
        Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let (_, last) = bounds(series.iter().flat_map(|series| &series.points).map(|point| point.0));
        let area = SVGBackend::new(path, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(self.title, ("sans-serif", 22))
            .margin(12)
            .x_label_area_size(44)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..last * 1.05, y)?;
        chart.configure_mesh().x_desc(self.x).x_label_formatter(&|x| format!("{x:.0}")).y_desc(self.y.label).draw()?;
        for (at, Series { name, points }) in series.iter().filter(|series| !series.points.is_empty()).enumerate() {
            let style = Palette99::pick(at).stroke_width(2);
            chart
                .draw_series(LineSeries::new(points.iter().copied(), style).point_size(3))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        area.present()?;
        Ok(())
    }
}

/// The least and the greatest of some numbers.
fn bounds(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| (least.min(number), most.max(number)))
}
