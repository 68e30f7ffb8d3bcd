// Whether a state, parameters or an input are of a model's sizes. One of another model would be read past its end, or quietly as
// something else.
#pragma once
#include <string_view>

#include "sinew/model/params.h"
#include "sinew/model/state.h"

namespace sinew {

// For SINEW_ASSERT inside a step.
template <Real S>
bool fits(const Model& model, const Params<S>& params);
template <Real S>
bool fits(const Model& model, const State<S>& state);
template <Real S>
bool fits(const Model& model, const Input<S>& input);

// For doors. Throws CallError: "WHO: the state has 12 coordinates, the model 14".
template <Real S>
void check_fits(std::string_view who, const Model& model, const Params<S>& params);
template <Real S>
void check_fits(std::string_view who, const Model& model, const State<S>& state);
template <Real S>
void check_fits(std::string_view who, const Model& model, const Input<S>& input);

// Of two states of the same model, one of them perhaps of a batch.
template <Real A, Real B>
void check_same_sizes(std::string_view who, const State<A>& a, const State<B>& b);

}  // namespace sinew
