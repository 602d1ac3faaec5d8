//! Lists that repeat for ever.

use ultimate::Ultimate;

/// The first period, of the least length, of a list that repeats for ever.
pub(crate) fn least_period<T: Eq + Clone>(list: Vec<T>) -> Vec<T> {
    let least = Ultimate::new(Vec::new(), list).map(|sequence| sequence.cycle().to_vec());
    least.unwrap_or_default()
}

/// The rotation that is least in the order of lists: of two candidates, each comparison moves the
/// loser past all places that it has lost, so the time is linear.
pub(crate) fn least_rotation<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    let length = list.len();
    let (mut one, mut other, mut same) = (0, 1, 0);
    while one < length && other < length && same < length {
        match list[(one + same) % length].cmp(&list[(other + same) % length]) {
            std::cmp::Ordering::Equal => {
                same += 1;
                continue;
            }
            std::cmp::Ordering::Greater => one += same + 1,
            std::cmp::Ordering::Less => other += same + 1,
        }
        if one == other {
            other += 1;
        }
        same = 0;
    }
    list.rotate_left(one.min(other));
    list
}
