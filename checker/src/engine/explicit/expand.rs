//! Exploration of all steps from one state.

use std::rc::Rc;

use super::steps::{End, Source, Step, Variant};
use super::worker::{BATCH, Worker};
use crate::engine::explicit::parallel::lock;
use crate::engine::{EngineError, memo};
use crate::store::{Id, Reached};
use crate::system::{AnswerRuns, Layout, StepReport};

/// Facts about the steps from a state.
#[derive(Clone, Copy, Default)]
pub(super) struct SuccessorSummary {
    /// True if a thread can take a step that others may notice.
    can_progress: bool,
    /// True if a thread took an idle step to another state.
    has_idle_step: bool,
    /// True if a thread goes round for ever without looking at anything.
    endless: bool,
    /// True if a thread can only take steps that others may notice.
    pub has_moving_thread: bool,
}

impl SuccessorSummary {
    /// Adds the facts about the step of a thread.
    pub fn add(&mut self, step: &Step) {
        self.endless |= step.endless;
        self.has_moving_thread |= step.variants.iter().all(Variant::is_noticed);
        for variant in &step.variants {
            let is_progress = variant.is_progress();
            self.has_idle_step |= !is_progress && variant.idle;
            self.can_progress |= is_progress && !variant.spurious_wakeup;
        }
    }
}

/// The beginning of a step: the state that is explored, the sleep marks behind the step, and its thread.
#[derive(Clone, Copy)]
struct Origin {
    state: Id,
    sleep_mark: u16,
    thread: usize,
}

impl Worker<'_, '_> {
    /// Explores every step from a state.
    pub(super) fn expand(&mut self, state: Id) {
        if self.layers.is_some() {
            return self.continue_from(state);
        }
        let mut vector = std::mem::take(&mut self.vector);
        self.states.take(state);
        vector.clear();
        vector.extend_from_slice(self.states.vector());
        self.expand_vector(&vector, state);
        self.vector = vector;
    }

    fn expand_vector(&mut self, vector: &[Id], state: Id) {
        let source = self.enter(vector);
        self.count_state(source);
        self.sleep.enter(self.states.sleep_mark(state));
        let (mut summary, before) = (SuccessorSummary::default(), self.statistics.transitions);
        let mut stepped = 0_u64;
        let waits = self.first_waits(vector);
        if self.shared.is_stopped() {
            return;
        }
        self.branched |= waits;
        for at in 0..self.threads.len() {
            if waits && self.threads[at] == 0 {
                continue;
            }
            let transitions = self.statistics.transitions;
            self.take_step(self.threads[at], source, state, &mut summary);
            stepped += u64::from(self.statistics.transitions > transitions);
            if self.shared.is_stopped() {
                return;
            }
            self.make_room();
        }
        self.meter.choices.schedule += stepped.saturating_sub(1);
        self.branched |= self.statistics.transitions > before + 1;
        self.settle(&summary, state, vector);
    }

    /// Looks up successors if there are many. One state can have very many of them.
    pub(super) fn make_room(&mut self) {
        if self.batch.len() >= BATCH {
            self.look_up();
            self.check_limits();
        }
    }

    /// Records what the steps of all threads from a state say about deadlocks.
    pub(super) fn settle(&mut self, summary: &SuccessorSummary, state: Id, vector: &[Id]) {
        match summary {
            SuccessorSummary { can_progress: true, endless: false, has_moving_thread: false, .. }
                if self.machine.has_disputed_stores(vector) =>
            {
                self.disputed.insert(state);
            }
            SuccessorSummary { can_progress: true, .. } | SuccessorSummary { endless: true, .. } => {}
            SuccessorSummary { has_idle_step: true, .. } => self.idle.insert(state),
            _ => self.deadlock(state, vector),
        }
    }

    /// Prepares to take steps from a state.
    pub(super) fn enter<'v>(&mut self, vector: &'v [Id]) -> Source<'v> {
        self.threads.clear();
        if self.steps.begin_state() {
            let layout = self.machine.layout(vector);
            self.threads.extend(self.machine.schedulable_in(vector, layout.threads));
            Source { vector, layout, live: self.machine.live_in(vector, layout) }
        } else {
            self.machine.unpack(vector);
            self.threads.extend(self.machine.schedulable_threads());
            Source { vector, layout: Layout::default(), live: 0 }
        }
    }

    /// Counts a state that is explored.
    pub(super) fn count_state(&mut self, source: Source<'_>) {
        self.statistics.threads_max = self.statistics.threads_max.max(self.threads.len() as u64);
        let pending = self.machine.pending_in(source.vector);
        self.statistics.pending_stores_max = self.statistics.pending_stores_max.max(pending as u64);
        self.meter.expands(pending);
    }

    /// Takes every variant of a thread's step, unless the thread is asleep. True if the thread can go on.
    pub(super) fn take_step(
        &mut self,
        thread: usize,
        source: Source<'_>,
        state: Id,
        summary: &mut SuccessorSummary,
    ) -> bool {
        let weight = self.meter.sampler.weight();
        if self.meter.lines.is_some() || weight > 0 {
            self.machine.unpack(source.vector);
            self.from = self.machine.stands_at(thread);
        }
        let sampled = (weight > 0).then_some(self.from);
        let step = self.step_of(thread, source, Some(state));
        if let Some(place) = sampled {
            let changes_state = |variant: &&Variant| matches!(variant.end, End::Changed(_) | End::Made(_));
            self.meter.sampler.count(place, weight * step.variants.iter().filter(changes_state).count() as u64);
        }
        summary.add(&step);
        (0..).zip(&step.variants).for_each(|(at, variant)| self.count_answer(at, variant));
        if self.sleep.has(thread) {
            assert!(step.only_moves(), "a step stays what it is while it is asleep");
            let variants = step.variants.len() as u64;
            self.statistics.transitions += variants;
            self.meter.successors += variants;
            self.meter.asleep += variants;
        } else {
            let sleep_mark = self.asleep_behind(source, thread, &step);
            let origin = Origin { state, sleep_mark, thread };
            step.variants.iter().for_each(|variant| self.take(variant, source, origin));
        }
        let goes_on = step.goes_on();
        self.sleep.add(thread, step);
        goes_on
    }

    /// The step of a thread from a state: recalled from the cache, or run now. The end of each variant is
    /// reported if the state is being explored (`explored`).
    pub(super) fn step_of(&mut self, thread: usize, source: Source<'_>, explored: Option<Id>) -> Rc<Step> {
        if let Some(step) = self.steps.recall(&self.machine, source, thread) {
            return step;
        }
        let (mut variants, mut endless) = (Vec::new(), false);
        self.steps.begin(&mut self.machine, source);
        let mut runs = AnswerRuns::new(source.vector, thread);
        while let Some(report) = runs.run_next(&mut self.machine) {
            let variant = self.steps.variant(&mut self.machine, source, &report);
            endless |= report.loops_forever;
            // A step can have very many answers. A step that was cut short is not complete and ends here.
            self.shared.check_request();
            if self.shared.is_stopped() {
                break;
            }
            if self.machine.is_asymmetric() {
                self.shared.fail(EngineError::AsymmetryDetected);
                break;
            }
            if let Some(state) = explored {
                self.finish_variant(&variant, report, thread, (state, source.vector));
            }
            let broken = self.machine.take_broken();
            if !broken.is_nothing() {
                lock(&self.shared.found).broken.add(broken);
            }
            variants.push(variant);
            if self.shared.is_stopped() {
                break;
            }
        }
        let mut step = Rc::new(Step { variants, endless, number: 0, read_set: Box::default() });
        if !self.shared.is_stopped() {
            self.steps.keep(&mut self.machine, source, thread, &mut step);
        }
        step
    }

    /// Records the end of a variant that was run just now.
    fn finish_variant(&mut self, variant: &Variant, report: StepReport, thread: usize, state: (Id, &[Id])) {
        match variant.end {
            End::Reported => self.report(report, thread, state),
            End::Exit => self.final_states.extend(report.final_state),
            _ => {}
        }
    }

    fn count_answer(&mut self, at: usize, variant: &Variant) {
        if at > 0 {
            self.statistics.flush_choices += 1;
            self.meter.choices.count(variant.question);
        }
    }

    /// Takes one variant of a step.
    fn take(&mut self, variant: &Variant, source: Source<'_>, origin: Origin) {
        let name = match &variant.end {
            End::Blocked => return,
            End::Pruned | End::Reported | End::Exit | End::Same => None,
            end if self.layers.is_some() => Some(self.name_with_running(end, source.vector, origin.thread)),
            end if self.machine.exchanges() => Some(self.exchanged(end, source.vector)),
            End::Changed(edit) => Some(self.states.fold_edit(edit)),
            End::Made(parts) => {
                let mut after = std::mem::take(&mut self.after);
                memo::apply(parts, source.vector, &mut after);
                let name = self.states.fold(&after);
                self.after = after;
                Some(name)
            }
        };
        if let Some(name) = name {
            self.meter.successors += 1;
            let reached = Reached { name, parent: origin.state, sleep_mark: origin.sleep_mark };
            match &self.open {
                None => self.reach(reached),
                Some(_) => self.reach_or_hold(variant, source, reached),
            }
        }
        self.statistics.transitions += 1;
    }
}
