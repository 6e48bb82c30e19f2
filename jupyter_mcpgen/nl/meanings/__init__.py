"""What a span of words may mean: the leaves that words give and the phrases that the grammar builds from them."""

from jupyter_mcpgen.nl.meanings.conditions import (
    Choice,
    ColumnWhere,
    Condition,
    Contrast,
    Denied,
    HalfComparison,
    HalfMatch,
    HalfOfTwo,
    Having,
    HavingSuch,
    InColumn,
    Lacks,
    LetterMatch,
    Letters,
    NeitherOf,
    NotedCondition,
    OnDays,
    Pending,
    Range,
    SideOfNumber,
    SpanPair,
)
from jupyter_mcpgen.nl.meanings.figures import (
    BarePeriod,
    ColumnList,
    CountedPeriods,
    CountWhere,
    Grouped,
    GroupKey,
    LabelAnd,
    Listed,
    Measured,
    MeasuredWhere,
    OfEach,
    OnAxis,
    Pair,
    RowsAnd,
    Several,
)
from jupyter_mcpgen.nl.meanings.orders import (
    Best,
    BestBy,
    Commonest,
    First,
    Ordered,
    SomeOf,
    Superlative,
    TopRow,
)
from jupyter_mcpgen.nl.meanings.things import (
    Column,
    ColumnNoun,
    Describing,
    Letter,
    NamedTable,
    Number,
    Ordinal,
    PartChoice,
    PartValue,
    Quote,
    RowNoun,
    Scale,
    Span,
    TableNoun,
    Truth,
    Value,
)
from jupyter_mcpgen.nl.meanings.words import (
    AmountOf,
    And,
    Axis,
    Between,
    ChartWord,
    Clock,
    Comparison,
    CountWord,
    Determiner,
    Direction,
    DistinctWord,
    EachOne,
    Extreme,
    Filler,
    FirstWord,
    Function,
    GroupVerb,
    GroupWord,
    HalfDay,
    Hours,
    HowMuch,
    InWord,
    Lacking,
    LetterWord,
    ListRows,
    Matching,
    MissingWord,
    MostCommon,
    NoChart,
    Nor,
    Not,
    Of,
    Or,
    OrMore,
    Over,
    Overview,
    Relation,
    RowTail,
    Season,
    SortWord,
    Then,
    TimeSide,
    To,
    Unit,
    Unsupported,
    Varies,
    Versus,
    WhereWord,
)

Meaning = (
    Column | Value | Number | Ordinal | Scale | Span | PartValue | Quote | Truth | RowNoun | TableNoun | ColumnNoun
    | Function | Comparison | OrMore | Matching | Unit | ChartWord | Unsupported | Extreme | MostCommon | Direction
    | TimeSide | GroupWord | WhereWord | And | Or | Nor | To | Of | Determiner | Then | Versus | Not | Lacking
    | CountWord | HowMuch | MissingWord | DistinctWord | Overview | Varies | NoChart | ListRows | SortWord | Between
    | FirstWord | Relation | Filler | ColumnList | PartChoice | Measured | Several | RowsAnd | LabelAnd | CountWhere
    | CountedPeriods | ColumnWhere | NotedCondition | HalfDay | Clock | Hours | Season | MeasuredWhere | NamedTable
    | GroupKey | BarePeriod | OnDays | Grouped | Listed | Pair | Condition | NeitherOf | Contrast | HalfComparison
    | HalfOfTwo | Choice | Pending | Range | SpanPair | HalfMatch | Having | HavingSuch | Lacks | Best | BestBy
    | SomeOf | First | Superlative | TopRow | Commonest | Ordered | Axis | Over | Describing | OnAxis | OfEach
    | EachOne | RowTail | GroupVerb | AmountOf | InWord | LetterWord | Letter | Letters | SideOfNumber | LetterMatch
    | InColumn
)  # fmt: skip

__all__ = [
    "AmountOf", "And", "Axis", "BarePeriod", "Best", "BestBy", "Between", "ChartWord", "Choice", "Clock", "Column",
    "ColumnList", "ColumnNoun", "ColumnWhere", "Commonest", "Comparison", "Condition", "Contrast", "CountWhere",
    "CountWord", "CountedPeriods", "Denied", "Describing", "Determiner", "Direction", "DistinctWord", "EachOne", "Extreme",
    "Filler", "First", "FirstWord", "Function", "GroupKey", "GroupVerb", "GroupWord", "Grouped", "HalfComparison",
    "HalfDay", "HalfMatch", "HalfOfTwo", "Having", "HavingSuch", "Hours", "HowMuch", "InColumn", "InWord",
    "LabelAnd", "Lacking", "Lacks", "Letter", "LetterMatch", "LetterWord", "Letters", "ListRows", "Listed",
    "Matching", "Meaning", "Measured", "MeasuredWhere", "MissingWord", "MostCommon", "NamedTable", "NeitherOf",
    "NoChart", "Nor", "Not", "NotedCondition", "Number", "Of", "OfEach", "OnAxis", "OnDays", "Or", "OrMore",
    "Ordered", "Ordinal", "Over", "Overview", "Pair", "PartChoice", "PartValue", "Pending", "Quote", "Range",
    "Relation", "RowNoun", "RowTail", "RowsAnd", "Scale", "Season", "Several", "SideOfNumber", "SomeOf", "SortWord",
    "Span", "SpanPair", "Superlative", "TableNoun", "Then", "TimeSide", "To", "TopRow", "Truth", "Unit",
    "Unsupported", "Value", "Varies", "Versus", "WhereWord",
]  # fmt: skip
