// Points of the unit cube, by counting (math/counter_random.h): the same on every machine and for every number of workers.
#pragma once
#include <cstdint>
#include <vector>

namespace sinew::study {

// n points of which each key's values fall one into each of n equal intervals.
std::vector<std::vector<double>> latin_hypercube(int n, int axes, std::uint64_t seed);

// The first n points of Sobol's sequence, shifted digit by digit (Owen, Monte Carlo theory, methods and examples, chapter 17).
std::vector<std::vector<double>> sobol_points(int n, int axes, std::uint64_t seed);

// Of one run of a study that repeats points; below 2^31, so that --seed takes it.
std::uint64_t seed_of_row(std::uint64_t study_seed, std::uint64_t row);

}  // namespace sinew::study
