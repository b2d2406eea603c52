//! Values that the checker chooses, and assumptions.

use rmc_formula::TermId;

use super::{Call, Path, Stop, Unroller, Word};
use crate::engine::symbolic::unroll::events::Logged;
use crate::system::library as functions;

pub(super) fn assume(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let condition = unroller.argument(path, call, 0)?;
    let is_zero = unroller.is_number(condition, 64, 0);
    let holds = unroller.formulas.not(is_zero);
    unroller.log_silently(path);
    unroller.assume(path, holds)?;
    Ok(Word::ZERO)
}

pub(super) fn nondet(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let name = call.function.name;
    if !unroller.config.svcomp {
        return unroller.refuse(format!("function `{name}`, which only --svcomp gives a meaning"));
    }
    let Some((bits, is_signed)) = functions::input_type(name) else {
        return unroller.refuse(format!("an input of floating point or a pointer (`{name}`)"));
    };
    let (value, word) = unroller.program_input(bits);
    if let Some(range) = unroller.config.nondet_range {
        let wide = if is_signed {
            unroller.formulas.terms.sign_extend(value, 128)
        } else {
            unroller.formulas.terms.zero_extend(value, 128)
        };
        let [min, max] = [range.min, range.max].map(|end| unroller.formulas.terms.constant(end.cast_unsigned(), 128));
        let (above, below) = (unroller.formulas.terms.sle(min, wide), unroller.formulas.terms.sle(wide, max));
        unroller.assumptions.extend([above, below]);
    }
    unroller.log_value(path, value, bits == u32::from(call.site.width) && bits > 1, is_signed)?;
    Ok(match is_signed {
        true => {
            let wide = unroller.formulas.terms.sign_extend(value, 64);
            unroller.formulas.defined(wide)
        }
        false => word,
    })
}

pub(super) fn choose(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let Word::Known(count) = unroller.argument(path, call, 0)? else {
        return unroller.refuse("a choice of a number of values that is not known");
    };
    if count.bits == 0 {
        return unroller.fail(path);
    }
    let (value, word) = unroller.program_input(32);
    let most = unroller.formulas.terms.constant(u128::from(count.bits) - 1, 32);
    let is_within = unroller.formulas.terms.ule(value, most);
    unroller.assumptions.push(is_within);
    let is_input = count.bits > functions::MOST_RESULTS;
    unroller.log_here(path, if is_input { Logged::Input { value } } else { Logged::Choice { value } });
    Ok(word)
}

pub(super) fn interval(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (least, most) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    let [least, most] = [least, most].map(|end| unroller.formulas.bits(end));
    let is_one = unroller.formulas.terms.sle(least, most);
    unroller.demand(path, is_one, false)?;
    let (value, word) = unroller.program_input(64);
    let (above, below) = (unroller.formulas.terms.sle(least, value), unroller.formulas.terms.sle(value, most));
    let within = unroller.formulas.and(above, below);
    unroller.log_here(path, Logged::Input { value });
    unroller.assume(path, within)?;
    Ok(word)
}

impl Unroller<'_> {
    /// Logs an input, or a choice where the machine tries the values one by one, the least first.
    fn log_value(&mut self, path: &Path, value: TermId, is_input: bool, is_signed: bool) -> Result<(), Stop> {
        let width = self.formulas.terms.width(value);
        if is_input {
            self.log_here(path, Logged::Input { value });
        } else if width <= 16 && self.config.nondet_range.is_none() {
            let least = self.formulas.terms.constant(u128::from(is_signed) << (width - 1), width);
            let value = self.formulas.terms.sub(value, least);
            self.log_here(path, Logged::Choice { value });
        } else {
            return self.refuse("an input of this type");
        }
        Ok(())
    }
}
