// check: -std=c++20 sc=holds states=sc:49
// check: -std=c++11 sc=holds states=sc:49
//
// Streams of `char`: insertions, manipulators, texts in memory, numbers that are read, and failures.
#include <cstdio>
#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

struct Point {
  int x, y;
};

static std::ostream &operator<<(std::ostream &out, const Point &point) {
  return out << '(' << point.x << ", " << point.y << ')';
}

static void write_integers() {
  std::cout << 42 << ' ' << -7 << ' ' << 3000000000u << ' ' << -5000000000L << ' ' << 18446744073709551615ull << '\n';
  std::cout << static_cast<short>(-3) << ' ' << static_cast<unsigned short>(65535) << ' ' << 'c' << '\n';
  std::cout << std::hex << 255 << ' ' << -1 << ' ' << std::showbase << 255 << ' ' << 0 << ' ' << std::uppercase
            << 48879 << ' ' << std::oct << 8 << std::dec << std::nouppercase << std::noshowbase << '\n';
  std::cout << std::showpos << 5 << ' ' << 0 << ' ' << 5u << std::noshowpos << '\n';
  std::cout << true << ' ' << std::boolalpha << true << ' ' << false << std::noboolalpha << '\n';
  std::cout << static_cast<const void *>(nullptr) << ' ' << reinterpret_cast<const void *>(0xabc) << '\n';
}

static void write_widths() {
  std::cout << '[' << std::setw(6) << 42 << "][" << std::left << std::setw(6) << 42 << "][" << std::right
            << std::setfill('*') << std::setw(6) << "ab" << "][" << std::internal << std::setw(8) << -42 << "]["
            << std::showbase << std::hex << std::setw(8) << 42 << std::dec << std::noshowbase << std::right << "]\n";
  std::cout << std::setw(3) << "longer" << std::setw(4) << 'x' << std::setw(5) << std::string("s") << '\n';
  std::cout.width(7);
  std::cout << 1.5 << std::setfill(' ') << '\n';
}

static void write_reals() {
  std::cout << 1.0 << ' ' << 0.1 << ' ' << 1e20 << ' ' << 123456789.0 << ' ' << 2.5f << ' ' << 1.25L << '\n';
  std::cout << std::fixed << 3.14159265 << ' ' << std::setprecision(2) << 2.71828 << ' ' << std::scientific << 12345.678
            << ' ' << std::uppercase << 1e-7 << std::nouppercase << std::defaultfloat << '\n';
  std::cout << std::setprecision(12) << 1.0 / 3 << ' ' << std::showpoint << 2.0 << std::noshowpoint << ' '
            << std::hexfloat << 1.5 << std::defaultfloat << std::setprecision(6) << '\n';
  std::cout << std::numeric_limits<double>::infinity() << ' ' << -std::numeric_limits<double>::infinity() << ' '
            << std::fixed << 1e90 << std::defaultfloat << '\n';
}

static void write_texts() {
  std::ostringstream text;
  text << "n = " << 3 << ", p = " << Point{1, -2} << std::ends;
  std::cout << text.str().size() << ' ' << text.str().c_str() << std::endl;
  std::string lines = "first line\nsecond\n\nlast";
  std::istringstream from(lines);
  for (std::string line; std::getline(from, line);)
    std::cout << '<' << line << '>' << std::flush;
  std::cout << from.eof() << from.fail() << '\n';
  std::istringstream fields("a,bb,,c");
  for (std::string field; std::getline(fields, field, ',');)
    std::cout << field.size();
  std::cout.put('\n').write("raw bytes", 3) << '\n';
  char letters[8];
  std::istringstream rest("abc def ghijklmnop\nz");
  rest >> std::setw(8) >> letters;
  std::cout << letters << rest.peek() << static_cast<char>(rest.get());
  rest.ignore(2);
  rest.getline(letters, 8);
  std::cout << letters << rest.gcount() << rest.fail() << '\n';
}

static void read_numbers() {
  std::stringstream both;
  both << 12 << ' ' << -3 << " 0x1f 017 2.5e3 -.5 x 99999999999 7";
  int one = 0, two = 0, three = 0, four = 0;
  double real = 0, half = 0;
  char letter = 0;
  both >> one >> two >> std::hex >> three >> std::oct >> four >> std::dec >> real >> half >> letter;
  std::cout << one << ' ' << two << ' ' << three << ' ' << four << ' ' << real << ' ' << half << ' ' << letter << '\n';
  int large = 5;
  both >> large;
  std::cout << large << ' ' << both.fail() << ' ' << both.good() << '\n';
  both.clear();
  unsigned seven = 0;
  both >> seven;
  std::cout << seven << ' ' << both.eof() << ' ' << !both << '\n';
  std::istringstream bad("word -5");
  int none = 9;
  bad >> none;
  std::cout << none << ' ' << bad.rdstate() << '\n';
  bad.clear();
  std::string word;
  unsigned long wrapped = 0;
  bad >> word >> wrapped;
  std::cout << word << ' ' << wrapped << '\n';
  int input = 1;
  std::cout << !(std::cin >> input) << std::cin.eof() << '\n';
}

static void fail() {
  std::istringstream empty;
  empty.exceptions(std::ios::failbit);
  try {
    int number;
    empty >> number;
  } catch (const std::ios_base::failure &failure) {
    std::cout << "failure: " << failure.what() << '\n';
  }
  std::ostream nowhere(nullptr);
  nowhere << 5;
  std::cout << nowhere.bad() << '\n';
}

int main() {
  std::ios_base::sync_with_stdio(true);
  write_integers();
  std::printf("with printf between\n");
  write_widths();
  write_reals();
  write_texts();
  read_numbers();
  fail();
  std::cerr << "an error " << 1 << '\n';
  std::clog << "a log " << 2 << std::endl;
}
