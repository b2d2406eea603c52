//! The monitor that the threads of a running program share, against the one that is told of all accesses by
//! one thread, which `monitor.rs` compares with the textbook machine.
//!
//! * On random interleavings, and with real threads, it reports the same loads.
//! * With bounds, it reports some of them, and no others; if it only forgets what is known to all, each.
//! * With calls that nobody watches and ends of threads, it reports no load that who knows what they order
//!   does not report.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

use rmc_runtime::monitor::{
    AccessKind, Borderline, Bounds, ByteRange, CycleEdge, Monitor, MonitorAccess, SharedMonitor, WatchedThread,
};
use rmc_tests::generated::random::Random;

/// The load and the store of each report of some monitor, by their sites.
type Reports = BTreeSet<(u64, u64)>;

fn sites(found: &[Borderline]) -> impl Iterator<Item = (u64, u64)> {
    found.iter().map(|it| (it.load.site, it.missed.site))
}

fn word(number: u64) -> ByteRange {
    ByteRange { address: 8 * number, len: 8 }
}

/// A step of a thread in a random interleaving.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load(ByteRange),
    Store(ByteRange),
    Update(ByteRange),
    FailedUpdate(ByteRange),
    Fence,
    Outside,
    /// The thread creates one, which goes on, and ends.
    End,
}

impl Step {
    /// A step in `words` words, the first of them at an address. `kinds` is 39 for accesses and fences only,
    /// 41 for calls that nobody watches as well, 42 for ends of threads as well.
    fn random(random: &mut Random, address: u64, words: usize, kinds: usize) -> Self {
        let len = [1, 2, 4, 8][random.below(4)];
        let bytes = ByteRange { address: address + (random.below(8 * words) & !(len - 1)) as u64, len: len as u64 };
        // Copies and the like are longer.
        let bytes = if random.below(8) == 0 { ByteRange { len: 8 * (words.min(4)) as u64, address } } else { bytes };
        match random.below(kinds) {
            0..18 => Self::Load(bytes),
            18..35 => Self::Store(bytes),
            35..37 => Self::Update(bytes),
            37 => Self::FailedUpdate(bytes),
            38 => Self::Fence,
            39 | 40 => Self::Outside,
            _ => Self::End,
        }
    }

    /// The step, or often the same load again if the last step of the thread was one: it then keeps the
    /// reader.
    fn unless_repeated(self, random: &mut Random, last: &mut Option<Self>) -> Self {
        let step = last.filter(|_| random.below(3) > 0).unwrap_or(self);
        *last = matches!(step, Self::Load(_)).then_some(step);
        step
    }

    /// Tells the monitor of one thread. It does not know of calls that nobody watches, nor of ends.
    fn tell(self, monitor: &mut Monitor, thread: usize, site: u64) -> Vec<Borderline> {
        match self {
            Self::Load(bytes) => return monitor.load(thread, bytes, site),
            Self::Store(bytes) => monitor.store(thread, bytes, site),
            Self::Update(bytes) => monitor.update(thread, bytes, site),
            Self::FailedUpdate(bytes) => monitor.failed_update(thread, bytes, site),
            Self::Fence => monitor.fence(thread, site),
            Self::Outside | Self::End => {}
        }
        Vec::new()
    }

    /// Makes the step under the eyes of the shared monitor. `access` is the access itself.
    fn make(
        self,
        monitor: &SharedMonitor,
        thread: &mut WatchedThread,
        site: u64,
        access: impl FnOnce(),
    ) -> Vec<Borderline> {
        match self {
            Self::Load(bytes) => return monitor.load(thread, bytes, site, access).1,
            Self::Store(bytes) => monitor.store(thread, bytes, site, access),
            Self::Update(bytes) => monitor.update(thread, bytes, site, || (access(), true)),
            Self::FailedUpdate(bytes) => monitor.update(thread, bytes, site, || (access(), false)),
            Self::Fence => {
                access();
                monitor.fence(thread, site);
            }
            Self::Outside => {
                access();
                monitor.outside(thread, site);
            }
            Self::End => {
                access();
                monitor.outside(thread, site);
                let created = monitor.start();
                monitor.end(thread);
                *thread = created;
            }
        }
        Vec::new()
    }
}

/// The loads of some reports.
fn loads(reports: Reports) -> BTreeSet<u64> {
    reports.into_iter().map(|(load, _)| load).collect()
}

/// The address of some words that lie in two pages.
const ACROSS: u64 = 4064;

/// Runs a random interleaving of six threads in several monitors at once. Returns the reports of each. The
/// first monitor does not free the slots of threads that end; the others forget what is known after each
/// step.
fn random_interleaving(seed: u64, monitors: &[SharedMonitor], kinds: usize) -> Vec<Reports> {
    let mut random = Random::new(seed);
    let mut reports = vec![Reports::new(); monitors.len()];
    let mut threads: Vec<Vec<_>> = monitors.iter().map(|it| (0..6).map(|_| it.start()).collect()).collect();
    let mut last = [None; 6];
    for event in 0..400 {
        let thread = random.below(6);
        let step = Step::random(&mut random, ACROSS, 6, kinds).unless_repeated(&mut random, &mut last[thread]);
        for (at, monitor) in monitors.iter().enumerate() {
            let own = &mut threads[at][thread];
            if at == 0 && matches!(step, Step::End) {
                monitor.outside(own, event);
                let created = monitor.start();
                monitor.outside(own, event);
                *own = created;
                continue;
            }
            reports[at].extend(sites(&step.make(monitor, own, event, || {})));
            if at > 0 {
                monitor.forget_known();
            }
        }
    }
    reports
}

/// A cycle as both monitors know it: the shared one knows the position of a load only up to other loads.
fn known(cycle: Vec<CycleEdge>) -> Vec<CycleEdge> {
    let known = |access: MonitorAccess| match access.kind {
        AccessKind::Load => MonitorAccess { position: 0, ..access },
        _ => access,
    };
    cycle.into_iter().map(|edge| CycleEdge { from: known(edge.from), to: known(edge.to), ..edge }).collect()
}

#[test]
fn both_monitors_report_the_same_loads() {
    let mut found = 0;
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let (mut monitor, shared) = (Monitor::default(), SharedMonitor::default());
        let mut threads: Vec<_> = (0..4).map(|_| shared.start()).collect();
        let mut last = [None; 4];
        for event in 0..300 {
            let thread = random.below(4);
            let step = Step::random(&mut random, ACROSS, 6, 39).unless_repeated(&mut random, &mut last[thread]);
            let expected = step.tell(&mut monitor, thread, event);
            let reports = step.make(&shared, &mut threads[thread], event, || {});
            assert_eq!(reports, expected, "seed {seed}, event {event}");
            for report in &reports {
                let cycles = [shared.cycle(report), monitor.cycle(report)].map(|cycle| cycle.map(known));
                assert_eq!(cycles[0], cycles[1], "seed {seed}, event {event}");
            }
            found += reports.len();
        }
    }
    assert!(found > 1000, "{found} reports");
}

/// The threads of [`concurrently`].
const THREADS: usize = 4;

/// A step of a run, its number in the order of the accesses, and its thread and site.
type Made = (usize, usize, u64, Step);

/// Threads make random steps at the same time. Returns what was reported, and the steps in the order in which
/// their accesses were made.
fn concurrently(monitor: &SharedMonitor, seed: u64, kinds: usize) -> (Reports, Vec<Made>) {
    let (clock, barrier) = (AtomicUsize::new(0), Barrier::new(THREADS));
    let run = |number: usize| {
        let mut random = Random::new(seed * THREADS as u64 + number as u64);
        let mut thread = monitor.start();
        let (mut reports, mut made, mut last) = (Reports::new(), Vec::new(), None);
        barrier.wait();
        for at in 0..1000 {
            // Two pages of which the threads share the words, and many others, which only one thread
            // accesses.
            let address = if random.below(16) == 0 { 65_536 * (number + 1) + 64 * at } else { ACROSS as usize };
            let step = Step::random(&mut random, address as u64, 6, kinds).unless_repeated(&mut random, &mut last);
            let site = (number * 1_000_000 + at) as u64;
            let mut place = None;
            reports.extend(sites(&step.make(monitor, &mut thread, site, || {
                place = Some(clock.fetch_add(1, Ordering::Relaxed));
            })));
            made.push((place.expect("the access is made"), number, site, step));
            if random.below(8) == 0 {
                std::thread::yield_now();
            }
        }
        monitor.end(&thread);
        (reports, made)
    };
    let (mut reports, mut made) = (Reports::new(), Vec::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|number| scope.spawn(move || run(number))).collect();
        for thread in threads {
            let (found, steps) = thread.join().expect("the thread ends");
            reports.extend(found);
            made.extend(steps);
        }
    });
    made.sort_unstable_by_key(|&(place, ..)| place);
    (reports, made)
}

/// The reports of the monitor that is told of all accesses by one thread.
fn told(made: &[Made]) -> Reports {
    let mut monitor = Monitor::default();
    let mut reports = Reports::new();
    for &(_, thread, site, step) in made {
        reports.extend(sites(&step.tell(&mut monitor, thread, site)));
    }
    reports
}

#[test]
fn real_threads_have_the_same_reports() {
    let mut found = 0;
    for seed in 0..40 {
        // Half of the runs forget what is known to all, each time that there are twice as many pages.
        let bounds = if seed % 2 == 0 { Bounds::NONE } else { Bounds { words: 8, ..Bounds::NONE } };
        let (reports, made) = concurrently(&SharedMonitor::bounded(bounds), seed, 39);
        assert_eq!(made.len(), THREADS * 1000);
        let expected = told(&made);
        let others: Vec<_> = reports.symmetric_difference(&expected).collect();
        assert!(others.is_empty(), "seed {seed}: {others:?}");
        found += reports.len();
    }
    assert!(found > 100, "{found} reports");
}

#[test]
fn real_threads_that_call_what_nobody_watches_have_no_other_reports() {
    let (mut found, mut lost) = (0, 0);
    for seed in 0..40 {
        let bounds = Bounds { history: 2, paths: 4, words: 8 };
        let (reports, made) = concurrently(&SharedMonitor::bounded(bounds), seed, 42);
        let expected = told(&made);
        // Without some of what happens-before a load, it may be an older store that it is found to miss.
        let [reports, expected] = [reports, expected].map(loads);
        let others: Vec<_> = reports.difference(&expected).collect();
        assert!(others.is_empty(), "seed {seed}: {others:?}");
        found += reports.len();
        lost += expected.len() - reports.len();
    }
    assert!(found > 100 && lost > 0, "{found} reports, {lost} are lost");
}

#[test]
fn forgetting_what_is_known_changes_no_report() {
    let mut found = 0;
    for seed in 0..300 {
        for kinds in [41, 42] {
            let monitors = [SharedMonitor::default(), SharedMonitor::default()];
            let reports = random_interleaving(seed, &monitors, kinds);
            assert_eq!(reports[0], reports[1], "seed {seed}, {kinds} kinds");
            found += reports[0].len();
        }
    }
    assert!(found > 1000, "{found} reports");
}

#[test]
fn forgetting_old_stores_makes_no_report() {
    let (mut found, mut lost) = (0, 0);
    for seed in 1000..1300 {
        let bounds = |history| SharedMonitor::bounded(Bounds { history, paths: 4, words: 2 });
        let reports = random_interleaving(seed, &[SharedMonitor::default(), bounds(0), bounds(2)], 42);
        for bounded in &reports[1..] {
            assert!(bounded.is_subset(&reports[0]), "seed {seed}: {:?}", bounded.difference(&reports[0]));
            lost += reports[0].len() - bounded.len();
        }
        found += reports[0].len();
    }
    assert!(lost > 0 && lost < found, "{lost} of {found} reports are lost");
}

/// The number of reports of two threads that store to one of two words and load the other, if some bytes die
/// after the first thread.
fn reports_after(released: Option<ByteRange>) -> usize {
    let monitor = SharedMonitor::default();
    let [first, second] = [(); 2].map(|()| monitor.start());
    monitor.store(&first, word(1), 0, || {});
    monitor.store(&first, word(100), 1, || {});
    if let Some(bytes) = released {
        monitor.release(&second, bytes);
    }
    monitor.store(&second, word(100), 2, || {});
    monitor.load(&second, word(1), 3, || {}).1.len()
}

#[test]
fn freed_memory_is_other_memory() {
    let bytes = |first: u64, words: u64| Some(ByteRange { address: 8 * first, len: 8 * words });
    assert_eq!(reports_after(None), 1);
    for released in [bytes(0, 1 << 40), bytes(0, 2), bytes(1, 1), bytes(100, 1), bytes(50, 51), bytes(1, 100)] {
        assert_eq!(reports_after(released), 0, "{released:?}");
    }
    for released in [bytes(0, 1), bytes(2, 98), bytes(101, 1000), bytes(1, 0)] {
        assert_eq!(reports_after(released), 1, "{released:?}");
    }
}

#[test]
fn slots_of_ended_threads_are_used_again() {
    let monitor = SharedMonitor::default();
    let main = monitor.start();
    let mut most = 0;
    for round in 0..1000 {
        monitor.outside(&main, round);
        let threads: Vec<_> = (0..8).map(|_| monitor.start()).collect();
        for pair in threads.as_chunks().0 {
            let [first, second] = pair;
            monitor.store(first, word(1), round, || {});
            monitor.store(first, word(2), round, || {});
            monitor.store(second, word(2), round, || {});
            let found = monitor.load(second, word(1), round, || {}).1;
            assert_eq!(found.len(), 1, "round {round}");
            most = most.max(found[0].load.thread);
        }
        threads.iter().for_each(|thread| monitor.end(thread));
        monitor.outside(&main, round);
    }
    assert!(most < 100, "{most} slots for nine threads");
}

/// A process that is forked has one thread, which may create others, and has the memory that all of them
/// left.
#[test]
fn the_thread_of_a_forked_process_goes_on_alone() {
    let run = |is_forked: bool| {
        let monitor = SharedMonitor::default();
        let [first, second] = [(); 2].map(|()| monitor.start());
        monitor.store(&first, word(1), 0, || {});
        monitor.store(&first, word(2), 1, || {});
        if is_forked {
            monitor.outside(&second, 2);
            let number = second.number();
            monitor.pause().end_alone(number);
            monitor.outside(&second, 3);
        } else {
            drop(monitor.pause());
        }
        monitor.store(&second, word(2), 4, || {});
        let created = monitor.start();
        monitor.store(&created, word(3), 5, || {});
        monitor.load(&second, word(1), 6, || {}).1.len()
    };
    assert_eq!([run(false), run(true)], [1, 0]);
}

/// Calls synchronise by read-modify-writes of an object that one monitor sees and another does not.
#[test]
fn calls_that_nobody_watches_make_no_report() {
    let (mut found, mut lost) = (0, 0);
    for seed in 0..2000 {
        let mut random = Random::new(seed);
        let (mut seeing, other) = (Monitor::default(), SharedMonitor::default());
        let mut threads: Vec<_> = (0..4).map(|_| other.start()).collect();
        let mut loads = [BTreeSet::new(), BTreeSet::new()];
        for event in 0..60 {
            let thread = random.below(4);
            let own = &mut threads[thread];
            let step = match random.below(10) {
                0..4 => Step::Load(word(random.below(4) as u64)),
                4..8 => Step::Store(word(random.below(4) as u64)),
                _ => {
                    seeing.update(thread, word(10 + random.below(3) as u64), event);
                    other.outside(own, event);
                    other.outside(own, event);
                    continue;
                }
            };
            loads[0].extend(step.tell(&mut seeing, thread, event).iter().map(|it| it.load.site));
            loads[1].extend(step.make(&other, own, event, || {}).iter().map(|it| it.load.site));
        }
        assert!(loads[1].is_subset(&loads[0]), "seed {seed}: {:?}", loads[1].difference(&loads[0]));
        found += loads[1].len();
        lost += loads[0].len() - loads[1].len();
    }
    assert!(found > 100 && lost > 0, "{found} reports, {lost} are lost");
}
