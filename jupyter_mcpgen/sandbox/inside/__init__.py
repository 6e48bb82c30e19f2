"""What runs beside hostile code: the walls, and the processes that hold, count and end it; standard library only."""
