"""What generated code may reach by name: each module, and the few objects that are as powerful as one.

A namespace that is not in a table cannot be imported; a member that is a module must be in the table itself.
`tests/unit/analysis/test_namespaces.py` walks the installed libraries and proves that no
allowed path leaves the tables.
"""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from jupyter_mcpgen.analysis import rules
from jupyter_mcpgen.analysis.rules import Rule, each, words

INSTANCE = "()"
"""Marks the result of a call in a path: `fastmcp.FastMCP()` is a server object."""


@dataclass(frozen=True)
class Namespace:
    """The usable members of one module or object.

    `members` lists them all; `None` means every public name except those refused and those that carry a module's name,
    `own` being the functions that happen to carry one.
    """

    members: frozenset[str] | None = None
    refused: Mapping[str, Rule] = field(default_factory=dict)
    own: frozenset[str] = frozenset()

    def refusal(self, member: str) -> Rule | None:
        """Return the rule that a member breaks, or nothing."""
        if member in self.refused:
            return self.refused[member]
        if self.members is not None:
            return None if member in self.members else rules.MEMBER
        return rules.MEMBER if member in sys.stdlib_module_names - self.own else None


def _only(names: str = "", *refused: Mapping[str, Rule]) -> Namespace:
    """Return a namespace of the names listed; `refused` says why for names that people try."""
    return Namespace(words(names), ChainMap(*map(dict, refused)))


def _public(*refused: Mapping[str, Rule], own: str = "") -> Namespace:
    """Return a namespace of all public names except those refused."""
    return Namespace(None, ChainMap(*map(dict, refused)), words(own))


_STANDARD_LIBRARY = {
    "__future__": _only("annotations"),
    "abc": _only("ABC abstractmethod"),
    "bisect": _only("bisect bisect_left bisect_right insort insort_left insort_right"),
    "calendar": _only("month_name month_abbr day_name day_abbr monthrange isleap leapdays weekday"),
    "collections": _only("Counter OrderedDict defaultdict deque namedtuple ChainMap"),
    "collections.abc": _only(
        "Callable Collection Container Generator Hashable Iterable Iterator Mapping MutableMapping MutableSequence "
        "MutableSet Reversible Sequence Set Sized"
    ),
    "contextlib": _only("suppress nullcontext contextmanager"),
    "copy": _only("copy deepcopy"),
    "csv": _only("reader writer DictReader DictWriter QUOTE_ALL QUOTE_MINIMAL QUOTE_NONNUMERIC QUOTE_NONE Error"),
    "dataclasses": _only("dataclass field fields asdict astuple replace is_dataclass KW_ONLY"),
    "datetime": _only("date datetime time timedelta timezone tzinfo MINYEAR MAXYEAR UTC"),
    "decimal": _only(
        "Decimal Context getcontext localcontext setcontext ROUND_HALF_UP ROUND_HALF_EVEN ROUND_HALF_DOWN ROUND_UP "
        "ROUND_DOWN ROUND_CEILING ROUND_FLOOR DecimalException InvalidOperation DivisionByZero"
    ),
    "enum": _only("Enum IntEnum StrEnum Flag IntFlag auto unique member nonmember"),
    "fractions": _only("Fraction"),
    "functools": _only("cache lru_cache partial reduce wraps cmp_to_key total_ordering cached_property"),
    "hashlib": _only("md5 sha1 sha256 sha512 blake2b"),
    "heapq": _only("heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest"),
    "itertools": _public(),
    "json": _only("dumps loads JSONDecodeError", each("dump load", rules.FILE_ACCESS)),
    "math": _public(),
    "numbers": _only("Number Complex Real Rational Integral"),
    # `attrgetter` and `methodcaller` are getattr by another name.
    "operator": _only(
        "itemgetter add sub mul truediv floordiv mod neg pos abs and_ or_ xor not_ eq ne lt le gt ge contains",
        each("attrgetter methodcaller", rules.BUILTIN),
    ),
    "pathlib": _only("PurePath PurePosixPath PureWindowsPath", each("Path PosixPath WindowsPath", rules.FILE_ACCESS)),
    "random": _only(
        "Random seed random uniform randint randrange choice choices sample shuffle gauss normalvariate "
        "expovariate betavariate triangular lognormvariate"
    ),
    "re": _only(
        "compile search match fullmatch sub subn split findall finditer escape error Pattern Match "
        "I IGNORECASE M MULTILINE S DOTALL X VERBOSE A ASCII U UNICODE"
    ),
    "statistics": _only(
        "mean fmean geometric_mean harmonic_mean median median_low median_high median_grouped mode multimode pstdev "
        "pvariance stdev variance quantiles correlation covariance linear_regression NormalDist StatisticsError"
    ),
    # `string.Formatter().get_field` reads any attribute.
    "string": _only(
        "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace printable capwords "
        "Template",
        each("Formatter", rules.FORMAT_NOT_CONSTANT),
    ),
    "time": _only(
        "time time_ns monotonic perf_counter process_time strftime strptime gmtime localtime struct_time sleep"
    ),
    "textwrap": _only("dedent indent fill wrap shorten TextWrapper"),
    # `get_type_hints` evaluates annotations that are text.
    "typing": _only(
        "Any Annotated Literal Union Optional List Dict Tuple Set FrozenSet Type Callable Iterable Iterator Sequence "
        "Mapping MutableMapping Generator Collection Hashable Sized NamedTuple TypedDict TypeAlias TypeVar Generic "
        "Protocol Final ClassVar Self Never NoReturn Required NotRequired cast overload assert_never final "
        "TYPE_CHECKING NewType Text",
        each("get_type_hints ForwardRef evaluate_forward_ref", rules.CODE_NOT_CONSTANT),
    ),
    "unicodedata": _only("normalize category name combining"),
    "warnings": _only("warn simplefilter filterwarnings catch_warnings"),
    "zoneinfo": _only("ZoneInfo ZoneInfoNotFoundError"),
}

_PANDAS = {
    "pandas": _public(
        each("read_pickle to_pickle read_hdf HDFStore", rules.PICKLE),
        each("read_sql read_sql_query read_sql_table read_gbq read_clipboard read_iceberg", rules.DATABASE),
        each("read_html read_xml", rules.NETWORK),
        each("ExcelWriter", rules.FILE_WRITE),
        # These hold modules, or change pandas for everyone.
        each("compat core testing util pandas annotations test show_versions arrays plotting", rules.MEMBER),
        own="array",
    ),
    # Named by people who look around, and nothing below it may be used.
    "pandas.io": _only(),
    "pandas.api": _only(),
    "pandas.api.types": _public(),
    "pandas.api.indexers": _public(),
    "pandas.api.typing": _public(),
    "pandas.errors": _public(each("abc cow ctypes", rules.MEMBER)),
    "pandas.tseries": _only(),
    "pandas.tseries.offsets": _public(),
    "pandas.tseries.frequencies": _only("to_offset infer_freq"),
    "pandas.offsets": _public(),
    "pandas.options": _only(),
    "pandas.options.mode": _only("copy_on_write chained_assignment"),
    "pandas.options.display": _public(),
}

_NUMPY = {
    "numpy": _public(
        each("load", rules.PICKLE),
        each("save savez savez_compressed savetxt", rules.FILE_WRITE),
        each("fromfile memmap fromregex loadtxt genfromtxt", rules.FILE_ACCESS),
        each("ctypeslib core f2py lib testing test rec emath show_config show_runtime get_include", rules.MEMBER),
        own="array copy select trace",
    ),
    "numpy.random": _public(each("mtrand bit_generator", rules.MEMBER)),
    "numpy.linalg": _public(each("linalg test", rules.MEMBER)),
    "numpy.fft": _public(each("helper test", rules.MEMBER)),
    "numpy.ma": _public(each("core extras test testutils", rules.MEMBER), own="copy trace"),
    "numpy.polynomial": _only("Polynomial Chebyshev Legendre Hermite HermiteE Laguerre polynomial"),
    "numpy.polynomial.polynomial": _only("polyfit polyval polyroots polyder polyint"),
    "numpy.char": _public(own="array"),
    "numpy.strings": _public(),
    "numpy.typing": _only("ArrayLike DTypeLike NDArray"),
    "numpy.exceptions": _public(),
    "numpy.dtypes": _public(),
}

_ARROW = {
    "pyarrow": _only(
        "array chunked_array table record_batch schema field scalar concat_tables concat_arrays nulls repeat "
        "Table RecordBatch Array ChunkedArray Schema Field Scalar DataType TableGroupBy "
        "null bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 decimal128 decimal256 "
        "string utf8 large_string large_utf8 binary large_binary date32 date64 time32 time64 timestamp duration "
        "list_ large_list struct map_ dictionary ArrowInvalid ArrowTypeError ArrowException",
        each("memory_map OSFile MemoryMappedFile", rules.FILE_ACCESS),
        each("output_stream create_memory_map", rules.FILE_WRITE),
        each("fs flight", rules.NETWORK),
    ),
    "pyarrow.compute": _public(each("pa docscrape inspect warnings np", rules.MEMBER)),
}

_STATISTICS = {
    "scipy": _only(),
    "scipy.stats": _public(
        each("stats mstats mstats_basic mstats_extras morestats kde mvn biasedurn distributions", rules.MEMBER),
        each("contingency qmc sampling test", rules.MEMBER),
    ),
    "scipy.stats.contingency": _only("chi2_contingency crosstab association expected_freq margins"),
    "scipy.special": _only(
        "comb perm factorial gamma gammaln beta betaln erf erfc expit logit softmax logsumexp binom ndtr ndtri"
    ),
    "scipy.optimize": _only(
        "curve_fit minimize minimize_scalar brentq root_scalar least_squares linear_sum_assignment"
    ),
    "scipy.signal": _only("savgol_filter detrend find_peaks periodogram welch medfilt"),
    "scipy.interpolate": _only("interp1d CubicSpline PchipInterpolator UnivariateSpline make_interp_spline"),
    "scipy.linalg": _only("solve lstsq inv pinv det eig eigh svd qr cholesky norm"),
    "scipy.cluster": _only(),
    "scipy.cluster.hierarchy": _only("linkage fcluster leaves_list cophenet"),
    "scipy.spatial": _only(),
    "scipy.spatial.distance": _only("pdist squareform cdist euclidean cosine"),
    # The formula interface evaluates text as Python, so the classes that take arrays are listed instead.
    "statsmodels": _only(),
    "statsmodels.api": _only(
        "OLS WLS GLS GLM Logit Probit Poisson add_constant families",
        each("formula", rules.CODE_NOT_CONSTANT),
        each("load load_pickle", rules.PICKLE),
        each("datasets webdoc", rules.NETWORK),
    ),
    "statsmodels.api.families": _only("Gaussian Binomial Poisson Gamma InverseGaussian NegativeBinomial Tweedie"),
    "statsmodels.stats": _only(),
    "statsmodels.stats.multicomp": _only("pairwise_tukeyhsd MultiComparison tukeyhsd"),
    "statsmodels.stats.multitest": _only("multipletests fdrcorrection"),
    "statsmodels.stats.oneway": _only("anova_oneway effectsize_oneway test_scale_oneway"),
    "statsmodels.stats.proportion": _only("proportion_confint proportions_ztest proportions_chisquare"),
    "statsmodels.stats.weightstats": _only("DescrStatsW CompareMeans ttest_ind ztest"),
    "statsmodels.stats.diagnostic": _only("het_breuschpagan het_white lilliefors"),
    "statsmodels.tsa": _only(),
    "statsmodels.tsa.seasonal": _only("seasonal_decompose STL"),
    "statsmodels.tsa.stattools": _only("acf pacf adfuller kpss"),
}

# A figure stays open when the code ends and is saved for it, so nothing here reads or writes a file or shows a window.
_FIGURES = {
    "matplotlib": _only("", each("use rcParams rc style get_backend", rules.MEMBER)),
    "matplotlib.pyplot": _only(
        "figure subplots subplot subplot_mosaic axes gca gcf sca clf cla close plot scatter bar barh bar_label hist "
        "hist2d hexbin boxplot violinplot pie imshow matshow contour contourf pcolormesh fill_between fill_betweenx "
        "errorbar step stem stairs stackplot eventplot axhline axvline axhspan axvspan axline hlines vlines loglog "
        "semilogx semilogy title suptitle xlabel ylabel legend grid xticks yticks xlim ylim xscale yscale tick_params "
        "tight_layout subplots_adjust colorbar clim text annotate figtext margins axis twinx twiny quiver streamplot "
        "Figure Axes Normalize Rectangle Circle Polygon",
        each("savefig imsave", rules.FIGURE_STAYS_OPEN),
        each("show ion ioff pause draw switch_backend", rules.FIGURE_STAYS_OPEN),
        each("imread", rules.FILE_ACCESS),
    ),
}

_FRAMEWORK = {
    "fastmcp": _only("FastMCP"),
    "fastmcp.FastMCP": Namespace(frozenset()),
    f"fastmcp.FastMCP{INSTANCE}": _only("tool run"),
    "pydantic": _only(
        "BaseModel ConfigDict Field ValidationError field_validator model_validator computed_field "
        "PositiveInt NonNegativeInt PositiveFloat NonNegativeFloat StrictStr StrictInt StrictFloat StrictBool"
    ),
    "helpers": _only(
        "Reading Report load_csv_data_with_types read_as detect_column_types validate_file_and_columns validate_sums "
        "vega_lite_chart allow_missing validate_columns_of_both validate_keys validate_new_columns "
        "validate_numbers validate_sums_of_both validate_texts"
    ),
}

EXTRA_PACKAGES = frozenset({"matplotlib", "scipy", "statsmodels"})
"""The packages that a tool may import where it was granted them."""
TOOL_NAMESPACES: Mapping[str, Namespace] = MappingProxyType(
    _STANDARD_LIBRARY | _PANDAS | _NUMPY | _ARROW | _STATISTICS | _FIGURES | _FRAMEWORK
)
"""Everything that a generated tool may import and use."""
