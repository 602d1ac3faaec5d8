//! Numbers that the windows of a group cannot hold.

/// Numbers that the windows of a group cannot hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Exceptions {
    /// Free for the column, but below its low window.
    pub(super) free: Lists,
    /// Blocked for the column, but not in windows or words.
    pub(super) blocked: Lists,
}

impl Exceptions {
    pub(super) fn is_empty(&self) -> bool {
        self.free.iter().chain(self.blocked.iter()).next().is_none()
    }
}

/// The numbers of each lane, ascending, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists([Vec<u64>; 8]);

impl Lists {
    pub(super) fn has(&self, lane: usize, p: u64) -> bool {
        self.0[lane].binary_search(&p).is_ok()
    }

    pub(super) fn insert(&mut self, lane: usize, p: u64) {
        insert_ascending(&mut self.0[lane], p);
    }

    pub(super) fn remove(&mut self, lane: usize, p: u64) {
        if let Ok(at) = self.0[lane].binary_search(&p) {
            self.0[lane].remove(at);
        }
    }

    pub(super) fn retain(&mut self, mut keeps: impl FnMut(usize, u64) -> bool) {
        for (lane, list) in self.0.iter_mut().enumerate() {
            list.retain(|&p| keeps(lane, p));
        }
    }

    pub(super) fn of_lane(&self, lane: usize) -> &[u64] {
        &self.0[lane]
    }

    /// The numbers, each with its lane, in the order of the lanes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        self.0.iter().enumerate().flat_map(|(lane, list)| list.iter().map(move |&p| (lane, p)))
    }
}

impl FromIterator<(usize, u64)> for Lists {
    fn from_iter<I: IntoIterator<Item = (usize, u64)>>(numbers: I) -> Self {
        let mut lists = Self::default();
        numbers.into_iter().for_each(|(lane, p)| lists.0[lane].push(p));
        for list in &mut lists.0 {
            list.sort_unstable();
            list.dedup();
        }
        lists
    }
}

/// Inserts the number into an ascending list, unless it is there.
pub(crate) fn insert_ascending(list: &mut Vec<u64>, p: u64) {
    if let Err(at) = list.binary_search(&p) {
        list.insert(at, p);
    }
}
