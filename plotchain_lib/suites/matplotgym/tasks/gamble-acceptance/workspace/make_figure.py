# Draw the figure here with Matplotlib; data files are in data/.
