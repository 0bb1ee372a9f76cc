"""One variant's exact answers beside one system's reports, the controller that acts on them, its losses."""
