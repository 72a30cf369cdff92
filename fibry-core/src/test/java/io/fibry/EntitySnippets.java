package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.entity.Entities;
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

/** The code of the Javadoc of entities, compiled and run. */
@Timeout(60)
class EntitySnippets {

    private final Map<String, List<String>> database = new ConcurrentHashMap<>();

    // @start region="entities"
    /** A shopping cart: loaded at its first message, saved after an idle period. */
    class Cart implements EntityBehavior<String, Integer> {
        final String customer;
        final List<String> items;

        Cart(String customer) {
            this.customer = customer;
            items = new ArrayList<>(database.getOrDefault(customer, List.of()));
        }

        @Override
        public Integer handle(String item) {
            items.add(item);
            return items.size(); // the reply, if the message was an ask
        }

        @Override
        public void onEnd() {
            database.put(customer, items);
        }
    }

    void shop() {
        var options =
                EntityOptions.defaults().idleTimeout(Duration.ofMinutes(5)).maxInMemory(100_000);
        try (var carts = Stereotypes.fibers().entities(Cart::new, options)) {
            carts.ref("alice").tell("apples");
            carts.ref("bob").tell("bread");
        }
    }

    // @end

    // @start region="ref"
    int buy(Entities<String, String, Integer> carts, String customer, List<String> items) {
        ActorRef<String, Integer> cart = carts.ref(customer); // wherever the cart is
        for (String item : items.subList(1, items.size())) {
            cart.tell(item);
        }
        return cart.ask(items.getFirst(), Duration.ofSeconds(5)).join(); // the return value of handle
    }

    // @end

    @Test
    void aReferenceSendsAndAsks() {
        try (var carts = Stereotypes.fibers().entities(Cart::new)) {
            assertEquals(2, buy(carts, "carol", List.of("tea", "milk")));
        }
    }

    @Test
    void cartsAreSaved() {
        shop();
        shop();
        assertEquals(Map.of("alice", List.of("apples", "apples"), "bob", List.of("bread", "bread")), database);
    }
}
