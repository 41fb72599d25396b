"""The records that cross an edge of the product, by what they speak of."""
