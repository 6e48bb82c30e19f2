"""Reports on the quality of code: what they hold, and how they are written as HTML, Markdown or JSON."""
