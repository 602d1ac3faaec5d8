//! Who wins, against searches from the rules.

mod omega;
mod query;
mod theorem;
