"""From a long text to fragments, each one complete unit of meaning with its exact span."""
