//! The memory that the machine, control groups and limits leave to this process.

use std::path::Path;

/// The free memory of the machine; `None` where that is not known.
#[cfg(target_family = "wasm")]
pub fn free() -> Option<u64> {
    None
}

#[cfg(not(target_family = "wasm"))]
pub fn free() -> Option<u64> {
    let ram = sysinfo::MemoryRefreshKind::nothing().with_ram();
    let system =
        sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(ram));
    Some(system.available_memory()).filter(|bytes| *bytes > 0)
}

/// Half of the free memory.
#[cfg(feature = "files")]
pub fn half() -> u64 {
    let available = [free(), left_to_group(), data()].into_iter().flatten().min();
    available.map_or(1 << 30, |bytes| bytes / 2)
}

/// The longest file about control groups that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// The memory that the control groups of this process leave to it: a container, a service, a batch
/// job.
pub fn left_to_group() -> Option<u64> {
    let membership = files::text(Path::new("/proc/self/cgroup"), LONGEST).ok()?;
    left_to(&membership, Path::new("/sys/fs/cgroup"))
}

/// The same from `/proc/self/cgroup` and the folder of all groups. The limit of a group holds for
/// the groups in it, so those around it count as well. Inside a container sometimes only the
/// outermost group is visible, and it is the container's own.
fn left_to(membership: &str, groups: &Path) -> Option<u64> {
    let left = membership.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let (root, version) = match controllers {
            "" => (groups.to_owned(), &VERSION_2),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (groups.join("memory"), &VERSION_1)
            }
            _ => return None,
        };
        let around = Path::new(group).ancestors();
        let folders = around.map(|group| root.join(group.strip_prefix("/").unwrap_or(group)));
        folders.filter_map(|folder| version.left(&folder)).min()
    });
    left.min()
}

/// Names of the files that control memory, and of the fields for memory that can be reclaimed.
struct GroupFiles {
    limit: &'static str,
    used: &'static str,
    cache: [&'static str; 2],
}

const VERSION_1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cache: ["total_active_file", "total_inactive_file"],
};

const VERSION_2: GroupFiles = GroupFiles {
    limit: "memory.max",
    used: "memory.current",
    cache: ["active_file", "inactive_file"],
};

impl GroupFiles {
    /// The memory that one group leaves; `None` if it sets no limit.
    fn left(&self, group: &Path) -> Option<u64> {
        let read = |name: &str| files::text(&group.join(name), LONGEST).ok();
        let number = |text: String| text.trim().parse::<u64>().ok();
        let limit = number(read(self.limit)?)?;
        let used = read(self.used).and_then(number).unwrap_or(0);
        let cache = |line: &str| {
            let (name, bytes) = line.split_once(' ')?;
            if self.cache.contains(&name) { bytes.parse::<u64>().ok() } else { None }
        };
        let cached: u64 = read("memory.stat").unwrap_or_default().lines().filter_map(cache).sum();
        Some(limit.saturating_sub(used.saturating_sub(cached)))
    }
}

pub use of_process::{address_space, data};

/// What is left of the limits of this process.
#[cfg(unix)]
mod of_process {
    use rustix::process::{Resource, getrlimit};

    /// The memory.
    pub fn data() -> Option<u64> {
        left_of(Resource::Data, "VmData")
    }

    /// The address space.
    pub fn address_space() -> Option<u64> {
        left_of(Resource::As, "VmSize")
    }

    fn left_of(resource: Resource, used: &str) -> Option<u64> {
        let limit = getrlimit(resource).current?;
        Some(limit.saturating_sub(files::process_bytes(used).unwrap_or(0)))
    }
}

#[cfg(not(unix))]
mod of_process {
    pub fn data() -> Option<u64> {
        None
    }

    pub fn address_space() -> Option<u64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::{TempDir, tempdir};

    use super::*;

    fn group(files: &[(&str, &str)]) -> TempDir {
        let folder = tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// The outer group is tighter than the inner one, which has file cache that can be taken back.
    #[test]
    fn groups_of_version_2() {
        let groups = group(&[
            ("memory.stat", "anon 9\n"),
            ("job/memory.max", "1000\n"),
            ("job/memory.current", "700\n"),
            ("job/memory.stat", "anon 600\nfile 100\ninactive_file 60\nactive_file 40\n"),
            ("job/step/memory.max", "500\n"),
            ("job/step/memory.current", "50\n"),
            ("job/step/memory.stat", "anon 50\ninactive_file 0\n"),
            ("job/free/memory.max", "max\n"),
            ("job/free/memory.current", "650\n"),
            ("full/memory.max", "100\n"),
            ("full/memory.current", "120\n"),
            ("full/memory.stat", "anon 120\n"),
        ]);
        let left = |membership| left_to(membership, groups.path());
        assert_eq!(left("0::/job\n"), Some(400));
        assert_eq!(left("0::/job/step\n"), Some(400));
        assert_eq!(left("0::/job/free\n"), Some(400));
        assert_eq!(left("0::/full\n"), Some(0));
        assert_eq!(left("0::/\n"), None);
        assert_eq!(left("4:cpu,cpuacct:/job\n"), None);
        assert_eq!(left("nonsense\n"), None);
    }

    /// A container may see its own group as the outermost, under the name that it has outside.
    #[test]
    fn groups_of_version_1() {
        let groups = group(&[
            ("memory/memory.limit_in_bytes", "2000\n"),
            ("memory/memory.usage_in_bytes", "1500\n"),
            (
                "memory/memory.stat",
                "inactive_file 1\ntotal_inactive_file 200\ntotal_active_file 300\n",
            ),
            ("memory/job/memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory/job/memory.usage_in_bytes", "1500\n"),
            ("memory/job/memory.stat", "total_inactive_file 0\n"),
        ]);
        let left = |membership| left_to(membership, groups.path());
        assert_eq!(left("3:cpuset:/\n4:memory:/docker/0123\n0::/\n"), Some(1000));
        assert_eq!(left("4:hugetlb,memory:/job\n"), Some(1000));
    }
}
