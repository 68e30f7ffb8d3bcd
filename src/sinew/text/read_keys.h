// Reads keys from a document: right type, inside the range, nothing unknown. Collects every problem and goes on.
#pragma once
#include <string>
#include <vector>

#include "sinew/text/document.h"
#include "sinew/text/renamed_keys.h"

namespace sinew::text {

class KeyReader : public Keys {
 public:
  explicit KeyReader(const Document& document);
  ~KeyReader() override;

  void number(const Key& key, double& value) override;
  void integer(const Key& key, int& value) override;
  void flag(const Key& key, bool& value) override;
  void text(const Key& key, std::string& value) override;
  void choice(const Key& key, std::span<const std::string_view> allowed, int& chosen) override;
  void numbers(const Key& key, const Count& count, std::vector<double>& values) override;
  void texts(const Key& key, std::vector<std::string>& values) override;
  bool shorthand(const Key& key, std::span<const std::string_view> stands_for, double& value) override;
  void open(std::string_view name, std::string_view doc) override;
  void close() override;
  std::vector<std::string> names(std::span<const std::string> present, std::string_view shorthand) override;
  bool is_given(std::string_view name) const override;
  void reject(std::string_view name, std::string_view what, std::string_view fix) override;

  void finish();                              // closes the file's outermost table
  std::vector<std::string> problems() const;  // by line

 private:
  struct Level;
  struct Found;
  std::string path(std::string_view name) const;
  void complain(const std::string& dotted, std::string_view what, std::string_view fix);
  void wrong_type(const Key& key, const Found& found, std::string_view needs, std::string_view more = {});
  Found find(const Key& key);
  Found find_old(const Key& key);
  bool in_range(const Key& key, double given);
  void check_unknown(const Level& level);

  const Document& document_;
  std::vector<Level> levels_;
  std::vector<OldKey> old_;                                 // keys of the document by which nothing is called any more
  std::vector<std::string> told_;                           // those of them that were complained about
  std::vector<std::pair<unsigned, std::string>> problems_;  // line and text
};

}  // namespace sinew::text
