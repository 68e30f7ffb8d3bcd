// XML files, read with bounds: pugixml expands no entities but the five of XML, and what is too large or too deep is refused before
// anything is done with it. Who reads an element or an attribute says so; what nobody has read at the end is named, so that nothing
// is lost in silence.
#pragma once
#include <pugixml.hpp>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "sinew/imports/notes.h"
#include "sinew/math/linear.h"

namespace sinew::imports {

inline constexpr std::size_t max_xml_bytes = 64u << 20;
inline constexpr int max_xml_depth = 256, max_xml_elements = 200000;

class XmlFile {
 public:
  // Throws FileError where it cannot be read, InputError with file:line where it is no XML or too large.
  explicit XmlFile(const std::string& file);
  XmlFile(std::string text, std::string file);

  pugi::xml_node root() const { return document_.document_element(); }
  const std::string& file() const { return file_; }
  int line(pugi::xml_node node) const;
  const std::string& file_of(pugi::xml_node node) const;  // of a node that another file brought in: that one

  // Copies what `other` has below its root to before a node, and remembers where it comes from. Returns the first.
  pugi::xml_node insert_before(pugi::xml_node node, const XmlFile& other);

  // Marks as read and returns; a node or attribute that is not there is empty.
  pugi::xml_node child(pugi::xml_node of, const char* name);
  std::vector<pugi::xml_node> children(pugi::xml_node of, const char* name);
  std::string text(pugi::xml_node of, const char* attribute, const std::string& fallback = {});
  bool has(pugi::xml_node of, const char* attribute) const { return bool(of.attribute(attribute)); }
  void use(pugi::xml_node node) { used_.insert(node.internal_object()); }
  void use_all(pugi::xml_node node);  // with all in it
  void use_attribute(pugi::xml_node of, const char* name) { used_.insert(of.attribute(name).internal_object()); }

  // Numbers of an attribute. Text that is no number, and a wrong count, are problems.
  double number(pugi::xml_node of, const char* attribute, double fallback);
  Vec3d vector(pugi::xml_node of, const char* attribute, const Vec3d& fallback);
  std::vector<double> numbers(pugi::xml_node of, const char* attribute);
  std::optional<std::vector<double>> parse_numbers(std::string_view text) const;

  void fail(pugi::xml_node at, const std::string& what);  // adds to problems
  void warn(pugi::xml_node at, const std::string& what, NoteKind kind = NoteKind::Warning);
  void report_unread();  // warnings for all that was not marked, each element once
  std::vector<std::string> problems;
  Notes notes;

 private:
  void read(pugi::xml_node node, int depth, int& count);
  void report(pugi::xml_node node);
  void remember(pugi::xml_node copy, pugi::xml_node original, const XmlFile& other);

  struct Origin {
    std::string file;
    int line;
  };
  std::map<const void*, Origin> origins_;  // of nodes that other files brought in
  std::string file_, text_;
  pugi::xml_document document_;
  std::vector<std::size_t> line_starts_;
  std::set<const void*> used_;
};

}  // namespace sinew::imports
