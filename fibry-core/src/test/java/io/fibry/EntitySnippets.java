package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code in the Javadoc of entities, compiled and run. */
@Timeout(60)
class EntitySnippets {

    private final Map<String, List<String>> database = new ConcurrentHashMap<>();

    // @start region="entities"
    /** A shopping cart: loaded when its first message comes, saved when it has been idle for a while. */
    class Cart implements EntityBehavior<String> {
        final String customer;
        final List<String> items;

        Cart(String customer) {
            this.customer = customer;
            items = new ArrayList<>(database.getOrDefault(customer, List.of()));
        }

        @Override
        public void handle(String item) {
            items.add(item);
        }

        @Override
        public void end() {
            database.put(customer, items);
        }
    }

    void shop() {
        var options =
                EntityOptions.defaults().idleTimeout(Duration.ofMinutes(5)).maxInMemory(100_000);
        try (var carts = Stereotypes.fibers().entities(Cart::new, options)) {
            carts.tell("alice", "apples");
            carts.tell("bob", "bread");
        }
    }

    // @end

    @Test
    void cartsAreSaved() {
        shop();
        shop();
        assertEquals(Map.of("alice", List.of("apples", "apples"), "bob", List.of("bread", "bread")), database);
    }
}
