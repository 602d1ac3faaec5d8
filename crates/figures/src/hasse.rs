//! The Hasse diagram of a poset, with the bites that win.

use std::cmp::Ordering;

use posets::{DownSet, Poset};

use super::FigureError;
use super::chart::{Entry, Figure, Ink, Label, MARGIN, Page, Path, WIDTH, colour, text_width};

/// The Hasse diagram of a poset: an element is above those that it covers, joined by lines.
#[derive(Clone, Debug)]
pub struct HasseDiagram<'a> {
    poset: &'a Poset,
    position: &'a DownSet,
    winning: &'a [usize],
}

const TOP: i64 = 1100;
/// Between two ranks, if there is room for it.
const RANK: i64 = 1500;
/// All ranks together, at most.
const TALLEST: i64 = 17_000;
/// The largest and the smallest letters of names. If they would be smaller, there are dots.
const LETTERS: (i64, i64) = (300, 110);
/// The margin of a name in its box, as a part of the size of its letters.
const BESIDE: (i64, i64) = (3, 10);

const WINS: &str = colour::VERMILION;
const POISON: &str = colour::BLACK;
const GONE: &str = colour::GRID;

impl<'a> HasseDiagram<'a> {
    /// The largest number of elements of one rank: each has half a millimetre.
    pub const WIDEST: usize = 230;

    /// The largest number of ranks.
    pub const HIGHEST: usize = 200;

    /// A diagram of a poset, with the elements of a position and its winning bites.
    pub fn new(poset: &'a Poset, position: &'a DownSet, winning: &'a [usize]) -> Self {
        Self { poset, position, winning }
    }

    /// Draws it. `title` and `caption` may only have characters of the figures' font, such as
    /// visible ASCII.
    ///
    /// # Errors
    /// [`FigureError::TooLarge`].
    pub fn figure(&self, title: &str, caption: &str) -> Result<Figure, FigureError> {
        self.require_room()?;
        let places = Layout::of(self.poset).places();
        let mut page = Page::new(title);
        self.lines(&mut page, &places);
        self.elements(&mut page, &places);
        let bottom = places.iter().map(|&(_, y)| y).max().unwrap_or(TOP) + 300;
        let bottom = page.legend(bottom, &self.entries());
        Ok(page.caption(bottom, caption))
    }

    /// Whether a diagram of it fits on a page.
    ///
    /// # Errors
    /// [`FigureError::TooLarge`].
    pub fn require_room(&self) -> Result<(), FigureError> {
        let ranks = by_rank(self.poset);
        let widest = ranks.iter().map(Vec::len).max().unwrap_or(0);
        if widest > Self::WIDEST || ranks.len() > Self::HIGHEST {
            return Err(FigureError::TooLarge { widest, ranks: ranks.len() });
        }
        Ok(())
    }

    fn lines(&self, page: &mut Page, places: &[(i64, i64)]) {
        let (mut left, mut gone) = (Path::default(), Path::default());
        for (lower, upper) in self.poset.covers() {
            let path = if self.position.has(upper) { &mut left } else { &mut gone };
            path.line(&[places[lower], places[upper]]);
        }
        page.path("gone", gone, Ink::Line(GONE, 12));
        page.path("covers", left, Ink::Line("#8a8a8a", 12));
    }

    fn elements(&self, page: &mut Page, places: &[(i64, i64)]) {
        let size = self.letters();
        for (element, &(x, y)) in places.iter().enumerate() {
            let (fill, letters) = self.colours(element);
            if size < LETTERS.1 {
                let ink = Ink::Dots(fill, if fill == colour::DARK { 90 } else { 150 });
                page.path("element", Path::dots([(x, y)]), ink);
                continue;
            }
            let name = self.poset.name(element);
            let width = text_width(name, size) + 2 * size * BESIDE.0 / BESIDE.1;
            let corner = (x - width / 2, y - size * 7 / 10);
            let frame = Path::of_rectangle(corner, width, size * 14 / 10);
            let fill = if fill == colour::DARK { colour::WHITE } else { fill };
            page.path("element", frame.clone(), Ink::Fill(fill));
            let ink = Ink::Line(if fill == GONE { GONE } else { colour::DARK }, 10);
            page.path("frame", frame, ink);
            let label = Label::new("name", name, (x, y + size * 36 / 100)).size(size);
            page.label(label.middle().colour(letters));
        }
    }

    /// Of a dot, or of a box, which is white if this is dark; and of the name in the box.
    fn colours(&self, element: usize) -> (&'static str, &'static str) {
        if !self.position.has(element) {
            (GONE, "#8a8a8a")
        } else if self.poset.poison() == Some(element) {
            (POISON, colour::WHITE)
        } else if self.winning.contains(&element) {
            (WINS, colour::WHITE)
        } else {
            (colour::DARK, colour::BLACK)
        }
    }

    /// The size of letters with which the names of every rank are side by side.
    fn letters(&self) -> i64 {
        const UNIT: i64 = 1000;
        let widest = (0..self.poset.len()).map(|e| text_width(self.poset.name(e), UNIT)).max();
        // In boxes with room between them, at this size of letters.
        let box_width = widest.unwrap_or(0) + UNIT * (2 * BESIDE.0 + BESIDE.1 / 2) / BESIDE.1;
        let ranks = by_rank(self.poset);
        let most = ranks.iter().map(Vec::len).max().map_or(1, number);
        let gap = step(ranks.len()) * 45 / 100;
        (room() / most * UNIT / box_width).min(gap).min(LETTERS.0)
    }

    fn entries(&self) -> Vec<Entry> {
        let all = 0..self.poset.len();
        let mut entries = Vec::new();
        let wins = |element: usize| self.winning.contains(&element);
        if all.clone().any(wins) {
            entries.push(Entry::new(Ink::Fill(WINS), "bite that wins"));
        }
        if self.poset.poison().is_some() {
            entries.push(Entry::new(Ink::Fill(POISON), "poison"));
        }
        if all.clone().any(|element| !self.position.has(element)) {
            entries.push(Entry::new(Ink::Fill(GONE), "gone"));
        }
        entries
    }
}

fn room() -> i64 {
    WIDTH - 2 * MARGIN
}

/// From rank to rank.
fn step(ranks: usize) -> i64 {
    (TALLEST / number(ranks)).min(RANK)
}

fn number(count: usize) -> i64 {
    i64::try_from(count).expect("a number of elements")
}

/// The elements of each rank, ascending by number.
fn by_rank(poset: &Poset) -> Vec<Vec<usize>> {
    let mut ranks: Vec<Vec<usize>> = Vec::new();
    for element in 0..poset.len() {
        let rank = poset.rank(element);
        if ranks.len() <= rank {
            ranks.resize(rank + 1, Vec::new());
        }
        ranks[rank].push(element);
    }
    ranks
}

/// The order of elements in each rank, with few crossings.
struct Layout<'a> {
    poset: &'a Poset,
    ranks: Vec<Vec<usize>>,
    /// Those that cover an element.
    upper: Vec<Vec<usize>>,
}

impl<'a> Layout<'a> {
    /// Starts from the order of numbers, and moves each element towards the mean of its neighbours,
    /// in rounds. The best round is used.
    fn of(poset: &'a Poset) -> Self {
        const ROUNDS: usize = 12;
        let mut upper = vec![Vec::new(); poset.len()];
        for (lower, higher) in poset.covers() {
            upper[lower].push(higher);
        }
        let mut layout = Self { poset, ranks: by_rank(poset), upper };
        let mut best = (layout.crossings(), layout.ranks.clone());
        for _ in 0..ROUNDS {
            for rank in 1..layout.ranks.len() {
                layout.arrange(rank, |layout, element| layout.poset.covered(element));
            }
            for rank in (0..layout.ranks.len()).rev().skip(1) {
                layout.arrange(rank, |layout, element| &layout.upper[element]);
            }
            let crossings = layout.crossings();
            if crossings < best.0 {
                best = (crossings, layout.ranks.clone());
            }
        }
        layout.ranks = best.1;
        layout
    }

    fn arrange(&mut self, rank: usize, joined: impl Fn(&Self, usize) -> &[usize]) {
        let x = self.offsets();
        let mut elements = self.ranks[rank].clone();
        let mean = |element: usize| {
            let others = joined(self, element);
            match others.len() {
                0 => (x[element], 1),
                count => (others.iter().map(|&other| x[other]).sum(), number(count)),
            }
        };
        let compare = |a: &usize, b: &usize| -> Ordering {
            let ((a, of_a), (b, of_b)) = (mean(*a), mean(*b));
            (a * of_b).cmp(&(b * of_a))
        };
        elements.sort_by(compare);
        self.ranks[rank] = elements;
    }

    /// Twice the distance from the middle, in places.
    fn offsets(&self) -> Vec<i64> {
        let mut x = vec![0; self.poset.len()];
        for elements in &self.ranks {
            for (place, &element) in elements.iter().enumerate() {
                x[element] = 2 * number(place) + 1 - number(elements.len());
            }
        }
        x
    }

    /// Pairs of lines between the same two ranks that cross.
    fn crossings(&self) -> usize {
        let x = self.offsets();
        let crossing = |elements: &Vec<usize>| {
            let lines: Vec<(i64, i64)> = elements
                .iter()
                .flat_map(|&lower| self.upper[lower].iter().map(move |&upper| (lower, upper)))
                .map(|(lower, upper)| (x[lower], x[upper]))
                .collect();
            let cross = |&(a, b): &(i64, i64), &(c, d): &(i64, i64)| (a - c) * (b - d) < 0;
            let pairs = lines.iter().enumerate();
            pairs
                .map(|(i, line)| lines[..i].iter().filter(|other| cross(line, other)).count())
                .sum::<usize>()
        };
        self.ranks.iter().map(crossing).sum()
    }

    /// On the page, the lowest rank at the bottom.
    fn places(&self) -> Vec<(i64, i64)> {
        let most = self.ranks.iter().map(Vec::len).max().map_or(1, number);
        let gap = (room() / most).min(2 * RANK);
        let (x, last) = (self.offsets(), self.ranks.len() - 1);
        (0..self.poset.len())
            .map(|element| {
                let height = number(last - self.poset.rank(element));
                (WIDTH / 2 + x[element] * gap / 2, TOP + height * step(self.ranks.len()))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use posets::NamedPoset;

    use super::*;

    fn family(name: &str) -> Poset {
        name.parse::<NamedPoset>().expect(name).poset().expect(name)
    }

    #[test]
    fn no_two_elements_are_drawn_in_one_place_and_no_text_is_cut() {
        for name in [
            "boolean 4",
            "chains 4 6",
            "solid dodecahedron",
            "subspaces 3",
            "chains 64 64",
            "forest 0",
        ] {
            let poset = family(name);
            let mut places = Layout::of(&poset).places();
            for (lower, upper) in poset.covers() {
                assert!(places[lower].1 > places[upper].1, "{name}: the larger one is above");
            }
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), poset.len(), "{name}");
            let figure = HasseDiagram::new(&poset, &poset.full(), &[]).figure(name, "A caption.");
            assert_eq!(figure.unwrap().cut_texts(), Vec::<&str>::new(), "{name}");
        }
    }

    /// A product of two chains can be drawn without crossings.
    #[test]
    fn a_board_is_drawn_as_a_board() {
        assert_eq!(Layout::of(&family("chains 5 7")).crossings(), 0);
        let zigzag: Poset = "a < x\nb < y\nc < z\nc < x\na < y".parse().unwrap();
        assert_eq!(Layout::of(&zigzag).crossings(), 0);
    }

    #[test]
    fn every_element_is_drawn_as_what_it_is() {
        let poset = family("chains 3 3");
        let (left, winning) = (poset.after(&poset.full(), 8).unwrap(), [4]);
        let svg =
            HasseDiagram::new(&poset, &left, &winning).figure("title", "caption").unwrap().svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let boxes: Vec<&str> = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("element"))
            .filter_map(|node| node.attribute("fill"))
            .collect();
        let white = colour::WHITE;
        assert_eq!(boxes, [POISON, white, white, white, WINS, white, white, white, GONE]);
        for words in ["bite that wins", "poison", "gone", "(2,2)"] {
            assert!(svg.contains(words), "{words}");
        }
    }

    #[test]
    fn what_there_is_no_room_for_is_refused() {
        for (name, widest, ranks) in [("chains 201", 1, 201), ("bipartite 60 60", 3600, 2)] {
            let poset = family(name);
            let error = HasseDiagram::new(&poset, &poset.full(), &[]).figure("", "").unwrap_err();
            assert_eq!(error, FigureError::TooLarge { widest, ranks });
        }
    }
}
