//! Why a row has its period.

use cascade::why::{Explanation, HoleColumn};
use driver::{Engine, Watch};
use figures::WhyPlot;
use serde_json::{Value, json};

use crate::{Shown, json_with, require_row, words};

/// The most columns that are shown one by one.
const FRAMES: usize = 200;

/// Explains a row.
pub fn explain(row: u64, watch: &dyn Watch) -> Result<String, String> {
    require_row(row)?;
    let explanation = driver::explain(&Engine::default(), row, watch).map_err(words)?;
    let figure = WhyPlot::new(explanation.clone()).map_err(words)?.figure();
    let more = json!({
        "explanation": &explanation,
        "words": explanation.to_string(),
        "frames": frames(&explanation),
    });
    Ok(json_with(&Shown::of(&figure), more))
}

/// The columns of one period, with the heights that the rows just below block there, down to the
/// deepest hole; the hole; and the offset that the row takes. Heights are offsets less its mean.
fn frames(explanation: &Explanation) -> Vec<Value> {
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
    let frame = |at: &HoleColumn| {
        json!({
            "column": at.column,
            "blocked": below(at.column),
            "hole": -at.depth.cast_signed(),
            "height": at.height,
        })
    };
    columns.iter().take(FRAMES).map(frame).collect()
}
