package shop;

/** There are not enough pieces. The one who has asked the stock gets it. */
class OutOfStockException extends RuntimeException {

    OutOfStockException(String item) {
        super("Not enough of " + item);
    }
}
