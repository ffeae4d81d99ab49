"""Imports between the files of an environment that the user wrote. Standard library only.

Each environment is a package of its own. In its files `import maps` means its own maps.py, also when that line is
executed late; the file of the same name in another environment is another module.
"""

from __future__ import annotations

import builtins
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import Any

_packages: dict[str, OwnImports] = {}


class OwnImports:
    """`__import__` as the files of one environment see it."""

    def __init__(self, package: str, folder: str) -> None:
        self._package, self._folder = package, folder
        self._known: dict[str, bool] = {}
        self.builtins = {**vars(builtins), "__import__": self._import}

    def _import(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level or not self._has(top):
            return builtins.__import__(name, globals, locals, fromlist, level)
        found = builtins.__import__(f"{self._package}.{name}", globals, locals, fromlist, 0)
        return found if fromlist else sys.modules[f"{self._package}.{top}"]

    def _has(self, top: str) -> bool:
        """Whether one of the files is meant; a folder without __init__.py only if there is no other module."""
        if top not in self._known:
            path = os.path.join(self._folder, top)
            is_module = os.path.isfile(f"{path}.py") or os.path.isfile(os.path.join(path, "__init__.py"))
            self._known[top] = is_module or (os.path.isdir(path) and not _is_elsewhere(top))
        return self._known[top]


def _is_elsewhere(top: str) -> bool:
    return top in sys.modules or PathFinder.find_spec(top) is not None


class OwnLoader(SourceFileLoader):
    """Executes a file with the imports of its environment."""

    def __init__(self, fullname: str, path: str, imports: OwnImports) -> None:
        super().__init__(fullname, path)
        self._imports = imports

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = self._imports.builtins
        super().exec_module(module)


class OwnFinder:
    """Finds the files of all environments that were loaded, below the name of their package."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        imports = _packages.get(fullname.partition(".")[0])
        spec = PathFinder.find_spec(fullname, path, target) if imports is not None else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            assert imports is not None
            spec.loader = OwnLoader(fullname, spec.loader.path, imports)
        return spec


def execute_package(name: str, folder: str, main_file: str) -> ModuleType:
    """Executes the main file in `folder` as the package of this name, in which the other files are found."""
    if OwnFinder not in sys.meta_path:
        sys.meta_path.insert(0, OwnFinder)
    _packages[name] = imports = OwnImports(name, folder)
    main = os.path.join(folder, main_file)
    loader = OwnLoader(name, main, imports)
    spec = spec_from_file_location(name, main, loader=loader, submodule_search_locations=[folder])
    assert spec is not None
    module = module_from_spec(spec)
    # Classes are pickled and found by the name of their module. Other files may import the main one.
    sys.modules[name] = sys.modules[f"{name}.{os.path.splitext(main_file)[0]}"] = module
    try:
        loader.exec_module(module)
    except BaseException:
        for loaded in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[loaded]
        raise
    return module
