/* The links of std::list. */
#include <list>

namespace std::__detail {
void _List_node_base::_M_hook(_List_node_base *const next) noexcept {
  _M_next = next;
  _M_prev = next->_M_prev;
  next->_M_prev->_M_next = this;
  next->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

/// Moves the nodes from `first` to the one before `last`, of this list or another one, before this node.
void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
  if (this == last)
    return;
  _List_node_base *const before = first->_M_prev;
  _List_node_base *const final = last->_M_prev;
  before->_M_next = last;
  last->_M_prev = before;
  first->_M_prev = _M_prev;
  final->_M_next = this;
  _M_prev->_M_next = first;
  _M_prev = final;
}

/// Reverses the list of this node.
void _List_node_base::_M_reverse() noexcept {
  _List_node_base *node = this;
  do {
    _List_node_base *const next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

/// Exchanges the nodes behind the heads of two lists.
void _List_node_base::swap(_List_node_base &one, _List_node_base &other) noexcept {
  _List_node_base *const first = one._M_next, *const last = one._M_prev;
  const bool is_empty = first == &one;
  if (other._M_next == &other) {
    one._M_next = one._M_prev = &one;
  } else {
    one._M_next = other._M_next;
    one._M_prev = other._M_prev;
    one._M_next->_M_prev = one._M_prev->_M_next = &one;
  }
  if (is_empty) {
    other._M_next = other._M_prev = &other;
  } else {
    other._M_next = first;
    other._M_prev = last;
    first->_M_prev = last->_M_next = &other;
  }
}
}
