"""Of all files of this version together. The station writes it with the files; copied by hand nobody knows."""
HASH = "unknown"
