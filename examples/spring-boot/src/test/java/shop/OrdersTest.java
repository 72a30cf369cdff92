package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The whole service, on a free port. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "shop.carrier-time=0ms")
@AutoConfigureRestTestClient
class OrdersTest {

    @Autowired
    RestTestClient client;

    @Autowired
    @Qualifier("shipping")
    Shipping carrier;

    @Autowired
    Actor<Order> shipping;

    @Test
    void takesAndShipsAnOrder() {
        int before = shippedByNow();
        client.post()
                .uri("/orders")
                .body(new Order("pen", 3))
                .exchange()
                .expectStatus()
                .isCreated();
        assertEquals(before + 1, shippedByNow());
    }

    /** Runs inside the actor, after all earlier messages. */
    private int shippedByNow() {
        return CompletableFuture.supplyAsync(carrier::shipped, shipping).join();
    }

    @Test
    void anItemOutOfStockIsRefused() {
        client.post()
                .uri("/orders")
                .body(new Order("ink", 2))
                .exchange()
                .expectStatus()
                .isCreated()
                .expectBody()
                .jsonPath("$.left")
                .isEqualTo(3);
        client.post()
                .uri("/orders")
                .body(new Order("ink", 4))
                .exchange()
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("Not enough of ink");
    }

    @Test
    void showsItsHealthAndItsMeters(@Autowired ActorSystem system) {
        assertEquals("orders", system.name());
        client.get()
                .uri("/actuator/health")
                .exchange()
                .expectBody()
                .jsonPath("$.components.fibry.status")
                .isEqualTo("UP");
        client.get()
                .uri("/actuator/metrics/fibry.actor.handled?tag=actor:stock")
                .exchange()
                .expectStatus()
                .isOk();
    }
}
