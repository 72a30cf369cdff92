package shop;

/** What a customer wants. */
record Order(String item, int pieces) {}
