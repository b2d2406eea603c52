//! The statistics of a run: counters as a table, then charts.

use indicatif::{HumanBytes, HumanCount};
use maud::{Markup, html};

use super::{Sources, charts};
use crate::engine::capabilities::Unit;
use crate::outcome::histories::HistoryChecks;
use crate::outcome::measures::Measures;
use crate::outcome::{FormulaSize, Statistics};
use crate::report::json::Report;

/// Counters and charts.
pub fn section(report: &Report, sources: &Sources) -> Markup {
    let (statistics, unit) = (&report.statistics, report.unit());
    html! {
        section.statistics id="statistics" {
            h2 { "What was explored" }
            table.counters {
                tbody { @for (what, value) in counters(statistics, unit) { tr { th scope="row" { (what) } td { (value) } } } }
            }
            @if unit != Unit::Formulas {
                (charts::charts(statistics, unit, sources))
                (tables(&statistics.measures))
                (workers(&statistics.measures, unit == Unit::Executions))
            }
        }
    }
}

fn counters(statistics: &Statistics, unit: Unit) -> Vec<(&'static str, String)> {
    let count = |value: u64| HumanCount(value).to_string();
    let seconds = statistics.seconds.max(1e-9);
    let executions = statistics.executions + statistics.blocked_executions + statistics.sleep_blocked_executions;
    let classes = statistics.reads_from_classes.map(|classes| ("reads-from classes", count(classes)));
    let mut all = match unit {
        Unit::Formulas => {
            statistics.formula.iter().flat_map(FormulaSize::rows).map(|(what, n)| (what, count(n))).collect()
        }
        Unit::States => vec![
            ("states", count(statistics.states)),
            ("steps from state to state", count(statistics.transitions)),
            ("steps that led to a known state", format!("{:.1} %", 100.0 * statistics.measures.matching_rate)),
            ("steps that were left out, as another order led there", count(statistics.measures.asleep)),
            ("states per second", count(statistics.states_per_second as u64)),
            ("longest shortest way from the start, in steps", count(statistics.max_depth)),
            ("delayed stores at a time, at most", count(statistics.pending_stores_max)),
            ("bytes per state", format!("{:.1}", statistics.bytes_per_state)),
        ],
        Unit::Executions => vec![
            ("executions to the end of the process", count(statistics.executions)),
            ("blocked executions", count(statistics.blocked_executions)),
            ("redundant executions", count(statistics.sleep_blocked_executions)),
            ("executions per second", count((executions as f64 / seconds) as u64)),
            ("events", count(statistics.events)),
            ("events of the longest execution", count(statistics.max_depth)),
            ("races reversed", count(statistics.races_reversed)),
        ],
    };
    all.extend(classes);
    all.extend(statistics.histories.iter().flat_map(HistoryChecks::rows));
    all.push(("seconds", format!("{:.3}", statistics.seconds)));
    all.push(("memory of the process at its largest", HumanBytes(statistics.peak_rss_bytes).to_string()));
    all
}

fn tables(measures: &Measures) -> Markup {
    html! {
        table.tables {
            caption { "Hash tables" }
            thead { tr { th { "of" } th { "entries" } th { "load" } th { "slots looked at to find one, on average" } th { "at most" } } }
            tbody {
                @for table in &measures.tables {
                    tr {
                        th scope="row" { (table.what) }
                        td { (HumanCount(table.entries)) }
                        td { (format!("{:.0} %", 100.0 * table.load)) }
                        td { (format!("{:.2}", table.mean_probes)) }
                        td { (table.longest_probe) }
                    }
                }
            }
        }
    }
}

fn workers(measures: &Measures, is_stateless: bool) -> Markup {
    html! {
        table.workers {
            caption { "Workers" }
            thead {
                tr {
                    th { "worker" }
                    @if is_stateless { th { "executions" } th { "events" } } @else { th { "explored states" } th { "new states" } th { "steps" } }
                    th { "seconds" }
                }
            }
            tbody {
                @for (number, worker) in measures.workers.iter().enumerate() {
                    tr {
                        th scope="row" { (number) }
                        @if is_stateless { td { (HumanCount(worker.executions)) } } @else {
                            td { (HumanCount(worker.expanded)) }
                            td { (HumanCount(worker.found)) }
                        }
                        td { (HumanCount(worker.transitions)) }
                        td { (format!("{:.3}", worker.seconds)) }
                    }
                }
            }
        }
    }
}
