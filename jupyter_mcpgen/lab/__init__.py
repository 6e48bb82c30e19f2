"""The JupyterLab face: the card as a MIME bundle, and the channel that carries a person's answers."""
