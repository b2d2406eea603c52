/*
 * The red-black trees of std::map and std::set: Cormen, Leiserson, Rivest and Stein, Introduction to
 * Algorithms, chapter 13. An absent child is a null pointer. The header is no node of the tree: its parent is
 * the root, whose parent is the header, and its children are the first and the last node.
 */
#include <map>

namespace {
using Node = std::_Rb_tree_node_base;

bool is_black(const Node *node) {
  return !node || node->_M_color == std::_S_black;
}

/* The pointer that leads to a node from above. */
Node *&link_to(Node *node, Node &header) {
  Node *parent = node->_M_parent;
  if (parent == &header)
    return header._M_parent;
  return parent->_M_left == node ? parent->_M_left : parent->_M_right;
}

/* The child of a node on one side, or on the other one. */
Node *&child(Node *node, bool left) {
  return left ? node->_M_left : node->_M_right;
}

/* Puts a node below its child, on the side that is named. */
void rotate_down(Node *node, bool left, Node &header) {
  Node *up = child(node, !left), *between = child(up, left);
  link_to(node, header) = up;
  up->_M_parent = node->_M_parent;
  child(up, left) = node;
  node->_M_parent = up;
  child(node, !left) = between;
  if (between)
    between->_M_parent = node;
}

/* Puts a subtree in the place of a node. */
void replace_subtree(Node *node, Node *by, Node &header) {
  link_to(node, header) = by;
  if (by)
    by->_M_parent = node->_M_parent;
}

/* The next node in order, or the one before; behind the ends comes the header. */
Node *neighbour(Node *node, bool before) {
  if (Node *below = child(node, before)) {
    while (child(below, !before))
      below = child(below, !before);
    return below;
  }
  Node *above = node->_M_parent;
  while (node == child(above, before)) {
    node = above;
    above = above->_M_parent;
  }
  /* If the root has no such neighbour, the way up has gone over the header. */
  return child(node, before) == above ? node : above;
}

/* A header looks like a red root that is its own grandparent. */
bool is_header(const Node *node) {
  return node->_M_color == std::_S_red && node->_M_parent && node->_M_parent->_M_parent == node;
}

/* A subtree that is `child` of `parent` lacks one black node on each path. */
void restore_black(Node *node, Node *parent, Node &header) {
  while (parent != &header && is_black(node)) {
    bool left = parent->_M_left == node;
    Node *sibling = child(parent, !left);
    if (!is_black(sibling)) {
      sibling->_M_color = std::_S_black;
      parent->_M_color = std::_S_red;
      rotate_down(parent, left, header);
      sibling = child(parent, !left);
    }
    if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
      sibling->_M_color = std::_S_red;
      node = parent;
      parent = node->_M_parent;
      continue;
    }
    if (is_black(child(sibling, !left))) {
      child(sibling, left)->_M_color = std::_S_black;
      sibling->_M_color = std::_S_red;
      rotate_down(sibling, !left, header);
      sibling = child(parent, !left);
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = std::_S_black;
    child(sibling, !left)->_M_color = std::_S_black;
    rotate_down(parent, left, header);
    break;
  }
  if (node)
    node->_M_color = std::_S_black;
}
}

namespace std {
Node *_Rb_tree_increment(Node *node) noexcept {
  return neighbour(node, false);
}

const Node *_Rb_tree_increment(const Node *node) noexcept {
  return neighbour(const_cast<Node *>(node), false);
}

Node *_Rb_tree_decrement(Node *node) noexcept {
  return is_header(node) ? node->_M_right : neighbour(node, true);
}

const Node *_Rb_tree_decrement(const Node *node) noexcept {
  return _Rb_tree_decrement(const_cast<Node *>(node));
}

void _Rb_tree_insert_and_rebalance(const bool left, Node *node, Node *parent, Node &header) noexcept {
  node->_M_parent = parent;
  node->_M_left = node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (parent == &header)
    header._M_parent = header._M_left = header._M_right = node;
  else
    child(parent, left) = node;
  if (parent != &header && left && parent == header._M_left)
    header._M_left = node;
  if (parent != &header && !left && parent == header._M_right)
    header._M_right = node;
  while (node->_M_parent != &header && !is_black(node->_M_parent)) {
    /* The root is black, so a red parent has a parent. */
    Node *above = node->_M_parent->_M_parent;
    bool is_left = node->_M_parent == above->_M_left;
    Node *uncle = child(above, !is_left);
    if (!is_black(uncle)) {
      node->_M_parent->_M_color = uncle->_M_color = _S_black;
      above->_M_color = _S_red;
      node = above;
      continue;
    }
    if (node == child(node->_M_parent, !is_left)) {
      node = node->_M_parent;
      rotate_down(node, is_left, header);
    }
    node->_M_parent->_M_color = _S_black;
    above->_M_color = _S_red;
    rotate_down(above, !is_left, header);
  }
  header._M_parent->_M_color = _S_black;
}

/* Returns the node, which its caller frees. */
Node *_Rb_tree_rebalance_for_erase(Node *const node, Node &header) noexcept {
  if (header._M_left == node)
    header._M_left = neighbour(node, false);
  if (header._M_right == node)
    header._M_right = header._M_parent == node && !node->_M_left ? &header : neighbour(node, true);
  Node *below, *parent;
  bool was_black = is_black(node);
  if (!node->_M_left || !node->_M_right) {
    below = node->_M_left ? node->_M_left : node->_M_right;
    parent = node->_M_parent;
    replace_subtree(node, below, header);
  } else {
    /* The next node has no left child; it takes the place of the node. */
    Node *next = neighbour(node, false);
    was_black = is_black(next);
    below = next->_M_right;
    parent = next->_M_parent == node ? next : next->_M_parent;
    if (next->_M_parent != node) {
      replace_subtree(next, below, header);
      next->_M_right = node->_M_right;
      next->_M_right->_M_parent = next;
    }
    replace_subtree(node, next, header);
    next->_M_left = node->_M_left;
    next->_M_left->_M_parent = next;
    next->_M_color = node->_M_color;
  }
  if (was_black)
    restore_black(below, parent, header);
  return node;
}
}
