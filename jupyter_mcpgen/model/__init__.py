"""The nouns: frozen records that the parts hand to each other, with a lossless JSON round trip."""
