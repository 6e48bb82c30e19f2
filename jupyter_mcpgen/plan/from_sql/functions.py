"""The functions that a SELECT may call: they see their arguments and nothing else, and give the same every time.

Whatever is not listed is refused: a function that reads files, settings, the clock or the network is none of them, and
neither is one that is not known yet.
"""

from __future__ import annotations

from sqlglot import exp

TYPED: frozenset[type[exp.Expr]] = frozenset(
    {
        *(exp.And, exp.Or, exp.Xor, exp.Case, exp.If, exp.Cast, exp.TryCast, exp.Coalesce, exp.Nullif, exp.Exists),
        *(exp.Abs, exp.Sign, exp.Ceil, exp.Floor, exp.Round, exp.Trunc, exp.Sqrt, exp.Pow, exp.Exp, exp.Ln, exp.Log),
        *(exp.Greatest, exp.Least, exp.Mod, exp.Array),
        *(exp.Lower, exp.Upper, exp.Length, exp.Trim, exp.Substring, exp.Left, exp.Right, exp.Replace, exp.Concat),
        *(
            exp.ConcatWs,
            exp.Contains,
            exp.StartsWith,
            exp.EndsWith,
            exp.RegexpLike,
            exp.RegexpExtract,
            exp.RegexpReplace,
        ),
        *(exp.SplitPart, exp.Initcap, exp.StrPosition, exp.Reverse, exp.Pad),
        *(exp.Year, exp.Quarter, exp.Month, exp.Week, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.DayOfWeek),
        *(exp.DayOfWeekIso, exp.DayOfYear, exp.Hour, exp.Minute, exp.Second, exp.Extract, exp.TimestampTrunc),
        *(exp.DateTrunc, exp.DateDiff, exp.DateFromParts, exp.LastDay, exp.Dayname, exp.Monthname, exp.TimeToStr),
        *(exp.StrToTime, exp.TimeToUnix, exp.DateAdd, exp.DateSub, exp.ToDays),
        *(exp.Count, exp.CountIf, exp.Sum, exp.Avg, exp.Median, exp.Min, exp.Max, exp.Stddev, exp.StddevSamp),
        *(exp.StddevPop, exp.Variance, exp.VariancePop, exp.Quantile, exp.PercentileCont, exp.PercentileDisc, exp.Mode),
        *(exp.ArgMin, exp.ArgMax, exp.AnyValue, exp.First, exp.Last, exp.Corr, exp.CovarSamp, exp.CovarPop),
        *(exp.LogicalAnd, exp.LogicalOr, exp.GroupConcat, exp.Skewness, exp.Kurtosis, exp.Grouping),
        *(exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile, exp.Lag, exp.Lead),
        *(exp.FirstValue, exp.LastValue, exp.NthValue, exp.WidthBucket),
        *(exp.RegrSlope, exp.RegrIntercept, exp.RegrR2, exp.RegrCount, exp.RegrAvgx, exp.RegrAvgy),
    }
)
NAMED = frozenset(
    {
        *("favg", "fsum", "isfinite", "isnan", "date_part", "datepart", "date_sub", "weekday", "isoyear", "yearweek"),
        *("suffix", "prefix", "list_position", "printf", "even", "instr", "strlen", "ltrim", "rtrim", "nfc_normalize"),
        *("skewness", "kurtosis", "kurtosis_pop", "mad", "product", "entropy", "epoch_ms", "try_strptime", "age"),
        *(
            "datediff",
            "date_diff",
            "bit_length",
            "levenshtein",
            "regr_slope",
            "regr_intercept",
            "regr_r2",
            "regr_count",
        ),
    }
)
ARGUMENTS = {
    **dict.fromkeys(("date_part", "datepart", "suffix", "prefix", "list_position"), 2),
    **dict.fromkeys(("favg", "isfinite"), 1),
}
"""How many arguments functions have that are read by their name."""
