"""Figure → spec: which panels, marks, values, scales and overlays a Matplotlib figure holds."""
