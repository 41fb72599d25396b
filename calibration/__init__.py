"""When a result may be used: features, thresholds, metrics."""
