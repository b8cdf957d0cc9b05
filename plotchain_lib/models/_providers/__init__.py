"""What the providers over HTTP share: settings, bodies, replies, failures. No kind of model."""
