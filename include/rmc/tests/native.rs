//! One execution makes one choice each time, within its limits.

#[test]
fn choices_are_within_their_limits() {
    for _ in 0..1000 {
        assert!(rmc::choose(3) < 3);
        assert!((-5..=5).contains(&rmc::int(-5, 5)));
    }
    rmc::int(i64::MIN, i64::MAX);
    rmc::assume(true);
    let mut some = [0; 64];
    rmc::bytes(&mut some);
    assert_ne!(some, [0; 64], "64 random bytes");
}

#[test]
#[should_panic(expected = "rmc::choose(0)")]
fn there_is_something_to_choose() {
    rmc::choose(0);
}

#[test]
#[should_panic(expected = "rmc::int(1, 0)")]
fn an_interval_is_not_empty() {
    rmc::int(1, 0);
}
