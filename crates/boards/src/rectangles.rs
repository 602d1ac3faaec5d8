//! All positions of a rectangle at once, ranked and a bit each.
