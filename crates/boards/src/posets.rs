//! Chomp on a finite poset: a bite takes an element and all that are above it.
