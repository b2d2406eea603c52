//! Random programs from seeds: the same seed always gives the same program.
//!
//! Each program has a few themes, so that its threads use the same objects and interact. Most threads end
//! normally if no other thread interferes. Nothing prevents violations, because the engines must find them.

use super::program::{
    End, Fence, Fetch, Freeing, Home, Lock, MEMORY, Order, Place, Program, Source, Statement, Taking, Value,
};
pub use crate::generated::random::Random;

/// The features that the statements of a program use, beside loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Theme {
    Atomics,
    Mutexes,
    OtherLocks,
    Conditions,
    Semaphores,
    Barriers,
    Objects,
    Waiting,
    Data,
    Threads,
    Ends,
    Sections,
}

const THEMES: [Theme; 16] = [
    Theme::Atomics,
    Theme::Atomics,
    Theme::Mutexes,
    Theme::Mutexes,
    Theme::OtherLocks,
    Theme::Conditions,
    Theme::Semaphores,
    Theme::Barriers,
    Theme::Objects,
    Theme::Objects,
    Theme::Waiting,
    Theme::Waiting,
    Theme::Data,
    Theme::Threads,
    Theme::Ends,
    Theme::Sections,
];

/// A program of one to three threads beside `main`, of a size that the engines explore in well under a
/// second.
pub fn program(random: &mut Random) -> Program {
    let mut theme = || random.pick(&THEMES);
    let mut author = Author {
        themes: [theme(), theme(), theme()].to_vec(),
        mixed: random.below(2) == 0,
        relaxed: random.below(4) > 0,
        stores: 6,
        random,
    };
    let themes = 1 + author.random.below(3);
    author.themes.truncate(themes);
    author.program()
}

struct Author<'r> {
    random: &'r mut Random,
    themes: Vec<Theme>,
    /// True if accesses are of parts of the memory rather than of two whole words.
    mixed: bool,
    /// True if most memory orders are weaker than `SeqCst`.
    relaxed: bool,
    /// The number of stores among twelve accesses of the current thread.
    stores: usize,
}

impl Author<'_> {
    fn one_in(&mut self, n: usize) -> bool {
        self.random.below(n) == 0
    }

    fn has(&self, theme: Theme) -> bool {
        self.themes.contains(&theme)
    }

    fn program(&mut self) -> Program {
        let created = self.random.pick(&[1, 2, 2, 2, 2, 3]);
        let each = [5, 4, 3][created - 1];
        let mut threads = vec![Vec::new()];
        for _ in 0..created {
            self.stores = self.random.pick(&[2, 6, 10]);
            let length = 2 + self.random.below(each - 1);
            let body = self.block(length, 0);
            threads.push(body);
        }
        let own = if created == 1 { 2 + self.random.below(4) } else { self.random.pick(&[0, 0, 0, 1, 2]) };
        threads[0] = self.block(own, 0);
        self.create_and_join(&mut threads);
        let home = self.random.pick(&[Home::Global, Home::Global, Home::Stack, Home::Heap, Home::Freed]);
        Program { home, semaphore: self.random.below(2), threads }
    }

    /// Adds statements that create every thread once and mostly join it.
    fn create_and_join(&mut self, threads: &mut [Vec<Statement>]) {
        let unusual = self.has(Theme::Threads);
        let own = threads[0].len();
        for thread in (1..threads.len()).rev() {
            let creator = if unusual && self.one_in(2) { self.random.below(thread) } else { 0 };
            if creator > 0 {
                let at = self.random.below(threads[creator].len() + 1);
                threads[creator].insert(at, Statement::Create(thread));
            } else if unusual && self.one_in(3) {
                let at = self.random.below(threads[0].len() + 1);
                threads[0].insert(at, Statement::Create(thread));
            } else {
                threads[0].insert(0, Statement::Create(thread));
            }
            let joiner = if creator > 0 && self.one_in(2) { 0 } else { creator };
            let last = threads[joiner].len();
            match self.random.below(8) {
                0 if unusual => threads[joiner].insert(last, Statement::Detach(thread)),
                1 if unusual => threads[joiner].insert(last, Statement::TryJoin(thread)),
                2 if unusual => {}
                3 if unusual => {
                    let at = own.min(last) + self.random.below(last - own.min(last) + 1);
                    threads[joiner].insert(at, Statement::Join(thread));
                }
                _ => {
                    let join = Statement::Join(thread);
                    let waits_in_section = self.has(Theme::Sections) && self.one_in(4);
                    threads[joiner].push(if waits_in_section { Statement::Section(vec![join]) } else { join });
                }
            }
        }
    }

    fn block(&mut self, length: usize, depth: usize) -> Vec<Statement> {
        (0..length).map(|_| self.statement(depth)).collect()
    }

    fn small_block(&mut self, depth: usize) -> Vec<Statement> {
        let length = self.random.pick(&[1, 1, 2]);
        self.block(length, depth + 1)
    }

    fn statement(&mut self, depth: usize) -> Statement {
        if self.random.below(5) < 2 {
            let theme = self.themes[self.random.below(self.themes.len())];
            if depth < 2 || matches!(theme, Theme::Atomics | Theme::Objects | Theme::Data) {
                return self.about(theme, depth);
            }
        }
        match self.random.below(16) {
            0 if depth < 2 => self.when(depth),
            1 => self.fence(),
            2 if self.one_in(2) => self.bulk(),
            3 if self.one_in(2) => self.assertion(),
            _ => self.access(),
        }
    }

    fn about(&mut self, theme: Theme, depth: usize) -> Statement {
        match theme {
            Theme::Atomics => self.atomic(),
            Theme::Mutexes => self.mutex(depth),
            Theme::OtherLocks => self.other_lock(depth),
            Theme::Conditions => self.condition(depth),
            Theme::Semaphores => match self.random.below(7) {
                0..=2 => Statement::SemaphoreWait(self.taking()),
                6 => Statement::SemaphoreValue,
                _ => Statement::SemaphorePost,
            },
            Theme::Barriers => Statement::Barrier(self.one_in(2)),
            Theme::Objects => self.object(),
            Theme::Waiting => self.waiting(),
            Theme::Data => self.data(),
            Theme::Threads => match self.random.below(3) {
                0 => Statement::Once,
                1 => Statement::ThreadLocal,
                _ => self.access(),
            },
            Theme::Ends => {
                let end = self.random.pick(&[End::Return, End::ThreadExit, End::Exit, End::QuickExit, End::Abort]);
                let body = vec![Statement::End(end)];
                if self.one_in(4) { body[0].clone() } else { Statement::When(self.read(), body, Vec::new()) }
            }
            Theme::Sections => Statement::Section(self.small_block(depth + 1)),
        }
    }

    fn taking(&mut self) -> Taking {
        self.random.pick(&[Taking::Wait, Taking::Wait, Taking::Wait, Taking::Try, Taking::Timed])
    }

    fn locked(&mut self, lock: Lock, depth: usize) -> Statement {
        match self.random.below(12) {
            0 => Statement::Acquire(lock),
            1 => Statement::Release(lock),
            _ => Statement::Holding(lock, self.taking(), self.small_block(depth)),
        }
    }

    fn mutex(&mut self, depth: usize) -> Statement {
        let lock = self.random.pick(&[Lock::Mutex(0), Lock::Mutex(0), Lock::Mutex(1), Lock::Recursive, Lock::Checking]);
        self.locked(lock, depth)
    }

    fn other_lock(&mut self, depth: usize) -> Statement {
        let lock = self.random.pick(&[Lock::Reading, Lock::Reading, Lock::Writing, Lock::Spin]);
        self.locked(lock, depth)
    }

    fn condition(&mut self, depth: usize) -> Statement {
        if self.one_in(3) {
            let taking = self.random.pick(&[Taking::Wait, Taking::Wait, Taking::Timed]);
            return Statement::WaitWhileZero(self.place(), taking);
        }
        let mut body = if depth == 0 && self.one_in(4) { self.small_block(1) } else { Vec::new() };
        if !self.one_in(4) {
            body.push(self.store());
        }
        Statement::Notify { all: self.one_in(2), body }
    }

    fn object(&mut self) -> Statement {
        let slot = usize::from(self.one_in(4));
        let orders = [Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst];
        match self.random.below(8) {
            0 | 1 => {
                let sources = [
                    Source::Malloc,
                    Source::Malloc,
                    Source::Calloc,
                    Source::Calloc,
                    Source::Local,
                    Source::ThreadLocal,
                ];
                let source = self.random.pick(&sources);
                let byte = (!self.one_in(3)).then(|| self.byte());
                let order = self.random.pick(&[Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst]);
                Statement::Publish(slot, source, byte, order)
            }
            2 => Statement::Free(
                slot,
                self.random.pick(&[Freeing::Take, Freeing::Take, Freeing::Leave, Freeing::Resize]),
            ),
            _ => {
                let len = self.random.pick(&[1, 2, 4, 8]);
                let place = Place { offset: len * self.random.below(8 / len), len };
                let byte = self.one_in(2).then(|| self.byte());
                Statement::Inspect(slot, place, byte, self.random.pick(&orders))
            }
        }
    }

    fn waiting(&mut self) -> Statement {
        match self.random.below(7) {
            0 => self.bounded_loop(),
            1 => Statement::Yield,
            2 => self.store(),
            3 => {
                let place = Place { offset: 8 * self.random.below(2), len: self.random.pick(&[1, 4, 8]) };
                Statement::Claim(place, self.byte(), self.random.pick(&[Order::Relaxed, Order::Acquire, Order::SeqCst]))
            }
            _ => {
                let place = Place { offset: 8 * self.random.below(2), len: self.random.pick(&[1, 4, 8]) };
                let byte = if self.one_in(4) { self.byte() } else { 0 };
                let orders = [Order::Relaxed, Order::Acquire, Order::SeqCst];
                Statement::Await(place, byte, self.random.pick(&orders))
            }
        }
    }

    fn bounded_loop(&mut self) -> Statement {
        let body = if self.one_in(2) { self.access() } else { self.atomic() };
        Statement::Repeat(2, vec![body])
    }

    fn data(&mut self) -> Statement {
        match self.random.below(8) {
            0 => Statement::Assume(self.read()),
            1 => Statement::LoopUnless(self.read()),
            2 | 3 => Statement::Coin,
            4 => self.bounded_loop(),
            _ => Statement::Choose(2 + self.random.below(2)),
        }
    }

    fn when(&mut self, depth: usize) -> Statement {
        let then = self.small_block(depth);
        let otherwise = if self.one_in(4) { self.small_block(depth) } else { Vec::new() };
        Statement::When(self.read(), then, otherwise)
    }

    /// A value that may have been read: of one byte, or of a byte repeated in several bytes.
    fn read(&mut self) -> u64 {
        let byte = u64::from(self.byte());
        self.random.pick(&[0, 0, byte, byte, 0x0101 * byte, 0x0101_0101 * byte, 0x0101_0101_0101_0101 * byte])
    }

    fn assertion(&mut self) -> Statement {
        Statement::Assert(self.read())
    }

    fn bulk(&mut self) -> Statement {
        if self.one_in(2) {
            return Statement::Fill(self.place(), self.byte());
        }
        let len = self.random.pick(&[2, 3, 8]);
        let [to, from] = [(); 2].map(|()| self.random.below(MEMORY - len + 1));
        Statement::Copy { to, from, len }
    }

    fn access(&mut self) -> Statement {
        if self.random.below(12) < self.stores { self.store() } else { self.load() }
    }

    fn store(&mut self) -> Statement {
        let place = self.place();
        let order = self.order(place, &[Order::Plain, Order::Relaxed, Order::Release, Order::SeqCst]);
        Statement::Store(place, self.value(), order)
    }

    fn load(&mut self) -> Statement {
        let place = self.place();
        let order = self.order(place, &[Order::Plain, Order::Relaxed, Order::Acquire, Order::SeqCst]);
        Statement::Load(place, order)
    }

    fn order(&mut self, place: Place, orders: &[Order]) -> Order {
        if place.is_aligned() { self.random.pick(orders) } else { Order::Plain }
    }

    fn fence(&mut self) -> Statement {
        let order = self.random.pick(&[Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]);
        let fences = [
            Fence::Thread(order),
            Fence::Thread(order),
            Fence::Thread(order),
            Fence::Signal,
            Fence::Sync,
            Fence::Assembly,
        ];
        Statement::Fence(self.random.pick(&fences))
    }

    fn atomic(&mut self) -> Statement {
        let mut place = self.place();
        place.offset -= place.offset % place.len;
        let orders: &[Order] = if self.relaxed {
            &[Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst]
        } else {
            &[Order::SeqCst]
        };
        let order = self.random.pick(orders);
        match self.random.below(8) {
            0 | 1 => Statement::Exchange(place, self.value(), order),
            2 | 3 => {
                let failure = self.random.pick(&[Order::Relaxed, Order::Acquire, Order::SeqCst]);
                let bytes = [self.random.pick(&[0, 1, 2]), self.byte()];
                Statement::CompareExchange { place, bytes, weak: self.one_in(3), orders: [order, failure] }
            }
            _ => {
                let fetch = [Fetch::Add, Fetch::Add, Fetch::Sub, Fetch::And, Fetch::Or, Fetch::Xor, Fetch::Nand];
                let kind = if self.one_in(2) { Statement::Fetch } else { Statement::Update };
                kind(self.random.pick(&fetch), place, self.value(), order)
            }
        }
    }

    fn place(&mut self) -> Place {
        if !self.mixed {
            // Most accesses are of the same two words, so that threads interact.
            return Place { offset: 8 * self.random.below(2), len: 8 };
        }
        let len = self.random.pick(&[1, 2, 2, 4, 4, 8]);
        let most = if self.one_in(3) { MEMORY } else { 8 };
        let offset = self.random.below(most - len + 1);
        Place { offset: if self.one_in(3) { offset } else { offset - offset % len }, len }
    }

    fn value(&mut self) -> Value {
        if self.one_in(6) { Value::Last } else { Value::Bytes(self.byte()) }
    }

    /// One of few bytes, not 0.
    fn byte(&mut self) -> u8 {
        self.random.pick(&[1, 2, 3])
    }
}
