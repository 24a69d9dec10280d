"""The steps of tasks: tables of what is planned, and the compiled loop that carries them out."""
