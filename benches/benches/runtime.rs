//! The cost of the memory model's operations: push, load, fence, encode, decode in typical situations. Each
//! situation is checked before it is timed.

#![allow(missing_docs)] // criterion_group makes a public function.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rmc_runtime::{Access, Buffers, Bytes, Choose, Memory, Model, StoreTag};

/// A few words of memory in one object.
#[derive(Clone, Default)]
struct Cells([u64; 16]);

impl Memory for Cells {
    fn read(&mut self, at: Access) -> Bytes {
        Bytes::defined(self.0[at.offset as usize / 8].into())
    }

    fn write(&mut self, at: Access, value: Bytes) {
        self.0[at.offset as usize / 8] = value.bits as u64;
    }
}

struct Last;

impl Choose for Last {
    fn choose(&mut self, n: usize) -> usize {
        n - 1
    }
}

fn cell(i: u32) -> Access {
    Access { object: 0, offset: 8 * i, len: 8 }
}

/// The buffers of `threads` threads with `each` delayed stores each to their own cells, and one to cell 15,
/// which all share.
fn situation(model: Model, threads: usize, each: u32) -> (Buffers, Cells) {
    let (mut buffers, mut memory) = (Buffers::new(model), Cells::default());
    for thread in 0..threads {
        for i in 0..each {
            let at = if i == 1 { cell(15) } else { cell(thread as u32 * each + i) };
            buffers.store(&mut memory, thread, at, Bytes::defined(7), StoreTag(0));
        }
    }
    (buffers, memory)
}

fn benchmarks(criterion: &mut Criterion) {
    let mut words = Vec::new();
    for model in [Model::Tso, Model::Pso] {
        for (threads, each) in [(2, 2), (3, 4)] {
            let name = |what: &str| format!("{model}/{threads}x{each}/{what}");
            let (buffers, memory) = situation(model, threads, each);
            assert_eq!(buffers.len(), threads * each as usize);
            words.clear();
            buffers.encode(&mut words);
            assert_eq!(words.len(), 3 * buffers.len() + 1);

            let mut scratch = buffers.clone();
            let mut out = Vec::with_capacity(words.len());
            criterion.bench_function(&name("encode"), |b| {
                b.iter(|| {
                    out.clear();
                    buffers.encode(&mut out);
                });
            });
            criterion.bench_function(&name("decode"), |b| b.iter(|| scratch.decode(&words)));

            // Decoding is part of every step of an explorer, so these measurements include it.
            let mut step = |what: &str, act: fn(&mut Buffers, &mut Cells)| {
                let mut scratch = buffers.clone();
                criterion.bench_function(&name(what), |b| {
                    b.iter_batched_ref(
                        || memory.clone(),
                        |memory| {
                            scratch.decode(&words);
                            act(&mut scratch, memory);
                        },
                        BatchSize::SmallInput,
                    );
                });
            };
            step("decode, store", |buffers, memory| {
                buffers.store(memory, 0, cell(0), Bytes::defined(1), StoreTag(0));
            });
            step("decode, load nothing pending", |buffers, memory| {
                assert_eq!(buffers.load(memory, Some(0), cell(14), &mut Last).value.bits, 0);
            });
            step("decode, load forwarded", |buffers, memory| {
                assert_eq!(buffers.load(memory, Some(0), cell(0), &mut Last).value.bits, 7);
            });
            step("decode, load racing", |buffers, memory| {
                assert_eq!(buffers.load(memory, None, cell(15), &mut Last).value.bits, 7);
            });
            step("decode, fence", |buffers, memory| buffers.fence(memory, 0));
        }
    }
}

criterion_group!(runtime, benchmarks);
criterion_main!(runtime);
