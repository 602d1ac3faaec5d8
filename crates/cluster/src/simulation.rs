//! The schedule of a run, carried out in virtual time.
//!
//! A block depends on lower blocks only: on the one below it for groups, for the corner and for
//! rows; on those that post words to it; and on the block that its worker does before. So blocks
//! are taken in order, and each goes through its steps ([`Block::steps`]), waits for what it needs,
//! and notes when it passes what on. What must be shared by blocks that run at the same time is
//! the network: each rank has a *port* out and a port in, which keep account of how much they have
//! been used in each short interval (`port`).
//!
//! [`Block::steps`]: crate::blocks::Block::steps

mod port;
mod stream;

use crate::blocks::{BLOCK_ROWS, Block, Run, Transfer};
use crate::{
    costs::{BATCH, Cluster, Costs, Sizes, count},
    layout::Layout,
    plan::{Model, Traffic},
};
use port::{Port, Urgency};
use std::collections::VecDeque;
use stream::Stream;

/// What a simulated run has taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulated {
    /// Seconds, from start to end.
    pub seconds: f64,
    /// Seconds that workers have worked, all together.
    pub worked: f64,
    /// When each block has finished.
    pub finished: Vec<f64>,
    /// What went over the network.
    pub traffic: Traffic,
}

/// Steps of a block are at most this part of its slots.
const PARTS: u64 = 128;

/// Intervals of a port in a run, if it takes as long as the model says.
const INTERVALS: f64 = 20_000.0;

/// Carries out the whole run.
///
/// Cost: O(posts), some 0.0001 R² of them; and O(blocks · 128).
#[must_use]
pub fn simulate(
    run: &Run,
    layout: Layout,
    cluster: &Cluster,
    costs: &Costs,
    sizes: &Sizes,
) -> Simulated {
    let model = Model::new(run, *costs, *sizes).predict(layout, cluster);
    let interval = (model.seconds / INTERVALS).max(1e-6);
    let mut simulation = Simulation::new(run, layout, cluster, costs, sizes, interval);
    for number in run.blocks() {
        simulation.block(number);
    }
    let Simulation { finished, traffic, worked, written, .. } = simulation;
    let seconds = finished.iter().fold(written, |last, &time| last.max(time));
    Simulated { seconds, worked, finished, traffic }
}

struct Simulation<'a> {
    run: &'a Run,
    layout: Layout,
    cluster: &'a Cluster,
    costs: &'a Costs,
    sizes: &'a Sizes,
    /// When each worker is done with its last block, by rank and worker.
    free: Vec<f64>,
    /// Of each rank, out and in.
    ports: Vec<[Port; 2]>,
    /// What the block below passes on.
    below: Passed,
    /// When the words are there that the next blocks wait for, from the next block on.
    posted: VecDeque<Arrivals>,
    finished: Vec<f64>,
    traffic: Traffic,
    worked: f64,
    /// When rank 0 has written all rows so far.
    written: f64,
    /// Time for writing rows that workers of rank 0 have not yet given.
    owed: f64,
}

/// What a block passes on to the next one.
#[derive(Default)]
struct Passed {
    /// When all its bands had started.
    started: f64,
    groups: Stream,
    /// When all its rows were finished.
    finished: f64,
}

/// When posted words are at their reader.
#[derive(Default)]
struct Arrivals {
    /// Those of the blocks just below it: from which group on they are needed, and when they come.
    near: Vec<(u64, f64)>,
    /// When the last of all others comes.
    far: f64,
}

impl<'a> Simulation<'a> {
    fn new(
        run: &'a Run,
        layout: Layout,
        cluster: &'a Cluster,
        costs: &'a Costs,
        sizes: &'a Sizes,
        interval: f64,
    ) -> Self {
        let workers = usize::try_from(layout.workers()).expect("few workers");
        let ranks = usize::try_from(layout.ranks).expect("few ranks");
        let ports = || [Port::new(interval), Port::new(interval)];
        Self {
            run,
            layout,
            cluster,
            costs,
            sizes,
            free: vec![0.0; workers],
            ports: (0..ranks).map(|_| ports()).collect(),
            below: Passed::default(),
            posted: VecDeque::new(),
            finished: Vec::new(),
            traffic: Traffic::default(),
            worked: 0.0,
            written: 0.0,
            owed: 0.0,
        }
    }

    /// One block, from its start to its end.
    fn block(&mut self, number: u64) {
        let block = self.run.block(number);
        let rank = self.layout.rank(number);
        let worker = usize::try_from(rank * self.layout.threads + self.layout.worker(number))
            .expect("few workers");
        let mut arrivals = self.posted.pop_front().unwrap_or_default();
        arrivals.near.sort_by_key(|&(group, _)| group);
        let below = std::mem::take(&mut self.below);
        let groups = block.groups();

        let headway = groups.start + block.headway(self.layout.workers());
        let ahead = below.groups.time_of(headway).min(below.finished);
        let mut now = self.free[worker].max(below.started).max(ahead).max(arrivals.far);
        let mut passed = Passed { groups: Stream::from(groups.start), ..Passed::default() };
        let mut posts: Vec<Transfer> = self.run.transfers(number).collect();
        posts.sort_by_key(|post| std::cmp::Reverse(post.groups.end));
        let (mut steps, mut near, mut taken) = (block.steps(), 0, groups.start);
        // The rows of the block below are entered when it has finished.
        let mut learns = self.layout.workers() > 1 && number > 1;
        let most = ((groups.end - groups.start) / PARTS).max(BATCH);
        // What takes a worker's time of a group that comes from another rank, or goes there.
        let ways =
            u64::from(self.layout.crosses(number)) + u64::from(self.layout.crosses(number + 1));
        let talk = count(ways) * (self.costs.encode + self.sizes.group * self.byte());
        // Near the diagonal words go to the next blocks, which wait for them.
        while let Some(step) = steps.next(most.min(BATCH + (taken - groups.start) / 16)) {
            let last = step.needs + step.slots - 1;
            now = now.max(below.groups.time_of(step.needs));
            while let Some(&(group, time)) = arrivals.near.get(near).filter(|(g, _)| *g < last) {
                debug_assert!(group <= last);
                now = now.max(time);
                near += 1;
            }
            let mut work = count(step.slots * step.tiles) * self.costs.tile;
            let slot = work / count(step.slots);
            let joined = last.max(taken) - taken;
            taken += joined;
            work += count(joined) * (self.costs.group + talk);
            if step.starts {
                work += self.costs.start;
            }
            if step.finishes {
                now = now.max(below.finished);
                work += self.costs.finish;
                if std::mem::take(&mut learns) {
                    work += count(BLOCK_ROWS) * self.costs.learn;
                }
            }
            self.worked += work;
            now = (now + work).max(below.groups.time_of(last) + slot);
            if step.has_started {
                passed.started = now;
            }
            let passes = step.passes.unwrap_or(u64::MAX);
            self.pass(&mut passed, number, passes.min(groups.end), now);
            while let Some(post) = posts.pop_if(|post| post.groups.end <= passes) {
                now += self.post(number, &post, now);
            }
        }
        self.free[worker] = now + self.learn(number) + self.write(rank, &block, now);
        self.finish(&mut passed, number, now);
        self.below = passed;
        self.finished.push(now);
    }

    /// Hands the groups before `end` to the next block.
    fn pass(&mut self, passed: &mut Passed, number: u64, end: u64, now: f64) {
        let more = end.saturating_sub(passed.groups.end());
        if more == 0 {
            return;
        }
        let mut time = now;
        if self.layout.crosses(number + 1) {
            let bytes = count(more) * self.sizes.group;
            self.traffic.groups += bytes;
            time = self.send(number, number + 1, bytes, now, Urgency::NEXT);
        }
        passed.groups.push(end, time);
    }

    /// What sending or receiving a byte takes of a worker's time.
    fn byte(&self) -> f64 {
        if self.cluster.spare { 0.0 } else { self.costs.byte }
    }

    /// Posts words. Says how long that takes: as many come as go.
    fn post(&mut self, number: u64, post: &Transfer, now: f64) -> f64 {
        let (mut time, mut work) = (now, 0.0);
        if self.layout.rank(number) != self.layout.rank(post.reader) {
            let bytes = count(post.groups.end - post.groups.start) * self.sizes.word;
            self.traffic.words += bytes;
            work = 2.0 * bytes * self.byte();
            self.worked += work;
            let urgency = Urgency::of_distance(post.reader - number);
            time = self.send(number, post.reader, bytes, now, urgency);
        }
        let at = usize::try_from(post.reader - number - 1).expect("few blocks");
        if at >= self.posted.len() {
            self.posted.resize_with(at + 1, Arrivals::default);
        }
        let arrivals = &mut self.posted[at];
        if post.reader - number < self.layout.workers() {
            arrivals.near.push((post.groups.start, time));
        } else {
            arrivals.far = arrivals.far.max(time);
        }
        work
    }

    /// Sends bytes from the rank of one block to that of another. Says when they are there.
    fn send(&mut self, from: u64, to: u64, bytes: f64, now: f64, urgency: Urgency) -> f64 {
        let [from, to] = [from, to].map(|block| self.layout.rank(block));
        let [from, to] = [from, to].map(|rank| usize::try_from(rank).expect("few ranks"));
        let seconds = bytes / self.cluster.network.bandwidth;
        let sent = self.ports[from][0].book(now, seconds, urgency);
        let received = self.ports[to][1].book(now, seconds, urgency);
        sent.max(received) + self.cluster.network.latency
    }

    /// The worker enters the rows of further blocks that others have done meanwhile.
    fn learn(&mut self, number: u64) -> f64 {
        let blocks = number.min(self.layout.workers()).saturating_sub(2);
        let time = count(blocks * BLOCK_ROWS) * self.costs.learn;
        self.worked += time;
        time
    }

    /// Rank 0 writes the rows of a block. If its node has no processor for that, a worker of rank 0
    /// gives the time: the next one to be done.
    fn write(&mut self, rank: u64, block: &Block, now: f64) -> f64 {
        let rows = block.rows();
        let time = count(rows.end - rows.start) * self.costs.record;
        self.written = self.written.max(now) + time;
        if self.cluster.spare {
            return 0.0;
        }
        self.owed += time;
        if rank == 0 { std::mem::take(&mut self.owed) } else { 0.0 }
    }

    /// The next block hears that the block has finished, and all ranks hear of its rows.
    fn finish(&mut self, passed: &mut Passed, number: u64, now: f64) {
        let rows = count(BLOCK_ROWS);
        let others = count(self.layout.ranks - 1);
        self.traffic.rows += others * rows * self.sizes.row;
        self.traffic.diagonals += others * rows * self.sizes.diagonal;
        passed.finished = now;
        if self.layout.crosses(number + 1) {
            self.traffic.groups += self.sizes.corner;
            passed.started =
                self.send(number, number + 1, self.sizes.corner, passed.started, Urgency::NEXT);
            passed.finished =
                self.send(number, number + 1, rows * self.sizes.row, now, Urgency::NEXT);
        }
        passed.groups.end_at(now);
    }
}
