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
}
