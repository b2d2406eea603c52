/*
 * Hashes of bytes, and the numbers of buckets of unordered containers. The standard leaves both open; here
 * they are FNV-1a and the next prime.
 */
#include <bits/hash_bytes.h>
#include <unordered_map>

std::size_t std::_Hash_bytes(const void *bytes, size_t length, size_t seed) {
  size_t hash = seed ^ 0xcbf29ce484222325;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ static_cast<const unsigned char *>(bytes)[i]) * 0x100000001b3;
  return hash;
}

std::size_t std::_Fnv_hash_bytes(const void *bytes, size_t length, size_t seed) {
  return _Hash_bytes(bytes, length, seed);
}

namespace {
bool is_prime(std::size_t number) {
  for (std::size_t divisor = 2; divisor <= number / divisor; divisor++)
    if (number % divisor == 0)
      return false;
  return number > 1;
}
}

namespace std::__detail {
/* It also notes how many elements that many buckets take. */
size_t _Prime_rehash_policy::_M_next_bkt(size_t least) const {
  size_t buckets = least;
  while (buckets > 1 && !is_prime(buckets))
    buckets++;
  buckets += buckets == 0;
  _M_next_resize = static_cast<size_t>(buckets * static_cast<double>(_M_max_load_factor));
  return buckets;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  if (elements + more <= _M_next_resize)
    return {false, 0};
  double needed = (elements + more) / static_cast<double>(_M_max_load_factor);
  if (needed < buckets) {
    _M_next_resize = static_cast<size_t>(buckets * static_cast<double>(_M_max_load_factor));
    return {false, 0};
  }
  size_t least = static_cast<size_t>(needed) + 1, grown = buckets * _S_growth_factor;
  return {true, _M_next_bkt(least > grown ? least : grown)};
}
}
