"""The report of a plan that is signed: one page for who decides, what it rests on, and how anybody makes it again."""
