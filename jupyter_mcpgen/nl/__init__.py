"""Words to plans, offline: a chart parser over typed spans, with a lexicon per language."""
