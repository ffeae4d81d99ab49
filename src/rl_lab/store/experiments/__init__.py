"""The rows of studies: their variants, labels and outcomes, and the saved views of the table of runs."""
