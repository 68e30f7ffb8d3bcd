#include "sinew/model/glob.h"

namespace sinew {

// After a mismatch the last * takes one letter more; earlier ones never have to, so the time is at most quadratic.
bool matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = pattern.npos, star_end = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      p++;
      n++;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

}  // namespace sinew
