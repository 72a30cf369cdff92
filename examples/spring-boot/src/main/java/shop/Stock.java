package shop;

import io.fibry.spring.FibryActor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** The stock, as the state of an actor: one message at a time changes it. Other beans inject it as a ReplyActor. */
@Component
@FibryActor
class Stock implements Function<Stock.Change, Integer> {

    /** Removes pieces, or returns them if the number is positive. Replies with the remaining number. */
    record Change(String item, int pieces) {}

    private final Map<String, Integer> pieces = new HashMap<>(Map.of("pen", 10_000, "ink", 5));

    @Override
    public Integer apply(Change change) {
        int left = pieces.getOrDefault(change.item(), 0) + change.pieces();
        if (left < 0) {
            throw new OutOfStockException(change.item());
        }
        pieces.put(change.item(), left);
        return left;
    }
}
