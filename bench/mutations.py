"""The small ways in which a line may be wrong, each as its module's code with that mistake."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

_OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
# Words that a person reads, what says which mistake of ours it is, and what only types read.
_LEFT_ALONE = (ast.JoinedStr, ast.Assert, ast.Raise, ast.arguments)
_SHOWN_MAX = 100
# Called at the beginning of each function while the unharmed code is run.
MARK = "pitboss_function_is_reached"


@dataclass(frozen=True, slots=True)
class Mutation:
    """One mistake: where it is, what it reads like, and the module's code with it."""

    file: Path
    place: str
    function: str
    line: int
    change: str
    code: CodeType

    @property
    def name(self) -> str:
        return f"{self.place} {self.function}: {self.change}"


def mutations_of(file: Path, project: Path) -> Iterator[Mutation]:
    """Yield every mistake that can be made in the functions of a module."""
    tree = ast.parse(file.read_text(), str(file))
    for function, name in _functions(tree):
        seen: Counter[str] = Counter()
        for line, change in _mistakes(function):
            seen[change] += 1
            again = f" ({seen[change]})" if seen[change] > 1 else ""
            yield Mutation(
                file=file,
                place=str(file.relative_to(project)),
                function=name,
                line=line,
                change=change + again,
                code=compile(ast.fix_missing_locations(tree), str(file), "exec"),
            )


def marked(file: Path) -> CodeType:
    """Return a module's code as it is, but that each function of it says when it is called."""
    tree = ast.parse(file.read_text(), str(file))
    for function, name in _functions(tree):
        function.body[:0] = ast.parse(f"{MARK}({str(file)!r}, {name!r})").body
    return compile(tree, str(file), "exec")


def _functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    for item in tree.body:
        if isinstance(item, ast.FunctionDef):
            yield item, item.name
        elif isinstance(item, ast.ClassDef):
            for inner in item.body:
                if isinstance(inner, ast.FunctionDef):
                    yield inner, f"{item.name}.{inner.name}"


def _mistakes(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Make each mistake in the tree, yield while it stands there, and take it out again."""
    waiting: list[ast.AST] = [function]
    while waiting:
        owner = waiting.pop()
        for name, value in ast.iter_fields(owner):
            if owner is function and name != "body":
                continue
            children = value if isinstance(value, list) else [value]
            for place, child in enumerate(children):
                if not isinstance(child, ast.AST) or isinstance(child, _LEFT_ALONE):
                    continue
                # A net beneath our own code: nothing that a test could do falls into it.
                if isinstance(child, ast.keyword) and child.arg == "strict":
                    continue
                waiting.append(child)
                is_asked = name in ("test", "ifs")
                for wrong in _wrong(child, is_asked=is_asked):
                    ast.copy_location(wrong, child)
                    _put(owner, name, place, wrong)
                    line = getattr(child, "lineno", function.lineno)
                    yield line, f"{_shown(child)} -> {_shown(wrong)}"
                    _put(owner, name, place, child)


def _put(owner: ast.AST, name: str, place: int, child: ast.AST) -> None:
    held = getattr(owner, name)
    if isinstance(held, list):
        held[place] = child
    else:
        setattr(owner, name, child)


def _wrong(node: ast.AST, *, is_asked: bool) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, operators, others):
            for place, operator in enumerate(operators):
                swapped = [*operators[:place], _OTHER[type(operator)](), *operators[place + 1 :]]
                yield ast.Compare(left, swapped, others)  # type: ignore[arg-type]
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(_OTHER[type(operator)](), values)  # type: ignore[arg-type]
        case ast.BinOp(left, operator, right) if type(operator) in _OTHER:
            yield ast.BinOp(left, _OTHER[type(operator)](), right)  # type: ignore[arg-type]
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Expr(ast.Call()):
            yield ast.Pass()
        case ast.Return(ast.AST() as value) if not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.expr() if is_asked:
            yield ast.UnaryOp(ast.Not(), node)


def _shown(node: ast.AST) -> str:
    text = "nothing" if isinstance(node, ast.Pass) else ast.unparse(ast.fix_missing_locations(node))
    text = " ".join(text.replace("`", "'").split())
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "..."
