// What an FMU moves: a robot, or a controller. Variables are those of fmi/variables.h, by their numbers; times are from its start on.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "sinew/fmi/bytes.h"
#include "sinew/fmi/variables.h"

namespace fmu {

namespace fmi = sinew::fmi;

// How a communication step ended.
struct Advance {
  std::string failure;  // why it could not be computed; empty: it was
  std::string doubt;    // why it should not be trusted; empty: nothing
};

class MovingPart {
 public:
  virtual ~MovingPart() = default;

  // Anew, with the present values of parameters and inputs. Throws InputError if they allow no start; then nothing has changed.
  virtual void start() = 0;
  virtual double get(std::size_t variable) = 0;
  // Throw InputError. What is set takes effect with apply(), which an InputError leaves as it was.
  virtual void set(std::size_t variable, double value) = 0;
  virtual void apply() = 0;
  virtual Advance advance_to(double t) = 0;

  // All that changes. restore() throws BytesError or InputError; then nothing has changed.
  virtual void save(fmi::BytesWriter& out) = 0;
  virtual void restore(fmi::BytesReader& in) = 0;

  const std::vector<fmi::Variable>& variables() const { return variables_; }

 protected:
  std::vector<fmi::Variable> variables_;
};

std::unique_ptr<MovingPart> make_robot(std::shared_ptr<const sinew::sim::Experiment> experiment, fmi::Part part);
std::unique_ptr<MovingPart> make_controller_part(std::shared_ptr<const sinew::sim::Experiment> experiment);

// The same robot with other numbers from the start on. values: by number of the variable. Throws InputError.
std::shared_ptr<const sinew::sim::Experiment> with_parameters(
    const std::shared_ptr<const sinew::sim::Experiment>& experiment, const std::vector<fmi::Variable>& variables,
    const std::vector<double>& values);

}  // namespace fmu
