"""The keys of the profile: their tree, what can be done with one, and the text beside it."""
