"""A tool package that attacks its sandbox; run by the self-check and by the tests through the ordinary worker."""
