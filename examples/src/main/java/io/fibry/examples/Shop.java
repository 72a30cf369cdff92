package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.examples.shop.Departments;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;

/**
 * A shop with four faults to find: billing is slow, labels crashes, prices occupies a processor, and some actors wait
 * for each other. The guide is docs/shop.md. The argument is the port of the live page.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Shop -Dargs="8080"}
 */
public final class Shop implements AutoCloseable {
    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().name("shop"));
    private final HttpServerActor page;
    private int orders; // confined to the customers

    private Shop(int port) {
        page = Stereotypes.def().in(system).named("page").observer(port);
    }

    public static void main(String[] args) {
        Shop shop = open(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Open http://localhost:" + shop.port() + "/ in a browser. Press Ctrl-C to stop.");
    }

    /** Opens a shop with a page on this port, and with ten orders per second. */
    public static Shop open(int port) {
        var shop = new Shop(port);
        Actor<Integer> desk = Departments.open(shop.system);
        Stereotypes.def()
                .in(shop.system)
                .named("customers")
                .schedule(() -> desk.tell(++shop.orders), Duration.ofMillis(100));
        return shop;
    }

    /** Returns the actor system. */
    public ActorSystem system() {
        return system;
    }

    /** Returns the port of the page. */
    public int port() {
        return page.port();
    }

    /** Closes the shop without handling waiting orders. */
    @Override
    public void close() {
        system.close(Duration.ZERO);
    }
}
