"""Reports of systems: files of them, the strict reader, attempts, and what became of every request."""
