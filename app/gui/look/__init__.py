"""How the window looks: colours, style, icons. Knows no session."""
