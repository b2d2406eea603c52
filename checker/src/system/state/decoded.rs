//! Parts of the working state that are decoded from a component, and know while they still equal it.
//!
//! Whoever gets hold of such a part to change it ([`DerefMut`]) makes it forget its component. So the next
//! state has another one, and the next load decodes it anew; no caller has to say that it changed something.

use std::ops::{Deref, DerefMut};

use crate::store::Id;

/// A value with the component that it was decoded from.
#[derive(Clone, Debug, Default)]
pub struct Decoded<T> {
    value: T,
    /// The component that `value` was decoded from, if it was not changed since. Never the one that `value`
    /// was encoded to: what is decoded from that is equal as a state, but may have its parts elsewhere.
    component: Option<Id>,
}

impl<T> Decoded<T> {
    /// A value that was decoded from nothing.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self { value, component: None }
    }

    /// Makes the value that of a component. `decode` is run unless it is that already.
    #[inline]
    pub fn decode_from(&mut self, component: Id, decode: impl FnOnce(&mut T)) {
        if self.component != Some(component) {
            decode(&mut self.value);
            self.component = Some(component);
        }
    }

    /// The component that the value was decoded from, unless it may have changed since.
    #[inline]
    pub const fn component(&self) -> Option<Id> {
        self.component
    }

    /// The value, for changes that are in no component: of names in reports, say.
    pub const fn unencoded(&mut self) -> &mut T {
        &mut self.value
    }

    /// Forgets the component, because components have other ids from now on.
    pub const fn forget(&mut self) {
        self.component = None;
    }
}

impl<T> Deref for Decoded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Decoded<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.component = None;
        &mut self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_may_change_a_value_makes_it_forget_its_component() {
        let mut decoded = Decoded::new(vec![0]);
        decoded.decode_from(7, |value| *value = vec![1, 2]);
        decoded.decode_from(7, |_| unreachable!("it is that already"));
        assert_eq!((decoded.len(), decoded.component()), (2, Some(7)));
        decoded.unencoded().push(3);
        assert_eq!(decoded.component(), Some(7));
        decoded.push(4);
        assert_eq!(decoded.component(), None);
    }
}
