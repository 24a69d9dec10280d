"""The session and what it holds: profile, runs, what pages are asked, project. Shows nothing."""
