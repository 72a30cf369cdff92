package shop;

/** Thrown to the asker if there are not enough pieces in stock. */
class OutOfStockException extends RuntimeException {

    OutOfStockException(String item) {
        super("Not enough of " + item);
    }
}
