"""The single changes that mutation tests make: Cosmic Ray's, without those that change nothing."""

import ast
import hashlib
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final, TypeGuard

from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.ast.ast_query import ASTQuery
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from cosmic_ray.work_item import MutationSpec

EQUAL_HERE: Final = ("_Eq_Is", "_Is_Eq", "_NotEq_IsNot", "_IsNot_NotEq")
"""Changes without effect on enumerations, None and small integers."""
UNMUTATED: Final = {"newline", "string", "endmarker", *"()[]{},.:="}
"""Kinds and values of nodes to which no operator applies; most are such."""
UNCHANGED: Final = {"slots", "frozen"}
"""Options of a data class that only reject code which assigns to its attributes."""


@dataclass(frozen=True)
class Change:
    """A file before and after a mutation."""

    file: Path
    before: str
    after: str


def change_of(mutation: MutationSpec) -> Change | None:
    """Return the change that a mutation makes, or None if it can have no effect."""
    before = mutation.module_path.read_text("utf-8")
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    after = mutate_code(before, operator, mutation.occurrence)
    if meaning(after) in {None, meaning(before)}:
        return None
    return Change(mutation.module_path, before, after)


def drawn(files: Iterable[Path], seed: int) -> Iterator[tuple[str, MutationSpec]]:
    """Yield the possible mutations of files, in a random order in proportion to their lines.

    Each line of a file is a ticket. Its rank depends on the seed, the file's name and the ticket's
    number, so that more lines of one file change the order of the others little. A ticket draws the
    next mutation of the file; with the last one, those that are left are drawn.
    """
    tickets = [
        (file, n) for file in files for n in range(len(file.read_text("utf-8").splitlines()))
    ]
    tickets.sort(
        key=lambda one: hashlib.sha256(repr((seed, str(one[0]), one[1])).encode()).digest()
    )
    left: dict[Path, Iterator[tuple[str, MutationSpec]]] = {}
    for file, _ in tickets:
        if file not in left:
            left[file] = shuffled(file, seed)
        yield from islice(left[file], 1)
    for mutations in left.values():
        yield from mutations


def shuffled(file: Path, seed: int) -> Iterator[tuple[str, MutationSpec]]:
    """Yield the possible mutations in a random order, one for each place, and their keys.

    The order does not depend on code elsewhere. A key is the same as long as the function is.
    """
    found = [*mutations_of(file)]
    found.sort(key=lambda one: (one.operator_name, one.occurrence))
    lines = file.read_text("utf-8").splitlines()
    same: Counter[tuple[str, ...]] = Counter()
    ranked = []
    for one in found:
        line = lines[one.start_pos[0] - 1].strip()
        name = (one.definition_name or "", one.operator_name, line)
        same[name] += 1
        rank = hashlib.sha256(repr((seed, name, same[name])).encode()).digest()
        if not one.operator_name.endswith(EQUAL_HERE):
            ranked.append((rank, one))
    ranked.sort(key=lambda pair: pair[0])
    places = {}
    for rank, one in ranked:
        kind = one.operator_name.partition("_")[0]
        if (one.start_pos, kind) not in places:
            places[one.start_pos, kind] = rank, one
    for rank, one in places.values():
        yield hashlib.sha256(rank + statement_at(one).encode()).hexdigest()[:16], one


def mutations_of(file: Path) -> Iterator[MutationSpec]:
    """Yield every mutation of a file, as `cosmic-ray init` lists them.

    That walks through the tree again for each of its hundreds of operators, which takes minutes for
    all domains.
    """
    nodes = [
        node
        for node in ast_nodes(get_ast_from_path(file))
        if not {node.type, getattr(node, "value", "")} & UNMUTATED
    ]
    names = [ASTQuery(node).get_definition_name() for node in nodes]
    for operator in operator_names():
        kind = get_operator(operator)
        if kind.arguments():
            continue
        positions = kind().mutation_positions
        found = (
            (name, place)
            for name, node in zip(names, nodes, strict=True)
            for place in positions(node)
        )
        for occurrence, (name, (start, end)) in enumerate(found):
            yield MutationSpec(str(file), operator, occurrence, start, end, definition_name=name)


@cache
def meaning(text: str) -> str | None:
    """Return the code without what has no effect at run time; None if it does not compile."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text)
            compile(text, "", "exec")
    except SyntaxError:
        return None
    return ast.dump(Effects().visit(tree))


class Effects(ast.NodeTransformer):
    """Removes annotations, options without effect, and how parameters may be passed."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        self.generic_visit(node)
        named = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        defaults = [*node.defaults, *node.kw_defaults]
        return ast.arguments([], named, node.vararg, [], [], node.kwarg, defaults)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if alias or node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        for one in node.decorator_list:
            if isinstance(one, ast.Call):
                one.keywords = [key for key in one.keywords if key.arg not in UNCHANGED]
        self.generic_visit(node)
        return node


def function_at(mutation: MutationSpec) -> str | None:
    """Return the qualified name of the outermost function whose body contains the mutation."""
    nodes = tree_of(mutation.module_path).body
    names = []
    while nodes:
        node = next((one for one in nodes if contains(one, mutation.start_pos)), None)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.append(node.name)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = any(contains(statement, mutation.start_pos) for statement in node.body)
            return ".".join(names) if inside else None
        nodes = node.body if isinstance(node, ast.ClassDef) else []
    return None


def contains(node: ast.stmt, place: tuple[int, int]) -> bool:
    end = last_line(node), node.end_col_offset or 0
    return (node.lineno, node.col_offset) <= place < end


def statement_at(mutation: MutationSpec) -> str:
    """Return the function that contains the mutation, or else the innermost statement."""
    around = statements_around(mutation)
    function = next((one for one in around if is_function(one)), around[-1])
    return ast.unparse(function)


Place = tuple[str, int, int]
"""A statement by its file, line and column."""


def reached_at(mutation: MutationSpec, mentions: Mapping[str, set[Place]]) -> set[Place]:
    """Return the statements whose tests depend on the mutated one.

    Inside a function it is that statement. What runs on import is noticed where it is used: in
    functions of the file, and in others that mention the name which it defines, or whose default
    values or attributes it sets.

    Args:
        mutation: The mutation.
        mentions: The places of the functions that mention each name.
    """
    file = mutation.module_path
    if function_at(mutation):
        line, column = mutation.start_pos
        found = [
            node
            for node in statements_around(mutation)
            if (node.lineno, node.col_offset) <= (line, column)
        ]
        return {(str(file), found[-1].lineno, found[-1].col_offset)}
    names = {name for node in statements_around(mutation) for name in defined_by(node)}
    here = {place for places in places_by_name(file).values() for place in places}
    return here.union(*(mentions.get(name, ()) for name in names))


def defined_by(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def places_by_name(file: Path) -> Mapping[str, set[Place]]:
    """Return the first statements of the functions that mention each name, or "" for none."""
    found: defaultdict[str, set[Place]] = defaultdict(set)
    for node in ast.walk(tree_of(file)):
        if is_function(node):
            first = next((one for one in node.body if not is_docstring(one)), None)
            if first:
                place = (str(file), first.lineno, first.col_offset)
                found[""].add(place)
                for one in ast.walk(node):
                    if isinstance(one, ast.Name | ast.Attribute):
                        found[one.id if isinstance(one, ast.Name) else one.attr].add(place)
    return found


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def statements_around(mutation: MutationSpec) -> list[ast.stmt]:
    """Return the statements that contain the mutation, the outermost first."""
    line = mutation.start_pos[0]
    found = [
        node
        for node in ast.walk(tree_of(mutation.module_path))
        if isinstance(node, ast.stmt) and first_line(node) <= line <= last_line(node)
    ]
    return sorted(found, key=lambda node: (first_line(node), -last_line(node)))


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
