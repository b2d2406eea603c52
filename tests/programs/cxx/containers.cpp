// check: sc=holds tso=holds states=sc:6,tso:6
// check: -std=c++11 sc=holds states=sc:6
// check: -std=c++20 sc=holds states=sc:7
//
// std::vector, std::string, std::list, std::function and std::shared_ptr, in the revisions of the language.
#include <cassert>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

int main() {
  std::vector<int> numbers;
  for (int i = 0; i < 5; i++)
    numbers.push_back(i * i);
  assert(numbers.size() == 5 && numbers[4] == 16);
  std::string text("a text that is too long for the object itself");
  text += " and grows";
  assert(text.size() == 55 && text.find("grows") == 50);
  std::list<std::string> texts;
  texts.push_back(text);
  texts.push_front("first");
  assert(texts.size() == 2 && texts.back() == text);
  std::function<int(int)> add = [&](int more) { return numbers[2] + more; };
  assert(add(1) == 5);
  auto shared = std::make_shared<std::string>(text);
  auto copy = shared;
  shared.reset();
  assert(copy.use_count() == 1 && *copy == text);
}
