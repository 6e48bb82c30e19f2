"""Code that failed: why it did, a fix, and the proof that the fix ends the failure and changes nothing else."""
