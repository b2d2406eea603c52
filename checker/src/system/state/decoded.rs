//! Parts of the working state that are decoded from a component, with a record of whether they still equal
//! it.
//!
//! Mutable access to such a part ([`DerefMut`]) makes it forget its component. So the next state has another
//! component for it, and the next load decodes it anew. No caller has to report a change.

use std::ops::{Deref, DerefMut};

use crate::store::Id;

/// A value with the component that it was decoded from.
#[derive(Clone, Debug, Default)]
pub struct Decoded<T> {
    value: T,
    /// The component from which `value` was decoded, if it was not changed since. It is never the component
    /// to which `value` was encoded: decoding that gives an equal state, but may put parts elsewhere.
    component: Option<Id>,
}

impl<T> Decoded<T> {
    /// A value without a component.
    #[must_use]
    pub const fn new(value: T) -> Self {
        Self { value, component: None }
    }

    /// Makes the value that of a component. `decode` is run unless the value is that of the component
    /// already.
    #[inline]
    pub fn decode_from(&mut self, component: Id, decode: impl FnOnce(&mut T)) {
        if self.component != Some(component) {
            decode(&mut self.value);
            self.component = Some(component);
        }
    }

    /// The component from which the value was decoded, unless it may have changed since.
    #[inline]
    pub const fn component(&self) -> Option<Id> {
        self.component
    }

    /// The value, for changes that are in no component, for instance of names in reports.
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
