package shop;

/** An order of a customer. */
record Order(String item, int pieces) {}
