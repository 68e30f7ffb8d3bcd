// Pictures of a study. Rows that are neither done nor stopped are left out, and a subtitle says how many.
#pragma once
#include "sinew/figure/figure.h"
#include "sinew/study/columns.h"

namespace sinew::study {

// A coloured field for each pair of values of two columns: the mean of the third over all rows that have them. Throws InputError, as all.
figure::Figure plot_heatmap(const StudyFile& study, const std::string& x, const std::string& y, const std::string& z);

// y over x, one curve for each set of values of the other keys that vary; repeated runs as their mean.
figure::Figure plot_lines(const StudyFile& study, const std::string& x, const std::string& y);

// The largest `radius` up to which a condition holds, from each direction `angle`: keys in degrees or radians, by their units or the ending _deg. A closed
// curve for each set of values of the other keys; where the smallest radius already fails, 0. Repeated runs: all of them must hold. Runs that failed or were
// not certified do not.
figure::Figure plot_polar(const StudyFile& study, const std::string& angle, const std::string& radius,
                          const std::string& condition);

// A line for each row across one axis for each column, coloured by the last one. none: all keys, and the first result.
figure::Figure plot_parallel(const StudyFile& study, std::vector<std::string> columns);

// One result against another, a point a row, and the front of the best of both.
figure::Figure plot_points(const StudyFile& study, const std::string& x, const std::string& y);

// What a study is best seen as: lines of one key, a heat map of two, else parallel axes. result: empty: the first.
figure::Figure plot_study(const StudyFile& study, const std::string& result);

// A shade from dark blue to yellow for u in [0, 1].
std::string shade_of(double u);

}  // namespace sinew::study
