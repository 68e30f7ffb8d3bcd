"""The dependency law catches what it must, and nothing else."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import check_docs  # noqa: E402
import check_includes  # noqa: E402
import cpp_shape  # noqa: E402

TABLE = """# Title
## Rooms

| room | takes -> gives | may include |
|---|---|---|
| `math/` | numbers | - |
| `parts/joint/` | q -> pose | math |
| `parts/` | the catalogue | math, parts/joint |
| `model/` | nouns \\| verbs | `math`, `parts` |
| `text/` | files | math, toml++ |
| `cli/` | command line | all rooms above |

## Next
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/architecture.md", TABLE)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def problems(self):
        return check_includes.check_tree(self.root)

    def assert_one_problem(self, *words):
        found = self.problems()
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])


class TheLaw(Tree):
    def test_allowed_includes_pass(self):
        self.write("src/sinew/math/a.h", '#include "sinew/math/b.h"\n#include "sinew/version.h"\n')
        self.write("src/sinew/parts/joint/a.h", '#include "sinew/math/a.h"\n')
        self.write("src/sinew/parts/list.h", '#include "sinew/parts/joint/a.h"\n')
        self.write("src/sinew/model/a.h", '#include "sinew/parts/joint/a.h"\n#include "sinew/parts/list.h"\n#include <vector>\n')
        self.write("src/cli/main.cpp", '#include <CLI/CLI.hpp>\n#include "sinew/text/a.h"\n#include "cli/a.h"\n')
        self.assertEqual(self.problems(), [])

    def test_a_forbidden_include_fails_with_its_place(self):
        self.write("src/sinew/math/a.h", '#pragma once\n#include "sinew/model/a.h"\n')
        self.assert_one_problem("src/sinew/math/a.h:2:", "sinew/model/a.h")

    def test_a_part_may_not_include_the_catalogue(self):
        self.write("src/sinew/parts/joint/a.h", '#include "sinew/parts/list.h"\n')
        self.assert_one_problem("parts/joint")

    def test_a_room_missing_from_the_table_fails(self):
        self.write("src/sinew/cellar/a.h", "\n")
        self.assert_one_problem("cellar", "not in the table")

    def test_a_file_in_no_room_fails(self):
        self.write("src/sinew/a.h", "\n")
        self.assert_one_problem("src/sinew/a.h")

    def test_a_relative_include_fails(self):
        self.write("src/sinew/math/a.h", '#include "b.h"\n')
        self.assert_one_problem("path from src/")

    def test_a_library_outside_its_room_fails(self):
        self.write("src/sinew/model/a.h", "#include <toml++/toml.h>\n")
        self.assert_one_problem("toml++ only in text")

    def test_the_core_starts_no_threads(self):
        self.write("src/sinew/model/a.cpp", "#include <mutex>\n")
        self.assert_one_problem("threads only in")
        self.write("src/sinew/model/a.cpp", "#include <assimp/scene.h>\n")
        self.assert_one_problem("assimp only in imports")

    def test_a_library_of_the_tests_fails_in_every_room(self):
        self.write("src/sinew/math/a.cpp", "#include <Eigen/Dense>\n")
        self.assert_one_problem("src/sinew/math/a.cpp:1:", "Eigen only in tests")
        self.write("src/sinew/math/a.cpp", "#include <gtest/gtest.h>\n")
        self.assert_one_problem("only in tests")

    def test_the_table_cannot_grant_a_library_of_the_tests(self):
        self.write("docs/architecture.md", TABLE.replace("| numbers | - |", "| numbers | Eigen |"))
        self.assert_one_problem("row math: Eigen is not allowed there")

    def test_a_circle_of_rooms_fails(self):
        self.write("docs/architecture.md", TABLE.replace("| numbers | - |", "| numbers | model |"))
        self.assert_one_problem("circle", "math", "model")

    def test_an_unknown_name_in_the_table_fails(self):
        self.write("docs/architecture.md", TABLE.replace("| numbers | - |", "| numbers | attic |"))
        self.assert_one_problem("attic")

    def test_a_missing_document_or_table_fails(self):
        self.write("docs/architecture.md", "# Title\n")
        self.assert_one_problem("Rooms")
        (self.root / "docs/architecture.md").unlink()
        self.assert_one_problem("missing")


class PublicHeaders(Tree):
    def setUp(self):
        super().setUp()
        self.write("docs/architecture.md", TABLE.replace("| `cli/`", "| `sinew/` | public | math, model |\n| `cli/`"))
        self.write("src/sinew/math/a.h", "#include <array>\n")
        self.write("src/sinew/model/a.h", '#include "sinew/math/a.h"\n')
        self.write("src/sinew/numbers.h", '#include "sinew/math/a.h"\n')
        self.write("src/sinew/all.h", '#include "sinew/numbers.h"\n#include "sinew/model/a.h"\n#include "sinew/version.h"\n')

    def test_users_include_public_headers_only(self):
        text = '#include <cstdio>\n#include "sinew/all.h"\n#include "sinew/version.h"\n#include "beside.h"\n'
        for path in ("examples/a.cpp", "tests/examples/a_test.cpp"):
            self.write(path, text)
        self.write("docs/page.md", f"text\n```cpp\n{text}```\n```diff\n+#include \"sinew/model/a.h\"\n```\n")
        self.assertEqual(self.problems(), [])
        self.write("examples/a.cpp", text + '#include "sinew/model/a.h"\n')
        self.assert_one_problem("examples/a.cpp:5:", "sinew/model/a.h", "public headers only")

    def test_blocks_of_the_documents_are_programs_of_users(self):
        self.write("docs/adding/page.md", "File src/sinew/model/b.h:\n\n```cpp\n// B\n#include <sinew/model/a.h>\n```\n")
        self.assert_one_problem("docs/adding/page.md:5:", "sinew/model/a.h")
        self.write("docs/adding/page.md", 'File src/sinew/step/b.h:\n\n```cpp\n#include "sinew/step/a.h"\n```\n')
        self.assertEqual(self.problems(), [])  # a list that is closed to the outside
        self.write("docs/adding/page.md", 'File src/sinew/step/b.h:\n\n```cpp\n#include "sinew/model/a.h"\n```\n')
        self.assert_one_problem("docs/adding/page.md:4:")

    def test_a_room_that_includes_one_includes_what_it_shows(self):
        self.write("src/sinew/model/b.h", '#include "sinew/numbers.h"\n#include "sinew/all.h"\n')
        self.assertEqual(self.problems(), [])
        self.write("src/sinew/math/b.h", '#include "sinew/numbers.h"\n#include "sinew/all.h"\n')
        self.assert_one_problem("src/sinew/math/b.h:2:", "sinew/all.h")

    def test_no_library_is_needed_to_read_them(self):
        self.write("src/sinew/math/a.h", "#include <array>\n#include <immintrin.h>\n#include <fmt/format.h>\n")
        self.assert_one_problem("src/sinew/math/a.h:3:", "<fmt/format.h>")

    def test_there_are_at_most_15(self):
        for i in range(12):
            self.write(f"src/sinew/one{i}.h", "\n")
        self.assertEqual(self.problems(), [])  # with version.h, which the build makes
        self.write("src/sinew/one_more.h", "\n")
        self.assert_one_problem("16 public headers")

    def test_the_page_lists_each_of_them(self):
        self.write("docs/cpp.md", "| `sinew/all.h` | all |\n| `sinew/numbers.h` | some |\n| `sinew/version.h` | one |\n")
        self.assertEqual(list(check_docs.check_headers(self.root)), [])
        self.write("docs/cpp.md", "| `sinew/all.h` | all |\n| `sinew/gone.h` | some |\n| `sinew/version.h` | one |\n")
        self.assertEqual(len(list(check_docs.check_headers(self.root))), 2)


class TheBits(Tree):
    def test_functions_of_the_standard_library_fail_with_their_place(self):
        self.write("src/sinew/math/a.cpp", "double f(double x) {\n  return std::sin(x);\n}\n")
        self.assert_one_problem("src/sinew/math/a.cpp:2:", "math::sin")

    def test_unqualified_calls_fail_too(self):
        self.write("src/sinew/math/a.cpp", "double f(double x) { return 1.0 + hypot(x, 2.0); }\n")
        self.assert_one_problem("math::hypot")

    def test_our_own_functions_exact_ones_members_and_comments_pass(self):
        self.write("src/sinew/math/a.cpp", "// std::sin(x)\ndouble f(S x) { return math::sin(x) + std::sqrt(x) + x.log(2); }\n"
                   "double arctan(double); double b = arctan(std::fmod(1.0, 2.0));\n")
        self.assertEqual(self.problems(), [])

    def test_where_the_functions_are_made_and_where_nothing_is_computed_they_pass(self):
        self.write("src/sinew/math/elementary_test.cpp", "double f(double x) { return std::sin(x); }\n")
        self.write("src/cli/a.cpp", "double f(double x) { return std::log10(x); }\n")
        self.assertEqual(self.problems(), [])

    def test_distributions_sums_in_any_order_and_hashed_containers_fail(self):
        for text in ("std::normal_distribution<> d;", "auto s = std::reduce(a, b);", "std::unordered_map<int, int> m;"):
            self.write("src/sinew/model/a.cpp", text + "\n")
            self.assert_one_problem("src/sinew/model/a.cpp:1:", text.split("std::")[1].split("<")[0].split("(")[0])


class Calls(Tree):
    def test_lanes_by_value_fail_unless_inlined(self):
        self.write("src/sinew/math/a.h", "template <Real S>\nS twice(const S& x) {\n  return x + x;\n}\n"
                                         "template <Real S>\nvoid put(S x, S* to) {\n  *to = x;\n}\n")
        found = self.problems()
        self.assertEqual(len(found), 2, found)
        self.assertIn("src/sinew/math/a.h:2: twice", found[0])
        self.assertIn("src/sinew/math/a.h:6: put", found[1])

    def test_references_inlined_functions_and_larger_things_pass(self):
        self.write("src/sinew/math/a.h", "template <Real S>\nSINEW_INLINE S twice(S x) {\n  return x + x;\n}\n"
                                         "template <Real S>\nvoid put(const S& x, S* to) {\n  *to = x;\n}\n"
                                         "template <Real S>\nVec3<S> three(const S& x) {\n  return {x, x, x};\n}\n")
        self.assertEqual(self.problems(), [])


class Joined(Tree):
    def joined_lines(self, body):
        return [int(problem.split(":")[1]) for problem in cpp_shape.check_joined("a.cpp", body)]

    def test_statements_joined_by_commas_fail_with_their_line(self):
        self.assertEqual([2, 3, 4, 5, 7], self.joined_lines(
            "void f() {\n  a = 1, b = 2;\n  if (x) p.q[i] += 1, k++;\n  v.assign(n, g(0.0)), w.clear();\n"
            "  for (int i = 0, j = 1; i < n; i++, j++) a[i] = f(i, j), b--;\n"
            "  switch (k) {\n    case A: x = 1, y = 2; break;\n  }\n}\n"))

    def test_declarations_arguments_lists_and_heads_of_loops_pass(self):
        self.assertEqual([], self.joined_lines(
            "enum { a = 0, b = 1 };\nstruct S : A, B { int x = 1, y = 2; S() : x(1), y(2) {} };\nvoid f() {\n"
            "  double a = 1, b = f(a, 2);\n  const auto [p, q] = g();\n  std::map<int, int> m{{1, 2}, {3, 4}};\n"
            "  for (i = 0, j = 1; i < n; i++, j++) h(i, j);\n  x = sum<J, n>(w, u);\n  return a < b, c;\n"
            "  call([&] { return 1; }, [&](int k) { m[k] = 2; });\n}\n"))


class Parameters(Tree):
    def problems_of(self, body, path="sinew/math/a.cpp"):
        return cpp_shape.check_parameters(path, body)

    def test_a_seventh_parameter_fails_with_its_place(self):
        seven = "int a, const S* b, std::map<int, int> c, double& d, const double (&e)[14][8], typename G::Twist f, bool g = f(1, 2)"
        for head in (f"void f({seven}) {{", f"struct A {{\n  A({seven}) : a(1) {{", f"auto f = [&]({seven}) mutable -> int {{",
                     f"template <class T>\nint A<T>::f({seven})\n    const noexcept {{", f"virtual void f({seven}) = 0;"):
            found = self.problems_of("\n" + head)
            self.assertEqual(len(found), 1, head)
            self.assertRegex(found[0], r"^src/sinew/math/a.cpp:[23]: .* 7 parameters")

    def test_six_pass_and_calls_with_any_number(self):
        self.assertEqual([], self.problems_of(
            "void f(int a, std::map<int, std::array<int, 2>> b, int c, int d, int e, int g = h(1, 2)) {\n"
            "  call(a, b, c, d, e, f, g);\n  return x ? call(a, b, c, d, e, f, g) : y(1);\n"
            "  if (call(a, b, c, d, e, f, g)) {}\n  const A x{call(a, b, c, d, e, f, g)};\n}\n"))

    def test_what_is_excused_passes_and_an_excuse_for_nothing_fails(self):
        path, name = next(iter(cpp_shape.MANY_PARAMETERS))
        others = "".join(f"void {other}(int a, int b, int c, int d, int e, int f, int g) {{}}\n"
                         for at, other in cpp_shape.MANY_PARAMETERS if at == path and other != name)
        self.assertEqual([], self.problems_of(others + f"void {name}(int a, int b, int c, int d, int e, int f, int g) {{}}\n", path))
        found = self.problems_of(others + f"void {name}(int a) {{}}\n", path)
        self.assertEqual(len(found), 1, found)
        self.assertIn(name, found[0])


class Lengths(Tree):
    def body(self, lines):
        return "".join(f"  x = {i};  // {{\n" for i in range(lines))

    def test_a_function_of_60_lines_passes_and_one_of_61_fails(self):
        self.write("src/sinew/math/a.cpp", "namespace sinew {\nint f(int x) {\n" + self.body(58) + "}\n}\n")
        self.assertEqual(self.problems(), [])
        self.write("src/sinew/math/a.cpp", "namespace sinew {\nint f(int x) {\n" + self.body(59) + "}\n}\n")
        self.assert_one_problem("a.cpp:2:", "61 lines")

    def test_a_long_class_of_short_functions_passes(self):
        members = "".join(f"  int f{i}() const {{ return g({{{i}}}); }}\n" for i in range(100))
        self.write("src/sinew/math/a.h", "template <class T>\nclass A {\n" + members + "};\n")
        self.assertEqual(self.problems(), [])

    def test_a_long_table_passes(self):
        self.write("src/sinew/math/a.cpp", "const double t[] = {\n" + "  f(1.0),\n" * 100 + "};\n")
        self.assertEqual(self.problems(), [])

    def test_a_long_member_function_fails_once_in_spite_of_inner_blocks(self):
        inner = "    if (a) {\n      for (;;) { b(); }\n    }\n" * 25
        self.write("src/sinew/math/a.h", "struct A {\n  void f() {\n" + inner + "  }\n  void g() {}\n};\n")
        self.assert_one_problem("a.h:2:", "77 lines")

    def test_a_long_file_fails_unless_its_first_comment_gives_a_reason(self):
        self.write("src/sinew/math/a.cpp", "// Sums.\n" + "\n" * 400)
        self.assert_one_problem("401 lines")
        self.write("src/sinew/math/a.cpp", "// Sums,\n// long because tables.\n" + "\n" * 400)
        self.assertEqual(self.problems(), [])

    def test_a_reason_above_a_function_is_enough(self):
        self.write("src/sinew/math/a.cpp", "int a;\n// long because cases.\nint f(int x) {\n" + self.body(70) + "}\n")
        self.assertEqual(self.problems(), [])


class Documents(Tree):
    def page_problems(self, text):
        self.write("docs/page.md", text)
        return list(check_docs.check_page(self.root, self.root / "docs/page.md"))

    def test_names_of_files_that_exist_pass(self):
        for path in ("src/sinew/math/a.h", "src/sinew/math/a.cpp"):
            self.write(path, "\n")
        text = ("`math/a.h` `src/sinew/math/` `a.{h,cpp}` `math/*.h` [rooms](architecture.md#rooms) `tests/<room>/x_test.cpp`\n"
                "`build/release/x.json` `std::vector` [web](https://example.org)\n```\nnothing.h\n```\n")
        self.assertEqual(self.page_problems(text), [])

    def test_names_of_files_that_are_gone_fail(self):
        found = self.page_problems("x\n`math/gone.h`, `gone.cpp`, `src/gone/`, [gone](gone.md)\n")
        self.assertEqual(len(found), 4, found)
        self.assertIn("docs/page.md:2: names math/gone.h", found[0])

    def citation_problems(self, text, path="src/sinew/math/a.h"):
        self.write(path, text)
        return list(check_docs.check_citations(self.root))

    def test_works_that_readers_do_not_have_are_not_cited(self):
        lost, sown = "sp" + "ec", "se" + "ed"  # in two parts, since this file is checked too
        for text in (f"// snake {lost}, section 9", f'source = "{lost} A.3"', f"TEST(A, numbers_of_the_{lost})", f"the {lost}s say",
                     f"// errata of the {sown}, (7)", f"// the {sown}'s (66)", f"the {sown} prints +", f"see {sown}s/000.txt",
                     f"TEST(A, rates_of_the_{sown}_lose_energy)"):
            found = self.citation_problems(f"x\n{text}\n")
            self.assertEqual(len(found), 1, text)
            self.assertIn("src/sinew/math/a.h:2: cites", found[0])

    def test_other_uses_of_these_words_pass(self):
        text = ("the same seed gives the same robot; depends on its seed alone; --seed N; the seed and the version; reseed(seed)\n"
                "specific, special, specular, aspect, the HDF5 spec, the specification of OpenGL, importlib.util.module_from_spec\n"
                "// Transeth et al. 2008, (84); docs/architecture.md#rooms\n")
        self.assertEqual(self.citation_problems(text), [])

    def test_pages_and_headings_that_are_cited_exist(self):
        self.write("docs/page.md", "# A page\n## Laws on `joint` axes\n```\n# no heading\n```\n[rooms](architecture.md#rooms)\n")
        self.assertEqual(self.citation_problems("// docs/page.md#laws-on-joint-axes, docs/page.md\n"), [])
        for text in ("// docs/gone.md", "// docs/page.md#gone", "// docs/page.md#no-heading"):
            self.assertEqual(len(self.citation_problems(text)), 1, text)
        self.assertEqual(len(self.citation_problems("[gone](page.md#gone)", "docs/other.md")), 2)  # and the one above

    def test_every_room_is_in_the_table_and_every_row_exists(self):
        for path in ("math/a.h", "parts/joint/a.h", "parts/list.h", "model/a.h", "cellar/a.h"):
            self.write(f"src/sinew/{path}", "\n")
        self.write("src/cli/main.cpp", "\n")
        found = list(check_docs.check_architecture(self.root))
        self.assertEqual([problem.split("room ")[1].split()[0] for problem in found], ["cellar", "text"])

    def test_pages_outside_the_contents_lists_fail(self):
        self.write("docs/index.md", "# All\n\nsee lost\n\n```{toctree}\n:hidden:\n\narchitecture\nfound\n```\n")
        self.write("docs/found.md", "\n")
        self.assertEqual(list(check_docs.check_index(self.root)), [])
        self.write("docs/lost.md", "\n")
        found = list(check_docs.check_index(self.root))
        self.assertEqual(found, ["docs/lost.md: is in no contents list of docs/index.md"])


if __name__ == "__main__":
    unittest.main()
