WITH texts AS (SELECT row_number() OVER () AS id, CAST(text AS VARCHAR) AS t FROM notes WHERE text IS NOT NULL),
found AS (
  SELECT id, 'email' AS kind,
    unnest(regexp_extract_all(t, '[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+')) AS value FROM texts
  UNION ALL SELECT id, 'url', unnest(regexp_extract_all(t, 'https?://[A-Za-z0-9./?=_&%#-]*[A-Za-z0-9/]')) FROM texts
  UNION ALL SELECT id, 'date',
    unnest(regexp_extract_all(t, '\b[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\b')) FROM texts
  UNION ALL SELECT id, 'amount', unnest(regexp_extract_all(t,
    '(?:[$€£] ?[0-9][0-9,]*(?:\.[0-9]+)?|\b[0-9][0-9,]*(?:\.[0-9]+)? (?:USD|EUR|GBP)\b)')) FROM texts
)
SELECT kind, value, count(DISTINCT id) AS rows FROM found GROUP BY kind, value
