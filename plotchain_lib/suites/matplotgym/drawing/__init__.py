"""Drawing marks and overlays from a spec."""
