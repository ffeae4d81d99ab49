"""From an opened file to a dataset: spaces, checksum, forecast of the disk, writing. Imports `formats`."""
