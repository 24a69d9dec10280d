"""From a name or a path to a checked model: parts are found and put in place, settings laid over, refusals worded."""
