//! A simulation of a run: the schedule, carried out in virtual time.
//!
//! A block depends on lower blocks only: on the one below it for groups, the corner and rows; on
//! those that store words for it; and on the previous block of its worker. So the simulation takes
//! the blocks in order. Each block goes through its steps ([`Block::steps`]), waits for its inputs,
//! and records when its outputs leave. Blocks that run at the same time share the network: each
//! rank has a *port* out and a port in, which record how much of each short interval is in use
//! (`port`).
//!
//! [`Block::steps`]: crate::blocks::Block::steps

mod port;
mod stream;

use crate::blocks::{BLOCK_ROWS, Block, RunGeometry, Transfer};
use crate::{
    costs::{
        BATCH, CORNER_BYTES, Cluster, Costs, DIAGONAL_BYTES, GROUP_BYTES, ROW_BYTES, WORD_BYTES,
        count,
    },
    plan::{Model, Traffic},
};
use port::{Port, Urgency};
use std::collections::VecDeque;
use stream::Stream;
use sweep::band::pipeline::index;

/// The results of a simulated run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Seconds from start to end.
    pub seconds: f64,
    /// Seconds of work of all workers together.
    pub worked: f64,
    /// When each block has finished.
    pub finished: Vec<f64>,
    /// Bytes on the network.
    pub traffic: Traffic,
}

/// A step of a block has at most this part of its slots.
const PARTS: u64 = 128;

/// Intervals of a port in a run, if it takes as long as the model predicts.
const INTERVALS: f64 = 20_000.0;

/// Simulates the whole run.
///
/// Cost: O(transfers + blocks · 128).
#[must_use]
pub fn simulate(run: &RunGeometry, cluster: &Cluster, costs: &Costs) -> Simulated {
    let predicted = Model::new(run, *costs).predict(cluster).seconds;
    let interval = (predicted / INTERVALS).max(1e-6);
    let mut simulation = Simulation {
        run,
        cluster,
        costs,
        free: vec![0.0; index(cluster.workers())],
        ports: (0..cluster.ranks).map(|_| [Port::new(interval), Port::new(interval)]).collect(),
        below: BlockOutput::default(),
        stored: VecDeque::new(),
        written: 0.0,
        owed: 0.0,
        result: Simulated::default(),
    };
    for number in run.blocks() {
        simulation.block(number);
    }
    let Simulation { written, mut result, .. } = simulation;
    result.seconds = result.finished.iter().fold(written, |last, &time| last.max(time));
    result
}

struct Simulation<'a> {
    run: &'a RunGeometry,
    cluster: &'a Cluster,
    costs: &'a Costs,
    /// When each worker has finished its last block.
    free: Vec<f64>,
    /// Of each rank, out and in.
    ports: Vec<[Port; 2]>,
    /// The output of the block below.
    below: BlockOutput,
    /// When words arrive at the next blocks, from the next one on.
    stored: VecDeque<Arrivals>,
    /// When rank 0 has written all rows so far.
    written: f64,
    /// Time for writing rows that workers of rank 0 have not yet spent.
    owed: f64,
    result: Simulated,
}

/// When the outputs of a block are at the next one.
#[derive(Default)]
struct BlockOutput {
    /// That all its bands have started.
    started: f64,
    groups: Stream,
    /// That all its rows are finished.
    finished: f64,
}

/// When stored words are at their reader.
#[derive(Default)]
struct Arrivals {
    /// Words of the blocks just below it: the first group that needs them, and their time.
    near: Vec<(u64, f64)>,
    /// The last of all other words.
    far: f64,
}

impl Simulation<'_> {
    /// Simulates one block.
    fn block(&mut self, number: u64) {
        let block = self.run.block(number);
        let worker = index((number - 1) % self.cluster.workers());
        let mut arrivals = self.stored.pop_front().unwrap_or_default();
        arrivals.near.sort_by_key(|&(group, _)| group);
        let below = std::mem::take(&mut self.below);
        let groups = block.groups();

        let headway = groups.start + block.headway(self.cluster.workers());
        let ahead = below.groups.time_of(headway).min(below.finished);
        let mut now = self.free[worker].max(below.started).max(ahead).max(arrivals.far);
        let stream = Stream::from(groups.start);
        let mut output = BlockOutput { groups: stream, ..BlockOutput::default() };
        let mut transfers: Vec<Transfer> = self.run.transfers(number).collect();
        transfers.sort_by_key(|transfer| std::cmp::Reverse(transfer.groups.end));
        let (mut steps, mut near, mut taken) = (block.steps(), 0, groups.start);
        // The rows of the block below are entered when it has finished.
        let mut learns = self.cluster.workers() > 1 && number > 1;
        let most = ((groups.end - groups.start) / PARTS).max(BATCH);
        let talk = self.talk(number);
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
            self.result.worked += work;
            now = (now + work).max(below.groups.time_of(last) + slot);
            if step.has_started {
                output.started = now;
            }
            let passes = step.passes.unwrap_or(u64::MAX);
            self.pass(&mut output, number, passes.min(groups.end), now);
            while let Some(transfer) = transfers.pop_if(|transfer| transfer.groups.end <= passes) {
                now += self.store(number, &transfer, now);
            }
        }
        self.free[worker] = now + self.learn(number) + self.write(number, &block, now);
        self.finish(&mut output, number, now);
        self.below = output;
        self.result.finished.push(now);
    }

    /// Passes the groups before `end` to the next block.
    fn pass(&mut self, output: &mut BlockOutput, number: u64, end: u64, now: f64) {
        let more = end.saturating_sub(output.groups.end());
        if more == 0 {
            return;
        }
        let mut time = now;
        if self.cluster.crosses(number + 1) {
            let bytes = count(more) * GROUP_BYTES;
            self.result.traffic.groups += bytes;
            time = self.send(number, number + 1, bytes, now, Urgency::NEXT);
        }
        output.groups.push(end, time);
    }

    /// A worker's time for a group that comes from another rank, or goes there.
    fn talk(&self, number: u64) -> f64 {
        let crosses = |number| u64::from(self.cluster.crosses(number));
        let ways = crosses(number) + crosses(number + 1);
        count(ways) * (self.costs.encode + GROUP_BYTES * self.byte())
    }

    /// A worker's time for a byte that its rank sends or receives.
    fn byte(&self) -> f64 {
        if self.cluster.spare { 0.0 } else { self.costs.byte }
    }

    /// Stores words. Returns the time of the worker: it receives as many as it sends.
    fn store(&mut self, number: u64, transfer: &Transfer, now: f64) -> f64 {
        let (mut time, mut work) = (now, 0.0);
        let distance = transfer.reader - number;
        if self.cluster.rank(number) != self.cluster.rank(transfer.reader) {
            let bytes = count(transfer.groups.end - transfer.groups.start) * WORD_BYTES;
            self.result.traffic.words += bytes;
            work = 2.0 * bytes * self.byte();
            self.result.worked += work;
            let urgency = Urgency::of_distance(distance);
            time = self.send(number, transfer.reader, bytes, now, urgency);
        }
        let at = index(distance - 1);
        if at >= self.stored.len() {
            self.stored.resize_with(at + 1, Arrivals::default);
        }
        let arrivals = &mut self.stored[at];
        if distance < self.cluster.workers() {
            arrivals.near.push((transfer.groups.start, time));
        } else {
            arrivals.far = arrivals.far.max(time);
        }
        work
    }

    /// Sends bytes from the rank of one block to that of another. Returns when they arrive.
    fn send(&mut self, from: u64, to: u64, bytes: f64, now: f64, urgency: Urgency) -> f64 {
        let (from, to) = (index(self.cluster.rank(from)), index(self.cluster.rank(to)));
        let seconds = bytes / self.cluster.network.bandwidth;
        let sent = self.ports[from][0].book(now, seconds, urgency);
        let received = self.ports[to][1].book(now, seconds, urgency);
        sent.max(received) + self.cluster.network.latency
    }

    /// The worker enters the rows of other blocks that have finished meanwhile.
    fn learn(&mut self, number: u64) -> f64 {
        let blocks = number.min(self.cluster.workers()).saturating_sub(2);
        let time = count(blocks * BLOCK_ROWS) * self.costs.learn;
        self.result.worked += time;
        time
    }

    /// Rank 0 writes the rows of a block. If its node has no spare processor, this delays the next
    /// worker of rank 0 that finishes a block.
    fn write(&mut self, number: u64, block: &Block, now: f64) -> f64 {
        let rows = block.rows();
        let time = count(rows.end - rows.start) * self.costs.record;
        self.written = self.written.max(now) + time;
        if self.cluster.spare {
            return 0.0;
        }
        self.owed += time;
        if self.cluster.rank(number) == 0 { std::mem::take(&mut self.owed) } else { 0.0 }
    }

    /// Tells the next block that this one has finished, and all ranks its rows.
    fn finish(&mut self, output: &mut BlockOutput, number: u64, now: f64) {
        let rows = count(BLOCK_ROWS);
        let others = count(self.cluster.ranks - 1);
        self.result.traffic.rows += others * rows * ROW_BYTES;
        self.result.traffic.diagonals += others * rows * DIAGONAL_BYTES;
        output.finished = now;
        if self.cluster.crosses(number + 1) {
            self.result.traffic.groups += CORNER_BYTES;
            let mut send = |bytes, time| self.send(number, number + 1, bytes, time, Urgency::NEXT);
            output.started = send(CORNER_BYTES, output.started);
            output.finished = send(rows * ROW_BYTES, now);
        }
        output.groups.end_at(now);
    }
}
