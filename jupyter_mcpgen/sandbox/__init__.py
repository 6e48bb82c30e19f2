"""Runs generated code under kernel-enforced limits, and says truthfully what is enforced."""
