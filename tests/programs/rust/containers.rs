//! Containers, text and output of std; nothing here is about threads. The order of a HashMap is
//! one of many.
// check: sc=holds states=sc:41
// check: -DORDER sc=unknown(hashes)
// check: -DHASHER sc=unknown(hashes)
// check: -DDRAINED sc=unknown(hashes)
// check: -DDIFFERENCE sc=unknown(hashes)
// check: -DSHOWN sc=unknown(hashes)
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hasher};
use std::rc::Rc;

fn main() {
    let mut sums = HashMap::new();
    for number in 0..4_u32 {
        *sums.entry(number % 3).or_insert(0) += number;
    }
    assert_eq!(sums[&0], 3);
    assert_eq!(sums.remove(&1), Some(1));
    if cfg!(ORDER) {
        assert!(sums.keys().all(|number| *number % 2 == 0));
    } else if cfg!(HASHER) {
        println!("{}", RandomState::new().build_hasher().finish());
    } else if cfg!(DRAINED) {
        assert!(sums.drain().next().is_some());
    } else if cfg!(DIFFERENCE) {
        assert!(HashSet::from([1, 2, 3]).difference(&HashSet::from([3])).next().is_some());
    } else if cfg!(SHOWN) {
        println!("{sums:?}");
    }
    let sorted: BTreeMap<_, _> = (0..3).zip(0..).collect();
    assert!(sorted.keys().eq([&0, &1, &2]));

    let mut words: Vec<String> = "b ü a".split(' ').map(str::to_owned).collect();
    words.sort();
    println!("{words:?} {:6.2} {:#x}", 1.5_f64, 255);
    eprintln!("{}", words.concat());
    assert_eq!(words.iter().map(String::len).sum::<usize>(), 4);
    assert_eq!("12".parse::<i32>(), Ok(12));

    let mut queue = VecDeque::from([1, 2]);
    queue.push_front(0);
    assert_eq!(queue.pop_back(), Some(2));
    let successor: Box<dyn Fn(i32) -> i32> = Box::new(|number| number + 1);
    assert_eq!(successor(1), 2);
    let shared = Rc::new(5);
    assert_eq!(Rc::strong_count(&Rc::clone(&shared)), 2);
    assert_eq!(std::env::args().collect::<Vec<_>>(), ["program"]);
    assert!(std::env::var("HOME").is_err(), "the environment is empty");
    assert!(HashSet::from(["x", "y"]).contains("x"));
}
