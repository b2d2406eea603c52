// check: sc=holds states=sc:50
// check: -std=c++11 sc=holds states=sc:50
//
// std::map, std::set, std::multimap and the unordered containers: insertion, order, search and erasure. The
// assertions hold natively, too.
#include <cassert>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

static unsigned next(unsigned number) {
  return number * 5 % 17;
}

int main() {
  std::set<unsigned> numbers;
  unsigned number = 1;
  for (int i = 0; i < 16; i++, number = next(number))
    assert(numbers.insert(number).second);
  assert(!numbers.insert(1).second && numbers.size() == 16);
  unsigned expected = 1;
  for (unsigned each : numbers)
    assert(each == expected++);
  for (int i = 0; i < 8; i++, number = next(number))
    assert(numbers.erase(number) == 1);
  unsigned before = 17;
  for (auto each = numbers.rbegin(); each != numbers.rend(); ++each) {
    assert(*each < before);
    before = *each;
  }
  assert(numbers.size() == 8 && !numbers.count(1) && *numbers.begin() == *numbers.lower_bound(0));
  std::map<std::string, int> names;
  names["one"] = 1;
  names["two"] = 2;
  names["three"] = 3;
  assert(names.begin()->first == "one" && names.rbegin()->second == 2 && names.find("four") == names.end());
  names.erase(names.begin());
  assert(names.size() == 2 && names.begin()->first == "three");
  std::multimap<int, int> several{{2, 1}, {1, 2}, {2, 3}};
  assert(several.count(2) == 2 && several.begin()->second == 2);
  std::unordered_map<std::string, unsigned> counts;
  for (unsigned i = 0; i < 20; i++)
    counts[std::to_string(i % 7)] += i;
  assert(counts.size() == 7 && counts.at("3") == 3 + 10 + 17);
  std::unordered_set<int> set{1, 2, 3, 2};
  set.erase(2);
  assert(set.size() == 2 && set.count(3) && !set.count(2));
}
