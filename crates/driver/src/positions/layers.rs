//! The counts and hashes of P-positions by length of row 1.

pub use boards::sieve::LayerCount;
use serde::Serialize;

/// The counts for all lengths of row 1 from 1 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundLayers(pub(super) Vec<LayerCount>, pub(super) Option<BelievedState>);

/// The state from which a run resumed. The P-positions with a shorter row 1 are as it has them;
/// only some of that was tested.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BelievedState {
    /// The largest length of row 1 that it has.
    pub last: u16,
    /// The hash of its file, as hexadecimal digits.
    pub blake3: String,
    /// The counts and hashes to this length were computed again.
    pub recounted: u16,
    /// The number of positions with a short row 3, from the rows of tails, that the state has, too.
    pub in_tails: u64,
}

impl FoundLayers {
    /// The counts by length.
    pub fn layers(&self) -> &[LayerCount] {
        &self.0
    }

    /// The state that was believed, if the run resumed.
    pub fn believed(&self) -> Option<&BelievedState> {
        self.1.as_ref()
    }

    /// The number of P-positions whose row 1 has at most this length.
    pub fn total(&self, to: u16) -> u64 {
        self.0.iter().take(to.into()).map(|layer| layer.count).sum()
    }

    /// The BLAKE3 hash of their [hashes](LayerCount), 32 bytes each, one after the other, as
    /// hexadecimal digits.
    pub fn hash(&self, to: u16) -> String {
        let mut hasher = blake3::Hasher::new();
        for layer in self.0.iter().take(to.into()) {
            hasher.update(&layer.hash);
        }
        hasher.finalize().to_hex().to_string()
    }
}
