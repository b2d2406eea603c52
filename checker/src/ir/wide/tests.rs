//! Tests of wide integers against the machine's own 128-bit integers.

use proptest::prelude::*;

use super::*;

/// Random numbers; those at the edges of their types are as likely as others.
fn number() -> impl Strategy<Value = u128> {
    let edge = proptest::sample::select(vec![0, 1, u128::MAX, 1 << 127, (1 << 127) - 1, 1 << 64, u128::from(u64::MAX)]);
    prop_oneof![1 => edge, 1 => any::<u128>(), 1 => any::<u8>().prop_map(u128::from)]
}

const OPERATIONS: [IntOp; 21] = [
    IntOp::Add,
    IntOp::Sub,
    IntOp::Mul,
    IntOp::UDiv,
    IntOp::SDiv,
    IntOp::URem,
    IntOp::SRem,
    IntOp::Shl,
    IntOp::LShr,
    IntOp::AShr,
    IntOp::And,
    IntOp::Or,
    IntOp::Xor,
    IntOp::UMin,
    IntOp::UMax,
    IntOp::SMin,
    IntOp::SMax,
    IntOp::UAddSat,
    IntOp::SAddSat,
    IntOp::USubSat,
    IntOp::SSubSat,
];

/// The result of the machine; `None` where C and LLVM define no result.
fn expected(op: IntOp, a: u128, b: u128) -> Option<u128> {
    let (sa, sb) = (a.cast_signed(), b.cast_signed());
    let by = u32::try_from(b).ok();
    let signed = |value: i128| value.cast_unsigned();
    Some(match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::UDiv => a.checked_div(b)?,
        IntOp::URem => a.checked_rem(b)?,
        IntOp::SDiv => signed(sa.checked_div(sb)?),
        IntOp::SRem => signed(sa.checked_rem(sb)?),
        IntOp::Shl => a.checked_shl(by?)?,
        IntOp::LShr => a.checked_shr(by?)?,
        IntOp::AShr => signed(sa.checked_shr(by?)?),
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::UMin => a.min(b),
        IntOp::UMax => a.max(b),
        IntOp::SMin => signed(sa.min(sb)),
        IntOp::SMax => signed(sa.max(sb)),
        IntOp::UAddSat => a.saturating_add(b),
        IntOp::USubSat => a.saturating_sub(b),
        IntOp::SAddSat => signed(sa.saturating_add(sb)),
        IntOp::SSubSat => signed(sa.saturating_sub(sb)),
        IntOp::UShlSat | IntOp::SShlSat => unreachable!("the machine has none"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_are_a_number_and_back(number in number(), width in 1..=128_u32) {
        let cut_number = number & (u128::MAX >> (128 - width));
        prop_assert_eq!(bits(&words(cut_number, width)), cut_number);
        prop_assert_eq!(cut(&BigInt::from(number), width), words(cut_number, width));
        prop_assert_eq!(cut(&integer(&words(cut_number, width), width), width), words(cut_number, width));
        prop_assert_eq!(cut(&-BigInt::from(number), width), cut(&BigInt::from(number.wrapping_neg()), width));
    }

    #[test]
    fn operations_are_those_of_the_machine(a in number(), b in number(), small in 0..130_u128) {
        for (op, b) in OPERATIONS.into_iter().flat_map(|op| [(op, b), (op, small)]) {
            let result = int(op, 128, &words(a, 128), &words(b, 128)).ok();
            let result = result.filter(|words| is_defined(words)).map(|words| bits(&words));
            prop_assert_eq!(result, expected(op, a, b), "{:?} {} {}", op, a, b);
        }
    }

    #[test]
    fn comparisons_are_those_of_the_machine(a in number(), b in number()) {
        let (sa, sb) = (a.cast_signed(), b.cast_signed());
        let all = [
            (IntCmp::Eq, a == b),
            (IntCmp::Ne, a != b),
            (IntCmp::Ugt, a > b),
            (IntCmp::Uge, a >= b),
            (IntCmp::Ult, a < b),
            (IntCmp::Ule, a <= b),
            (IntCmp::Sgt, sa > sb),
            (IntCmp::Sge, sa >= sb),
            (IntCmp::Slt, sa < sb),
            (IntCmp::Sle, sa <= sb),
        ];
        for (op, holds) in all {
            prop_assert_eq!(compare(op, 128, &words(a, 128), &words(b, 128)), Value::new(holds.into()), "{:?}", op);
        }
    }

    /// Repacking to other elements and back gives the same bits, also uninitialised ones.
    #[test]
    fn repacked_bits_come_back(number in number(), undef in number(), power in 0..8_u32, other in 0..8_u32) {
        let run = |power: u32| Elements { count: 128 >> power, width: 1 << power };
        let whole: Vec<_> = (0..2)
            .map(|word| Value::partial((number >> (64 * word)) as u64, (undef >> (64 * word)) as u64 & 0xFF, 64))
            .collect();
        let first = repack(run(7), run(power), &whole);
        prop_assert_eq!(first.len(), 128 >> power << (power / 7));
        let second = repack(run(power), run(other), &first);
        prop_assert_eq!(repack(run(other), run(7), &second), whole);
    }
}
