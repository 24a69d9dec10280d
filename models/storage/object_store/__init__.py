"""An object store whose targets answer clients directly."""
