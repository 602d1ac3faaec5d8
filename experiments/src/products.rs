//! `experiments products`: the winning openings of products of three chains.

use std::error::Error;
use std::fmt::Write;

use clap::Args;
use driver::{Spending, Watch};
use posets::NamedPoset;
use terminal::typed::size;

/// Print the winning openings of the products a x b x c with 2 <= a <= b <= c and at most N
/// elements: tab-separated, with a header line.
///
/// An opening is a bite, i,j,k for the element with these numbers on the three chains, from 1 on.
/// The last column counts the positions that were searched, up to symmetry.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The largest number of elements.
    #[arg(value_name = "N")]
    elements: usize,
    /// The most memory of a search.
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "4G")]
    memory: u64,
}

impl Arguments {
    /// The table.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        let mut text = "a\tb\tc\tnumber\topenings\tpositions\n".to_owned();
        let of_three = |a: usize| {
            let pairs = (a..).take_while(move |b| a * b * b <= self.elements);
            pairs.flat_map(move |b| (b..=self.elements / (a * b)).map(move |c| [a, b, c]))
        };
        for [a, b, c] in (2..).take_while(|a| a * a * a <= self.elements).flat_map(of_three) {
            let poset = format!("chains {a} {b} {c}").parse::<NamedPoset>()?.poset()?;
            let spending = Spending { memory: self.memory, grundy: 0 };
            let answer = driver::solve_poset(&poset, &poset.full(), spending, watch)?;
            if !answer.undecided.is_empty() {
                return Err(format!("{a}x{b}x{c} needs more --memory").into());
            }
            let names = answer.winning.iter().map(|&bite| poset.name(bite));
            let openings: Vec<_> = names.map(|name| name.trim_matches(['(', ')'])).collect();
            let (number, openings) = (openings.len(), openings.join(" "));
            writeln!(text, "{a}\t{b}\t{c}\t{number}\t{openings}\t{}", answer.decided)?;
        }
        Ok(text)
    }
}
