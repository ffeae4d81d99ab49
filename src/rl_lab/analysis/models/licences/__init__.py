"""The licences a packaged model can have: one text file each."""
