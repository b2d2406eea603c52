/* std::string, which headers declare as instantiated elsewhere before C++20. */
#include <string>

template class std::allocator<char>;
template class std::basic_string<char>;
