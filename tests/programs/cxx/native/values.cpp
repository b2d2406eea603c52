// check: -std=c++17 sc=holds
// check: -std=c++20 sc=holds
//
// Values of the standard library: optional, variant, any, function, tuple, pair, views of texts, durations,
// algorithms, smart pointers, and iterators.
#include <algorithm>
#include <any>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

struct Counted {
  static int alive;
  int number;
  explicit Counted(int number) : number(number) { ++alive; }
  Counted(const Counted &other) : number(other.number + 100) { ++alive; }
  Counted(Counted &&other) noexcept : number(other.number) {
    other.number = -1;
    ++alive;
  }
  Counted &operator=(const Counted &) = default;
  ~Counted() { --alive; }
};
int Counted::alive;

static void optionals() {
  std::optional<int> none;
  std::optional<int> some = 7;
  std::printf("%d %d %d %d\n", none.has_value(), *some, none.value_or(3), none < some);
  try {
    std::printf("%d\n", none.value());
  } catch (const std::bad_optional_access &error) {
    std::printf("none: %s\n", error.what());
  }
  {
    std::optional<Counted> counted(std::in_place, 4);
    std::optional<Counted> copy = counted;
    std::printf("%d %d, alive: %d\n", counted->number, copy->number, Counted::alive);
    counted.reset();
    std::printf("alive: %d\n", Counted::alive);
    copy.emplace(9);
    std::swap(counted, copy);
    std::printf("%d %d\n", counted->number, copy.has_value());
  }
  std::printf("alive: %d\n", Counted::alive);
}

struct Show {
  void operator()(int number) const { std::printf("int %d\n", number); }
  void operator()(double number) const { std::printf("double %.2f\n", number); }
  void operator()(const std::string &text) const { std::printf("text %s\n", text.c_str()); }
};

static void variants() {
  std::variant<int, double, std::string> value = 5;
  std::visit(Show(), value);
  value = 2.5;
  std::visit(Show(), value);
  value = std::string("long enough to be on the heap, surely");
  std::visit(Show(), value);
  std::printf("%zu %d %d\n", value.index(), std::holds_alternative<std::string>(value),
              std::get_if<int>(&value) == nullptr);
  try {
    std::get<int>(value) = 1;
  } catch (const std::bad_variant_access &error) {
    std::printf("%s\n", error.what());
  }
  std::variant<std::monostate, Counted> counted;
  counted.emplace<Counted>(3);
  auto other = counted;
  std::printf("%d %d, alive: %d\n", std::get<1>(counted).number, std::get<Counted>(other).number, Counted::alive);
  counted = std::monostate();
  std::printf("alive: %d\n", Counted::alive);
}

static void anys() {
  std::any value = 3;
  std::printf("%d\n", std::any_cast<int>(value));
  value = std::string("any text");
  std::printf("%s %d\n", std::any_cast<std::string &>(value).c_str(), std::any_cast<int>(&value) == nullptr);
  try {
    std::any_cast<double>(value);
  } catch (const std::bad_any_cast &error) {
    std::printf("%s\n", error.what());
  }
  std::printf("%d\n", value.type() == typeid(std::string));
}

static int twice(int number) { return 2 * number; }

static void functions() {
  std::function<int(int)> function = twice;
  std::printf("%d", function(4));
  int base = 10;
  function = [&base](int number) { return base += number; };
  std::printf(" %d %d", function(1), function(2));
  std::string big(50, 'x');
  function = [big](int number) { return static_cast<int>(big.size()) + number; };
  auto copy = function;
  std::printf(" %d %d", copy(1), static_cast<bool>(function));
  function = nullptr;
  try {
    function(1);
  } catch (const std::bad_function_call &) {
    std::printf(" empty");
  }
  using namespace std::placeholders;
  auto minus = std::bind(std::minus<int>(), _2, _1);
  std::printf(" %d", minus(3, 10));
  auto member = std::mem_fn(&Counted::number);
  std::printf(" %d", member(Counted(6)));
  std::printf(" %d\n", std::invoke(twice, 21));
}

static void tuples() {
  auto tuple = std::make_tuple(1, std::string("two"), 3.0);
  auto [one, two, three] = tuple;
  std::printf("%d %s %.1f %zu\n", one, two.c_str(), three, std::tuple_size<decltype(tuple)>::value);
  int first = 0;
  std::string second;
  std::tie(first, second, std::ignore) = std::make_tuple(8, "eight", 0);
  std::printf("%d %s %d\n", first, second.c_str(), std::make_pair(1, 'b') < std::make_pair(1, 'c'));
  std::printf("%d\n", std::apply([](auto... numbers) { return (numbers + ...); }, std::make_tuple(1, 2, 3)));
  int exchanged = std::exchange(first, 5);
  std::printf("%d %d\n", exchanged, first);
}

static void texts() {
  std::string_view view = "the quick brown fox";
  std::printf("%zu %d\n", view.find("quick"), view.substr(4, 5) == "quick");
  view.remove_prefix(4);
  std::printf("%.*s %zu\n", static_cast<int>(view.size()), view.data(), view.rfind('o'));
  std::string text(view);
  text.replace(0, 5, "slow").append("!").insert(0, "a ");
  std::printf("%s %d %s\n", text.c_str(), std::stoi("-42"), std::to_string(3.5).c_str());
  try {
    std::stoi("none");
  } catch (const std::invalid_argument &error) {
    std::printf("%s\n", error.what());
  }
  try {
    text.at(1000) = 'x';
  } catch (const std::out_of_range &) {
    std::printf("out of range\n");
  }
}

static void durations() {
  using namespace std::chrono;
  using namespace std::chrono_literals;
  auto time = hours(1) + minutes(30) + seconds(5);
  std::printf("%lld %lld\n", static_cast<long long>(time.count()),
              static_cast<long long>(duration_cast<minutes>(time).count()));
  std::printf("%d %d\n", milliseconds(1500) > seconds(1), duration_cast<milliseconds>(2s) == 2000ms);
  duration<double> half = milliseconds(500);
  std::printf("%.2f %lld\n", half.count(), static_cast<long long>((90min % 1h).count()));
  system_clock::time_point start;
  std::printf("%lld\n", static_cast<long long>((start + 3h - start).count() > 0));
}

static void algorithms() {
  std::vector<int> numbers = {5, 3, 9, 1, 7, 3, 8, 2, 6, 4, 0, 11, 14, 13, 12, 10, 15, 17, 16};
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::printf("%zu %d %d\n", numbers.size(), std::binary_search(numbers.begin(), numbers.end(), 7),
              *std::lower_bound(numbers.begin(), numbers.end(), 12));
  std::reverse(numbers.begin(), numbers.end());
  std::rotate(numbers.begin(), numbers.begin() + 2, numbers.end());
  std::stable_partition(numbers.begin(), numbers.end(), [](int number) { return number % 2 == 0; });
  for (int number : numbers)
    std::printf("%d ", number);
  std::printf("\n%d %d\n", std::accumulate(numbers.begin(), numbers.end(), 0),
              std::inner_product(numbers.begin(), numbers.begin() + 3, numbers.begin() + 3, 0));
  std::make_heap(numbers.begin(), numbers.end());
  std::pop_heap(numbers.begin(), numbers.end());
  std::printf("%d %d\n", numbers.back(), numbers.front());
  std::string letters = "bca";
  do
    std::printf("%s ", letters.c_str());
  while (std::next_permutation(letters.begin(), letters.end()));
  std::vector<std::string> words;
  std::transform(numbers.begin(), numbers.begin() + 3, std::back_inserter(words),
                 [](int number) { return std::to_string(number * number); });
  std::printf("%s %s %s\n", words[0].c_str(), words[1].c_str(), words[2].c_str());
  std::printf("%d %d\n", std::clamp(15, 0, 10), std::gcd(12, 18));
}

struct Base {
  virtual ~Base() { std::printf("~Base "); }
  virtual int number() const { return 1; }
};
struct Derived : Base, std::enable_shared_from_this<Derived> {
  ~Derived() override { std::printf("~Derived "); }
  int number() const override { return 2; }
};

static void pointers() {
  std::unique_ptr<Base> unique = std::make_unique<Derived>();
  std::printf("%d ", unique->number());
  unique.reset();
  std::printf("\n");
  std::weak_ptr<Derived> weak;
  {
    auto shared = std::make_shared<Derived>();
    weak = shared;
    auto again = shared->shared_from_this();
    std::shared_ptr<Base> base = shared;
    auto derived = std::dynamic_pointer_cast<Derived>(base);
    std::printf("%ld %d ", shared.use_count(), derived->number());
  }
  std::printf("%d\n", weak.expired());
  std::unique_ptr<int, void (*)(int *)> deleted(new int(3), [](int *number) {
    std::printf("deleted %d\n", *number);
    delete number;
  });
}

static void containers() {
  std::map<std::string, int> map = {{"one", 1}, {"two", 2}, {"three", 3}};
  map["four"] = 4;
  map.erase("two");
  for (const auto &[name, number] : map)
    std::printf("%s=%d ", name.c_str(), number);
  std::unordered_map<int, std::string> hashed;
  for (int number = 0; number < 40; ++number)
    hashed[number * 7] = std::to_string(number);
  std::printf("%zu %s\n", hashed.size(), hashed.at(140).c_str());
  std::multiset<int, std::greater<int>> bag = {3, 1, 3, 2};
  std::printf("%zu %d\n", bag.count(3), *bag.begin());
  std::unordered_set<std::string> names = {"a", "b", "a"};
  std::list<int> list = {4, 2, 3};
  list.sort();
  list.push_front(9);
  list.splice(list.end(), list, list.begin());
  list.reverse();
  std::list<int> empty, more = {6, 5};
  empty.swap(list);
  more.swap(empty);
  more.merge(empty);
  list.swap(empty);
  more.remove(3);
  for (int number : more)
    std::printf("%d ", number);
  for (auto last = more.rbegin(); last != more.rend(); ++last)
    std::printf("%d ", *last);
  std::printf("%d %d %zu\n", list.empty(), empty.empty(), more.size());
  list = {1, 2};
  list.splice(list.begin(), more);
  std::deque<int> deque(3, 1);
  deque.push_front(7);
  deque.push_back(8);
  std::priority_queue<int> queue;
  for (int number : {3, 9, 4})
    queue.push(number);
  std::stack<int> stack;
  stack.push(5);
  std::printf("%zu %d %d %d %d %d %d\n", names.size(), list.front(), list.back(), deque.front(), deque[4], queue.top(),
              stack.top());
  std::array<int, 4> array = {4, 3, 2, 1};
  std::bitset<10> bits(0b1011);
  bits.flip(1);
  std::printf("%d %zu %s\n", *std::min_element(array.begin(), array.end()), bits.count(), bits.to_string().c_str());
  try {
    map.at("none") = 1;
  } catch (const std::out_of_range &) {
    std::printf("no such key\n");
  }
}

int main() {
  optionals();
  variants();
  anys();
  functions();
  tuples();
  texts();
  durations();
  algorithms();
  pointers();
  containers();
  std::printf("alive: %d\n", Counted::alive);
  return 3;
}
