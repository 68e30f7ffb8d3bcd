"""The shape of C++: how long files and functions may be, how many parameters a function may take, and statements joined by commas,
which make lines and functions look shorter than they are. check_includes.py applies it to the tree.
"""

import re

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_PARAMETERS = 6
# Functions where a struct would not say it better: file below src/ and name -> why.
MANY_PARAMETERS = {
    ("sinew/math/dense_lu.h", "subtract_panel"): "a kernel on bare columns: what a struct would hold changes with each call",
    ("sinew/math/dense_lu.h", "factor_panel"): "a kernel on bare columns, as above",
    ("sinew/step/actuate.cpp", "actuate_implicit"): "what every stage of a step takes, and the step",
}
REASON = "long because"  # in the first comment of the file, or in the comment above the function


def blank_out(text):
    """Text with comments, strings and preprocessor lines replaced by blanks; line breaks stay."""
    pattern = (r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^()\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|'
               r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*")
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match.group()), text, flags=re.S | re.M)


def top_level(text, wanted):
    """Positions of these characters outside of all brackets and of the arguments of templates."""
    text = re.sub(r"(?<=\w)<[^<>;=&|()]*>(?=\s*[({:])", lambda match: " " * len(match.group()), text)
    depth = 0
    for position, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in wanted and depth == 0:
            yield position


def statements(code):
    """(start, end) of what ends with a semicolon, in blanked-out code: of blocks, not of the heads of loops."""
    stack = [["{", 0]]
    for position, char in enumerate(code):
        if char in "([{":
            stack.append([char, position + 1])
        elif char in ")]}" and len(stack) > 1:
            stack.pop()
            if char == "}" and not re.match(r"\s*[,;).\]?:=+\-*/<>&|]", code[position + 1:position + 80]):
                stack[-1][1] = position + 1
        elif char == ";" and stack[-1][0] == "{":
            yield stack[-1][1], position
            stack[-1][1] = position + 1


def check_joined(path, text):
    """Statements joined by commas: `a = 1, b = 2;` (declarations are none)."""
    code = blank_out(text)
    for start, end in statements(code):
        statement = code[start:end]
        while head := re.match(r"\s*(?:(?:if|for|while|switch)\b(?:\s+constexpr)?\s*(?=\()|else\b|do\b|case\b[^:;]*:(?!:)|default\s*:)",
                               statement):
            rest = statement[head.end():]
            if rest.startswith("("):
                rest = rest[next((i for i in top_level(rest, ")")), len(rest) - 1) + 1:]
            start, statement = end - len(rest), rest
        comma = next(top_level(statement, ","), None)
        if comma is None:
            continue
        first = statement[:comma]
        written = re.sub(r"(?:[-+*/|&^%]|<<|>>)?=(?!=).*", "", re.sub(r"[!<>=]=", "  ", first), flags=re.S)
        for _ in range(5):  # brackets within brackets
            written = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "#", written)
        is_change = len(written) < len(first) or re.search(r"#|\+\+|--", written)
        if is_change and re.fullmatch(r"\s*[\w:.>#*+-]+\s*", written) and not re.match(r"\s*(?:return|throw|using)\b", written):
            line = code.count("\n", 0, start + len(statement) - len(statement.lstrip())) + 1
            yield f"{path}:{line}: statements joined by a comma: a statement a line"


def closing(code, opened):
    """Position after the bracket that closes the one before `opened`."""
    depth, position = 1, opened
    while depth and position < len(code):
        depth += (code[position] in "([{") - (code[position] in ")]}")
        position += 1
    return position


def parameters(text):
    """The parameters of a list of them, as texts; none if it is not one of a definition but, say, arguments."""
    for _ in range(5):  # templates within templates
        text = re.sub(r"(?<=\w)<[^<>()]*>", lambda match: "_" * len(match.group()), text)
    found, start = [], 0
    for position in [*top_level(text, ","), len(text)]:
        found.append(re.sub(r"=.*", "", text[start:position], flags=re.S).strip())
        start = position + 1
    declared = r"(?:(?:const|typename)\s+)*[\w:]+(?:\s+const)?(?:\s*[&*.]+\s*\w*|\s+\w+|\s*\([&*]\s*\w+\))(?:\[\w*\])*"
    return found if all(re.fullmatch(declared, one) for one in found) else []


def check_parameters(path, text):
    """Definitions of functions with more parameters than MAX_PARAMETERS, and excuses for none; path is relative to src/."""
    code, problems, excused = blank_out(text), [], set()
    defined = r"\s*(?:(?:const|noexcept|override|final|mutable|SINEW_\w+)\b\s*)*(?:->[^;{]*)?(?:\{|=\s*0\s*;|:\s*\w+\s*[({])"
    for match in re.finditer(r"(\w+|\])\s*\(", code):
        end = closing(code, match.end())
        count = len(parameters(code[match.end():end - 1])) if re.match(defined, code[end:end + 300]) else 0
        name = match.group(1) if match.group(1) != "]" else "a lambda"
        if count <= MAX_PARAMETERS:
            continue
        if (path, name) in MANY_PARAMETERS:
            excused.add(name)
            continue
        problems.append(f"src/{path}:{code.count(chr(10), 0, match.start(1)) + 1}: {name} takes {count} parameters, more than "
                        f"{MAX_PARAMETERS}: a struct, or a line with the reason in MANY_PARAMETERS")
    for other, name in MANY_PARAMETERS:
        if other == path and name not in excused:
            problems.append(f"src/{path}:1: {name} takes no more than {MAX_PARAMETERS} parameters: strike it from MANY_PARAMETERS")
    return problems


def functions(code):
    """(first line, last line) of every function body in blanked-out code, outermost only."""
    stack, start, opened = [], 0, None
    for match in re.finditer(r"[{};]", code):
        position, char = match.span()[0], match.group()
        if char == "{":
            head = code[start:position]
            is_scope = re.search(r"\b(namespace|class|struct|union|enum|extern)\b[^()]*$", head)
            is_function = opened is None and "(" in head and not is_scope and not re.search(r"=\s*$", head)
            if is_function:
                opened = len(stack)
                first = code.count("\n", 0, start + len(head) - len(head.lstrip())) + 1
            stack.append(char)
        elif char == "}" and stack:
            stack.pop()
            if opened == len(stack):
                opened = None
                yield first, code.count("\n", 0, position) + 1
        if opened is None:
            start = position + 1


def comment_above(lines, first):
    """The comment lines directly above line number `first`."""
    above = []
    for line in reversed(lines[: first - 1]):
        if not line.lstrip().startswith(("//", "/*", "*")):
            break
        above.append(line)
    return "\n".join(above)


def check_lengths(path, text):
    lines = text.splitlines()
    first_comment = re.match(r"\s*((?://[^\n]*\n?\s*)+|/\*.*?\*/)", text, re.S)
    if first_comment and REASON in first_comment.group(1):
        return
    if len(lines) > MAX_FILE_LINES:
        yield f"{path}:1: {len(lines)} lines, more than {MAX_FILE_LINES}: split, or say '{REASON}' in the first comment"
    for first, last in functions(blank_out(text)):
        if last - first + 1 > MAX_FUNCTION_LINES and REASON not in comment_above(lines, first):
            yield (f"{path}:{first}: function of {last - first + 1} lines, more than {MAX_FUNCTION_LINES}: "
                   f"split, or say '{REASON}' in the comment above it")
