# In the style of CORL, for learning in the environment as well: not offered.
