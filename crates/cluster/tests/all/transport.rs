//! Ranks as threads of the test: their messages arrive, and missing ranks are named.

use cluster::transport::{Eagerness, LONGEST, Watched};

use crate::channels::{channels, wait_for};
use std::{
    thread,
    time::{Duration, Instant},
};

const PATIENT: Duration = Duration::from_secs(30);

/// Runs `rank` on each of this many ranks, in a thread of its own.
fn ranks<R: Send>(
    number: usize,
    patience: Duration,
    rank: impl Fn(Watched<'_>) -> R + Sync,
) -> Vec<R> {
    thread::scope(|scope| {
        let rank = &rank;
        let spawn = |transport| scope.spawn(move || rank(Watched::new(transport, patience)));
        let threads: Vec<_> = channels(number).into_iter().map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn all_messages_arrive_in_order() {
    let message = |from: usize, to: usize, i: usize| {
        let length = (from * 31 + to * 17 + i * i) % 5000;
        (0..length).map(|k| u8::try_from((k + i) % 251).expect("small")).collect::<Vec<u8>>()
    };
    ranks(4, PATIENT, |mut all| {
        let this = all.rank();
        for i in 0..100 {
            for to in all.others() {
                all.send(to, message(this, to, i)).expect("everyone is there");
            }
        }
        let mut next = vec![0; all.ranks()];
        for _ in 0..300 {
            let (from, found) = wait_for(&mut all).expect("everyone is there");
            assert_eq!(found, message(from, this, next[from]));
            next[from] += 1;
        }
        assert_eq!(next.iter().sum::<usize>() - next[this], 300);
        all.leave().expect("everyone leaves");
    });
}

/// All others soon name a rank that dies; a rank that has left does not count as missing.
#[test]
fn a_rank_that_dies_is_named() {
    let patience = Duration::from_millis(400);
    for dies in [0, 2] {
        let begin = Instant::now();
        let named = ranks(4, patience, |mut all| {
            if all.rank() == dies {
                return None;
            }
            Some(wait_for(&mut all).expect_err("nobody sends anything"))
        });
        assert!(begin.elapsed() < 10 * patience, "nobody waits for ever");
        for (rank, error) in named.into_iter().enumerate() {
            match error {
                None => assert_eq!(rank, dies),
                // Another rank may have noticed earlier, and be silent now.
                Some(error) => assert!(
                    error.to_string().starts_with(&format!("rank {dies} has been silent for ")),
                    "rank {rank}: {error}"
                ),
            }
        }
    }
}

/// After all ranks were suspended, none counts as missing.
#[test]
fn suspended_ranks_are_not_missing() {
    let patience = Duration::from_millis(400);
    ranks(3, patience, |mut all| {
        for to in all.others() {
            all.send(to, vec![1]).expect("everyone is there");
        }
        // It neither sends nor receives, as if it were suspended.
        thread::sleep(3 * patience);
        for _ in all.others() {
            assert_eq!(wait_for(&mut all).expect("everyone is there").1, [1]);
        }
        all.leave().expect("everyone leaves");
    });
}

/// A rank that still has a message for one that has left gets an error after its patience.
#[test]
fn a_rank_that_has_left_and_is_needed_is_named() {
    let patience = Duration::from_millis(400);
    ranks(2, patience, |mut all| {
        if all.rank() == 1 {
            // It waits until the other one leaves, which does not happen.
            let error = all.leave().expect_err("nobody leaves").to_string();
            assert!(error.starts_with("rank 0 has been silent for "), "{error}");
            return;
        }
        let begin = Instant::now();
        let left = loop {
            // The other one may have heard of an end.
            let sent = all.send(1, vec![1]);
            let ended =
                sent.and_then(|()| all.receive(Duration::from_millis(10), Eagerness::Often));
            if let Err(error) = ended {
                break error;
            }
        };
        assert_eq!(left.to_string(), "rank 1 has left, and is still needed");
        assert!(begin.elapsed() >= patience);
    });
}

#[test]
fn too_long_messages_are_not_sent() {
    ranks(2, PATIENT, |mut all| {
        if all.rank() == 0 {
            let error = all.send(1, vec![0; LONGEST]).expect_err("too long");
            let words = format!("a message has {LONGEST} bytes, and at most {LONGEST} can be sent");
            assert_eq!(error.to_string(), words);
        }
        all.leave().expect("both leave");
    });
}
