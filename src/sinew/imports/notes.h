// What reading a robot's file has to tell: numbered, with file and line, in the order in which it was found.
//   Warning   an element or attribute that is not understood, or a file that is missing: something of the robot is left out
//   Repair    a number that no robot can have, and what was taken instead
//   Decision  what the file leaves open, and what was taken
#pragma once
#include <string>
#include <vector>

namespace sinew::imports {

enum class NoteKind { Warning, Repair, Decision };

struct Note {
  NoteKind kind = NoteKind::Warning;
  std::string file;
  int line = 0;  // 0: the file as a whole
  std::string what;
  int count = 1;  // the same was found so often: file and line are those of the first
};

struct Notes {
  std::vector<Note> list;

  void add(NoteKind kind, const std::string& file, int line, std::string what);
};

// "warning 3: robot.urdf:12: WHAT"; numbers start at 1.
std::string text_of(const Note& note, int number);

}  // namespace sinew::imports
