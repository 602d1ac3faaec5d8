//! Lines and data sets: what is read and written, what is refused, and in which words.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod corpora;
mod data_set;
mod faults;
mod keyed;
mod keyed_data_set;
mod lines;
