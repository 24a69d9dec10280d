"""The main window around its pages: menus, docks, palette, files, projects, help."""
