"""What opens packed files in the sandbox: loaded as `inside`, without the rest of jupyter_mcpgen."""
