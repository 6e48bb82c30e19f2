"""Random tables and random valid plans over them, for laws that hold for every plan."""
