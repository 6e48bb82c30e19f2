"""Which packages Python code in the sandbox may import: those that are meant for it, and how each is used.

An environment holds much that is there for the product, for Jupyter or for installing: a client is not told of it,
though it could be imported. What a person installed besides is listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import PathFinder
from importlib.metadata import Distribution, distributions
from inspect import getmodulename
from pathlib import Path

USES: Mapping[str, str] = {
    "pandas": "import pandas as pd; df = pd.DataFrame({'a': ['x', 'y', 'x'], 'n': [1, 2, 3]}); "
    "print(df.groupby('a', as_index=False)['n'].sum())",
    "numpy": "import numpy as np; print(np.array([1, 2, 4]).mean())",
    "duckdb": "import duckdb, pandas as pd; df = pd.DataFrame({'n': [1, 2]}); "
    "print(duckdb.sql('SELECT sum(n) FROM df').df())",
    "pyarrow": "import pyarrow as pa, pyarrow.parquet as pq; pq.write_table(pa.table({'n': [1, 2]}), 'n.parquet')",
    "scipy": "from scipy import stats; print(stats.ttest_ind([1, 2, 3], [2, 3, 5]).pvalue)",
    "matplotlib": "import matplotlib.pyplot as plt; plt.plot([1, 3, 2]); plt.savefig('chart.png')",
    "polars": "import polars as pl; print(pl.DataFrame({'n': [1, 2]}).select(pl.col('n').sum()))",
    "statsmodels": "import statsmodels.api as sm; print(sm.OLS([1, 2, 4], sm.add_constant([1, 2, 3])).fit().params)",
    "sklearn": "from sklearn.linear_model import LinearRegression; "
    "print(LinearRegression().fit([[1], [2]], [1, 2]).coef_)",
    "seaborn": "import seaborn as sns; sns.barplot(x=['a', 'b'], y=[1, 2]).figure.savefig('chart.png')",
    "dask": "import dask.dataframe as dd, pandas as pd; "
    "print(dd.from_pandas(pd.DataFrame({'n': [1, 2]}), npartitions=1)['n'].sum().compute())",
    "narwhals": "import narwhals as nw, pandas as pd; "
    "print(nw.from_native(pd.DataFrame({'n': [1, 2]})).select(nw.col('n').sum()).to_native())",
    "xarray": "import xarray as xr; print(xr.DataArray([1, 2, 3], dims='x').mean())",
    "sympy": "import sympy; x = sympy.symbols('x'); print(sympy.diff(x**2, x))",
    "networkx": "import networkx as nx; print(nx.shortest_path(nx.path_graph(4), 0, 3))",
    "sqlglot": "import sqlglot; print(sqlglot.transpile('SELECT 1 AS a', write='duckdb')[0])",
    "openpyxl": "import openpyxl; book = openpyxl.Workbook(); book.active.append([1, 2]); book.save('book.xlsx')",
    "xlsxwriter": "import xlsxwriter; book = xlsxwriter.Workbook('book.xlsx'); book.add_worksheet(); book.close()",
    "tabulate": "from tabulate import tabulate; print(tabulate([[1, 2]], headers=['a', 'b']))",
    "jinja2": "from jinja2 import Template; print(Template('Hello {{ name }}').render(name='you'))",
    "PIL": "from PIL import Image; Image.new('RGB', (8, 8), 'red').save('red.png')",
    "yaml": "import yaml; print(yaml.safe_load('a: [1, 2]'))",
    "pydantic": "from pydantic import TypeAdapter; print(TypeAdapter(list[int]).validate_python(['1', '2']))",
    "jsonschema": "import jsonschema; jsonschema.validate({'n': 1}, {'required': ['n']})",
    "dateutil": "from dateutil.parser import parse; print(parse('3 May 2024').date())",
    "rapidfuzz": "from rapidfuzz import process; print(process.extractOne('berln', ['Berlin', 'Bonn']))",
    "bs4": "from bs4 import BeautifulSoup; print(BeautifulSoup('<p>hi</p>', 'html.parser').p.text)",
    "lxml": "from lxml import etree; print(etree.fromstring('<a><b>1</b></a>').findtext('b'))",
}
"""What the code of an analyst is written with, by import name, and one line that runs as it stands."""
_PRODUCT = "jupyter-mcpgen"
_ALL_EXTRAS = None
_INSTALLERS = frozenset({"pip", "setuptools", "uv", "wheel"})
_JUPYTER = "Framework :: Jupyter"
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^]]*)\])?")
_FOR_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w.-]+)['\"]")


_Needed = tuple[str, frozenset[str] | None]


@dataclass(frozen=True)
class Importable:
    """One package by the name that code imports, and where it comes from; `usage` is there for well-known ones."""

    name: str
    distribution: str
    version: str
    usage: str | None


def importable(folders: Iterable[Path]) -> tuple[Importable, ...]:
    """Return what is meant for code and lies in these folders: the well-known first, in the order of the table."""
    there = [str(folder) for folder in folders]
    installed = {_canonical(found.name): found for found in distributions(path=there) if found.name}
    hidden = _behind_the_scenes(installed)
    found = {
        module: distribution
        for name, distribution in installed.items()
        for module in _modules(distribution)
        if module in USES or (name not in hidden and module.isidentifier() and module[0] != "_")
        if PathFinder.find_spec(module, there) is not None
    }
    ordered = [*(name for name in USES if name in found), *sorted(found.keys() - USES.keys(), key=str.casefold)]
    return tuple(Importable(name, found[name].name, found[name].version, USES.get(name)) for name in ordered)


def _behind_the_scenes(installed: Mapping[str, Distribution]) -> frozenset[str]:
    """Return what is there for the product, for Jupyter or for installing, and all that these need."""
    roots = (*_INSTALLERS, *(name for name, found in installed.items() if _is_of_jupyter(found)))
    waiting: list[_Needed] = [(_PRODUCT, _ALL_EXTRAS), *((name, frozenset()) for name in roots)]
    seen: set[_Needed] = set()
    while waiting:
        name, extras = waiting.pop()
        if name in installed and (name, extras) not in seen:
            seen.add((name, extras))
            waiting += _needed(installed[name], extras)
    return frozenset(name for name, _ in seen)


def _needed(found: Distribution, extras: frozenset[str] | None) -> Iterator[_Needed]:
    """Give what a distribution needs, with the extras that it asks for."""
    for line in found.requires or ():
        requirement, _, marker = line.partition(";")
        for_extra = _FOR_EXTRA.search(marker)
        is_asked_for = for_extra is None or extras is _ALL_EXTRAS or for_extra[1] in extras
        if is_asked_for and (named := _REQUIREMENT.match(requirement)) is not None:
            yield _canonical(named[1]), frozenset(part.strip() for part in (named[2] or "").split(",") if part.strip())


def _is_of_jupyter(found: Distribution) -> bool:
    classifiers: list[str] = found.metadata.get_all("Classifier") or []
    return any(classifier.startswith(_JUPYTER) for classifier in classifiers)


def _modules(found: Distribution) -> frozenset[str]:
    """Return the top-level names that a distribution brings."""
    declared = (found.read_text("top_level.txt") or "").split()
    files = [file.parts for file in found.files or () if file.parts[0] != ".."]
    inferred = (parts[0] if len(parts) > 1 else getmodulename(parts[0]) for parts in files)
    return frozenset(declared or (name for name in inferred if name is not None))


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
