"""One call of a tool in a process of its own: started, fed, judged, and believed in nothing."""
