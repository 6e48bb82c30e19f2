"""Language models behind any OpenAI-compatible address: prompts go in, checked replies come out.

It knows nothing of tables, plans or what a prompt says. `connect.connect` builds all of it.
"""
