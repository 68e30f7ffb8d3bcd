// Signals by name: in full, by the group they are in (body.bob.p, energy), or with wildcards (*.p.x); separated by commas.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::sim {

// Positions of the signals meant, each once, in the order asked for. Throws InputError at `place`.
std::vector<std::size_t> choose_signals(std::span<const std::string> names, std::string_view wanted,
                                        const std::string& place);

// The parts of "a, b", without blanks around them; empty ones are left out.
std::vector<std::string> split_names(std::string_view list);

}  // namespace sinew::sim
