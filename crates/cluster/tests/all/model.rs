//! The model against measured runs and exact counts.

use cluster::plan::{Cluster, Costs, Prediction};

fn cluster(ranks: u64, threads: u64, gigabits: f64) -> Cluster {
    let (bandwidth, latency) = (1e9 / 8.0 * gigabits, 20e-6);
    Cluster { ranks, threads, spare: true, memory: 1e12, disk: 1e9, bandwidth, latency }
}

/// The prediction for the rows below `end`.
fn predict(end: u64, cluster: &Cluster) -> Prediction {
    Prediction::new(end, cluster, &Costs::default())
}

/// Far more bandwidth than any run needs.
const FAST: f64 = 1e6;

/// The measured runs of docs/CLUSTER.md, in seconds, without the 0.35 s of `mpirun`.
#[test]
fn the_model_agrees_with_measured_runs() {
    for (end, ranks, threads, spare, measured) in [
        (100_000, 1, 1, true, [0.83, 1.16 - 0.35]),
        (100_000, 1, 2, false, [0.52, 0.86 - 0.35]),
        (100_000, 2, 1, false, [0.94 - 0.35; 2]),
        (300_000, 1, 1, true, [6.58, 7.20 - 0.35]),
        (300_000, 1, 2, false, [3.51, 4.23 - 0.35]),
        (300_000, 2, 1, false, [4.72 - 0.35; 2]),
    ] {
        let predicted = predict(end, &Cluster { spare, ..cluster(ranks, threads, FAST) }).seconds;
        for ratio in measured.map(|measured| predicted / measured) {
            assert!((0.93..1.17).contains(&ratio), "{end} {ranks} {threads}: {ratio}");
        }
    }
}

/// A slow network is the bottleneck. To 10^6, two ranks of one thread send all R²/48 bytes of words
/// to the shared folder, and all groups, 0.0129 R² bytes.
#[test]
fn a_slow_network_delays_words_and_groups() {
    let predicted = predict(1_000_000, &cluster(2, 1, 0.1));
    assert_eq!(predicted.limit, "bandwidth");
    let seconds = (1e12 / 48.0 + 0.0129e12) / (2.0 * 0.1e9 / 8.0);
    let ratio = predicted.seconds / seconds;
    assert!((0.97..1.03).contains(&ratio), "{ratio}");
}

/// Runs store R²/6 bits of words; with several ranks, all of them go to the shared folder.
#[test]
fn words_are_a_sixth_of_the_square() {
    let end = 1_000_000_u32;
    let predicted = predict(end.into(), &cluster(2, 1, FAST));
    let ratio = predicted.traffic[0] / (f64::from(end) * f64::from(end) / 6.0 / 8.0);
    assert!((0.97..1.0).contains(&ratio), "{ratio}");
    assert_eq!(predicted.limit, "processors");
}

/// Without room in memory all words go to disk, and a slow disk is the bottleneck. With room, the
/// disk does not matter.
#[test]
fn a_slow_disk_delays_words_that_do_not_fit() {
    let end = 200_000;
    let roomy = predict(end, &Cluster { disk: 1e6, ..cluster(1, 1, FAST) });
    assert_eq!(roomy, predict(end, &cluster(1, 1, FAST)));
    let cramped = predict(end, &Cluster { memory: 1.0, disk: 1e6, ..cluster(1, 1, FAST) });
    assert_eq!(cramped.limit, "disk");
    let ratio = cramped.seconds / (predict(end, &cluster(2, 1, FAST)).traffic[0] / 1e6);
    assert!((1.0..1.05).contains(&ratio), "{ratio}");
}
