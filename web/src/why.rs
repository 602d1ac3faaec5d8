//! Why a row has its period.

use cascade::why::Explanation;
use driver::{Engine, Watch};
use figures::WhyPlot;
use serde::Serialize;

use crate::{Shown, json, require_row, words};

/// An explanation, in words and drawn.
#[derive(Serialize)]
struct Why<'a> {
    explanation: &'a Explanation,
    words: String,
    #[serde(flatten)]
    figure: Shown,
    /// The columns of one period.
    frames: Vec<Frame>,
}

/// A column. Heights are offsets less the mean of the row.
#[derive(Serialize)]
struct Frame {
    column: u64,
    /// The heights that the rows just below block here, down to the deepest hole.
    blocked: Vec<i64>,
    /// The hole, and the offset that the row takes.
    hole: i64,
    height: i64,
}

/// The most columns that are shown one by one.
const FRAMES: usize = 200;

/// Explains a row.
pub fn explain(row: u64, watch: &dyn Watch) -> Result<String, String> {
    require_row(row)?;
    let explanation = driver::explain(&Engine::default(), row, watch).map_err(words)?;
    let figure = WhyPlot::new(explanation.clone()).map_err(words)?.figure();
    Ok(json(&Why {
        words: explanation.to_string(),
        figure: Shown::of(&figure),
        frames: frames(&explanation),
        explanation: &explanation,
    }))
}

fn frames(explanation: &Explanation) -> Vec<Frame> {
    let columns = &explanation.hole;
    let deepest = columns.iter().map(|at| at.depth.cast_signed()).max().unwrap_or(0);
    let shown = -deepest - 1..=1;
    let below = |column| {
        let heights = explanation.cluster.iter().filter_map(move |row| row.at(column));
        let mut heights: Vec<i64> = heights.filter(|height| shown.contains(height)).collect();
        heights.sort_unstable();
        heights.dedup();
        heights
    };
    let frame = |at: &cascade::why::HoleColumn| Frame {
        column: at.column,
        blocked: below(at.column),
        hole: -at.depth.cast_signed(),
        height: at.height,
    };
    columns.iter().take(FRAMES).map(frame).collect()
}
