"""Things that have several rows: what is counted, added up or averaged once of each."""
