"""References to data, snapshots, profiles, fingerprints, generated data and the demonstration tables."""
