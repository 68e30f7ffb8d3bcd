"""The stubs have the names and parameters of the module, and every public thing says what it is."""

import ast
import inspect
import unittest
from pathlib import Path

import sinew
from sinew import gym

FOLDER = Path(sinew.__file__).parent
STUBS = {sinew: FOLDER / "__init__.pyi", gym: FOLDER / "gym.pyi"}
PUBLIC = {sinew: set(sinew.__all__), gym: {"Box", "VectorEnv", "check_env"}}


def parameters(function):
    a = function.args
    names = [x.arg for x in (*a.posonlyargs, *a.args)]
    return [*names, *(["*" + a.vararg.arg] if a.vararg else []), *(x.arg for x in a.kwonlyargs),
            *(["**" + a.kwarg.arg] if a.kwarg else [])]


def real_parameters(function):
    mark = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [mark.get(p.kind, "") + name for name, p in inspect.signature(function).parameters.items()]


class Stubs(unittest.TestCase):
    def compare(self, place, real, stub):
        """A function or property of the module with the one of the stubs."""
        if any(isinstance(d, ast.Name) and d.id == "property" for d in stub.decorator_list):
            self.assertTrue(isinstance(real, property), f"{place} is no property")
            return
        try:
            found = real_parameters(real)
        except ValueError:  # of C++, without a signature
            return
        if found[-2:] == ["*args", "**kwargs"]:
            return
        self.assertEqual(parameters(stub), found, place)

    def test_they_hold_what_is_public_and_no_more(self):
        for module, file in STUBS.items():
            tree = ast.parse(file.read_text())
            stubs = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
            self.assertEqual(stubs, PUBLIC[module])

    def test_parameters_are_those_of_the_module(self):
        for module, file in STUBS.items():
            for node in ast.parse(file.read_text()).body:
                if isinstance(node, ast.FunctionDef):
                    self.compare(node.name, getattr(module, node.name), node)
                elif isinstance(node, ast.ClassDef):
                    self.compare_class(getattr(module, node.name), node)

    def compare_class(self, real, node):
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                self.compare(f"{node.name}.{part.name}", getattr(real, part.name), part)
        public = {name for name in vars(real) if not name.startswith("_")}
        named = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        self.assertLessEqual(public, named | {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}, node.name)

    def test_everything_public_is_described(self):
        for module in STUBS:
            for name in PUBLIC[module]:
                real = getattr(module, name)
                self.assertTrue(inspect.getdoc(real), name)
                for part, value in vars(real).items() if inspect.isclass(real) else ():
                    if not part.startswith("_") and (callable(value) or isinstance(value, property)):
                        self.assertTrue(inspect.getdoc(value), f"{name}.{part}")


if __name__ == "__main__":
    unittest.main()
