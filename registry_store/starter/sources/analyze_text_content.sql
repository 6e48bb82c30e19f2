WITH texts AS (SELECT row_number() OVER () AS id, lower(CAST(text AS VARCHAR)) AS t FROM notes WHERE text IS NOT NULL),
words AS (SELECT id, unnest(regexp_extract_all(t, '\p{L}+')) AS word FROM texts)
SELECT word, count(*) AS times, count(DISTINCT id) AS rows FROM words WHERE length(word) >= 3 GROUP BY word
