//! Charts as SVG: horizontal bars, vertical bars, and a line. Sizes are in pixels; colours are in the style
//! sheet.

use indicatif::HumanCount;
use maud::{Markup, html};

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 190.0;
/// The width left of a chart of vertical bars, for the numbers at its axis.
const AXIS: f64 = 64.0;
/// The height below a chart of vertical bars, for the label of its axis.
const FOOT: f64 = 34.0;
const BAR: f64 = 22.0;
/// The width left of horizontal bars, for their names.
const NAMES: f64 = 190.0;
/// The width right of the longest horizontal bar, for its number.
const NUMBERS: f64 = 180.0;

/// A chart with its title.
fn figure(title: &str, height: f64, content: &Markup) -> Markup {
    html! {
        figure.chart {
            figcaption { (title) }
            svg viewBox={ "0 0 " (WIDTH) " " (height) } role="img" aria-label=(title) { (content) }
        }
    }
}

/// One horizontal bar.
pub struct Bar {
    /// The label beside it.
    pub name: String,
    /// Its length, in the unit of the chart.
    pub value: f64,
    /// The value as text.
    pub shown: String,
}

impl Bar {
    /// A bar for a count.
    pub fn count(name: impl Into<String>, value: u64) -> Self {
        Self { name: name.into(), value: value as f64, shown: HumanCount(value).to_string() }
    }
}

/// A chart of horizontal bars, one below the other.
pub fn lying(title: &str, bars: &[Bar]) -> Markup {
    let most = bars.iter().map(|bar| bar.value).fold(1e-9, f64::max);
    let content = html! {
        @for (at, bar) in bars.iter().enumerate() {
            @let y = at as f64 * BAR;
            @let length = (WIDTH - NAMES - NUMBERS) * bar.value / most;
            g {
                title { (bar.name) ": " (bar.shown) }
                text.name x=(NAMES - 8.0) y=(y + 15.0) text-anchor="end" { (shorten(&bar.name)) }
                rect.bar x=(NAMES) y=(y + 3.0) width=(round(length.max(1.0))) height=(BAR - 6.0) rx="2" {}
                text x=(round(NAMES + length + 6.0)) y=(y + 15.0) { (bar.shown) }
            }
        }
    };
    figure(title, bars.len() as f64 * BAR + 6.0, &content)
}

/// A table with a bar and some code per row, for labels that are too long for a chart. A row has a name, a
/// count and the code.
pub fn listed(title: &str, rows: &[(String, u64, String)]) -> Markup {
    let most = rows.iter().map(|(_, count, _)| *count).max().unwrap_or(0).max(1) as f64;
    html! {
        figure.chart.wide {
            figcaption { (title) }
            table {
                tbody {
                    @for (name, count, code) in rows {
                        tr {
                            th scope="row" { (name) }
                            td { (HumanCount(*count)) }
                            td.length { div style={ "width:" (round(100.0 * *count as f64 / most)) "%" } {} }
                            td.code { code { (code) } }
                        }
                    }
                }
            }
        }
    }
}

/// The name without its beginning if it is long; the end says more: `…/queue.c:42`.
fn shorten(name: &str) -> String {
    const MOST_CHARACTERS: usize = 30;
    let length = name.chars().count();
    if length <= MOST_CHARACTERS {
        name.to_owned()
    } else {
        std::iter::once('…').chain(name.chars().skip(length - MOST_CHARACTERS + 1)).collect()
    }
}

/// A chart of vertical bars. `name` gives the label of the bar with a number, `below` the label of the axis.
pub fn standing(title: &str, values: &[u64], name: impl Fn(usize) -> String, below: &str) -> Markup {
    let most = values.iter().copied().max().unwrap_or(0).max(1);
    let step = (WIDTH - AXIS - 8.0) / values.len().max(1) as f64;
    let height = HEIGHT - FOOT;
    let labelled = values.len().div_ceil(10).max(1);
    let content = html! {
        (axis(most as f64))
        @for (at, &value) in values.iter().enumerate() {
            @let x = AXIS + at as f64 * step;
            @let length = (height - 14.0) * value as f64 / most as f64;
            g {
                title { (name(at)) ": " (HumanCount(value)) }
                rect.bar x=(round(x + step * 0.1)) y=(round(height - length)) width=(round(step * 0.8)) height=(round(length)) {}
                @if at % labelled == 0 { text x=(round(x + step / 2.0)) y=(height + 14.0) text-anchor="middle" { (name(at)) } }
            }
        }
        text.below x=(AXIS + (WIDTH - AXIS) / 2.0) y=(HEIGHT - 4.0) text-anchor="middle" { (below) }
    };
    figure(title, HEIGHT, &content)
}

/// A chart of a line through points; their x are ascending.
pub fn line(title: &str, points: &[(f64, f64)], below: &str) -> Markup {
    let most = points.iter().map(|(_, y)| *y).fold(1e-9, f64::max);
    let last = points.last().map_or(1.0, |(x, _)| x.max(1e-9));
    let height = HEIGHT - FOOT;
    let place = |&(x, y): &(f64, f64)| {
        let (x, y) = (AXIS + (WIDTH - AXIS - 12.0) * x / last, height - (height - 14.0) * y / most);
        format!("{} {}", round(x), round(y))
    };
    let path = points.iter().map(place).collect::<Vec<_>>().join(" L ");
    let content = html! {
        (axis(most))
        path.curve d={ "M " (path) } {}
        @for quarter in 0..=4 {
            @let x = AXIS + (WIDTH - AXIS - 12.0) * f64::from(quarter) / 4.0;
            text x=(x) y=(height + 14.0) text-anchor=(if quarter == 4 { "end" } else { "middle" }) { (short(last * f64::from(quarter) / 4.0)) }
        }
        text.below x=(AXIS + (WIDTH - AXIS) / 2.0) y=(HEIGHT - 4.0) text-anchor="middle" { (below) }
    };
    figure(title, HEIGHT, &content)
}

fn axis(most: f64) -> Markup {
    let height = HEIGHT - FOOT;
    html! {
        @for half in 0..=2 {
            @let y = height - (height - 14.0) * f64::from(half) / 2.0;
            line.grid x1=(AXIS) x2=(WIDTH - 8.0) y1=(y) y2=(y) {}
            text x=(AXIS - 6.0) y=(y + 4.0) text-anchor="end" { (short(most * f64::from(half) / 2.0)) }
        }
    }
}

/// The coordinate rounded to one decimal; coordinates need no more digits.
fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A number in at most four digits: `1.2 M`.
pub fn short(value: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    match units.into_iter().find(|(unit, _)| value >= *unit) {
        Some((unit, name)) => format!("{} {name}", digits(value / unit)),
        None => digits(value),
    }
}

fn digits(value: f64) -> String {
    let places = match value {
        _ if value == value.round() || value >= 100.0 => 0,
        _ if value >= 10.0 => 1,
        _ if value >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.25, 7.0, 12.34, 999.0, 1234.0, 4_560_000.0].map(short);
        assert_eq!(shown, ["0", "0.250", "7", "12.3", "999", "1.23 k", "4.56 M"]);
    }

    #[test]
    fn text_of_the_program_is_escaped() {
        let chart = lying("<t>", &[Bar::count("<script>", 3)]).into_string();
        assert!(chart.contains("&lt;script&gt;") && !chart.contains("<script>"));
    }
}
