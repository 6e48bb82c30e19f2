"""The face of JupyterLab's side panel: it runs beside the Jupyter server, and no kernel is needed."""
