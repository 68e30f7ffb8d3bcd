// A soft rod as a plant (docs/theory/soft_rods.md). Methods:
//   generalized-alpha   implicit, order 2, for stretch, shear and stiff rods; the default
//   rk4                 explicit, order 4 (Runge-Kutta-Munthe-Kaas for the base); needs dt w_max < 2.78
#pragma once
#include "sinew/rod/soft_steps.h"

namespace sinew::rod {

template <class G>
class Soft : public SectionPlant {
 public:
  explicit Soft(const SoftPlan& plan);
  const SoftModel<G>& model() const { return m_; }
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<SoftScratch<G>>(m_); }
  const std::vector<Section>& sections() const override { return sections_; }
  const std::vector<PlantReading>& readings() const override { return readings_; }
  int state_size() const override { return layout_.size; }
  void start(std::span<double> state) const override;
  StepReport advance(const PlantStep& step, std::span<double> state, PlantPower& work, Scratch& scratch) const override;
  std::span<const std::string_view> methods() const override;
  void place(double t, std::span<const double> state, std::span<SectionMotion> out, Scratch& scratch) const override;
  void read(double t, const PlantInput& input, std::span<const double> state, std::span<double> out,
            Scratch& scratch) const override;
  const std::vector<PlantReading>& commands() const override { return commands_; }
  PlantEnergy energy(double t, std::span<const double> state, Scratch& scratch) const override;
  std::string change_refusal() const override;
  void take_over(std::span<double> state) const override;

 private:
  void name_readings();
  void name_commands();
  void list_sections();
  SoftMotion<G> motion(double t, std::span<const double> state, const PlantInput& input) const;
  double evaluate(const SoftMotion<G>& motion, SoftScratch<G>& w) const;

  SoftModel<G> m_;
  SoftLayout<G> layout_;
  std::vector<Section> sections_;
  std::vector<PlantReading> readings_, commands_;
  std::vector<double> start_;
};

}  // namespace sinew::rod
