"""Empty modules in place of those a script imports and the interpreter lacks."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Nothing:
    """Swallows what is done with it: attributes, calls, items, arithmetic, `with`, subclassing."""

    def __getattr__(self, name: str) -> Any:
        """Nothing again; special methods that are not below are not there."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Nothing; as a decorator, what it decorates."""
        decorates = len(args) == 1 and not kwargs and callable(args[0])
        return args[0] if decorates and not isinstance(args[0], Nothing) else self

    def __getitem__(self, key: Any) -> Any:
        """Nothing."""
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        """Forgotten."""

    def __iter__(self) -> Iterator[Any]:
        """No elements."""
        return iter(())

    def __len__(self) -> int:
        """No elements."""
        return 0

    def __bool__(self) -> bool:
        """False."""
        return False

    def __enter__(self) -> Any:
        """Nothing."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave an exception as it is."""

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        """A class may name it as its base."""
        return ()

    def __instancecheck__(self, instance: object) -> bool:
        """Nothing is an instance of it."""
        return False

    def _same(self, *_: Any) -> Any:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _same
    __rtruediv__ = __pow__ = __rpow__ = __neg__ = __matmul__ = __or__ = __ror__ = _same


class _Stub(ModuleType):
    """A module in which every name is there and is nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Nothing()


class _Finder(MetaPathFinder, Loader):
    """Finds the named modules and all below them, before anything else does."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        if any(name == stub or name.startswith(f"{stub}.") for stub in self._names):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Stub(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        module.__all__ = []  # type: ignore[attr-defined]


def install(names: Sequence[str]) -> None:
    """From now on these modules, and all below them, are empty ones."""
    if names:
        sys.meta_path.insert(0, _Finder(names))
