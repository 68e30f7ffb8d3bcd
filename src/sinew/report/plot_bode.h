// Bode plots: how one signal answers to another, frequency by frequency, from a run in which the first moves.
//   H(f) = sum (y_k+1 - y_k) e^(-2 pi i f t_k) / sum (x_k+1 - x_k) e^(-2 pi i f t_k)
// Differences, so that a step serves as well as a sweep: what counts is that the answer has died out when the recording ends.
#pragma once
#include <complex>

#include "sinew/report/plot_signals.h"

namespace sinew::report {

struct BodePlan {
  std::string title, subtitle;
  std::string signals;  // "INPUT,OUTPUT"
};

struct Response {
  std::vector<double> frequency;               // [Hz]
  std::vector<std::complex<double>> transfer;  // output over input
  double at_rest = 0.0;  // magnitude at 0 Hz; of an input that ends where it began: at the lowest frequency
};

// From 1 / duration to a quarter of the sampling rate, as far as the input has anything of a frequency.
Response frequency_response(std::span<const double> t, std::span<const double> input, std::span<const double> output);

// Where the magnitude falls for the first time below that at rest / sqrt(2) [Hz]; 0: nowhere.
double bandwidth_of(const Response& response);

// Magnitude [dB] and phase [deg] over frequency. Throws InputError: signals, an input that rests, an answer that has not died out.
figure::Figure plot_bode(const Traces& traces, const BodePlan& plan, const std::string& place);

}  // namespace sinew::report
