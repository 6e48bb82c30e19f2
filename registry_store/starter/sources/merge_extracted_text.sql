WITH pieces AS (
  SELECT document, trim(CAST(text AS VARCHAR), E' \t\r\n') AS piece, min(page) AS place FROM notes
  WHERE document IS NOT NULL AND page IS NOT NULL AND text IS NOT NULL
  GROUP BY document, piece
)
SELECT document, count(*) AS pieces, string_agg(piece, E'\n' ORDER BY place, piece) AS text
FROM pieces WHERE piece <> '' GROUP BY document
