// Filled by its part.
