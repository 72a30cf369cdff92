package io.fibry.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.SystemOptions;
import io.micrometer.common.KeyValues;
import io.micrometer.context.ContextRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names, tags, conventions and sampling of observations. Seen to fail: with another convention. */
@Timeout(60)
class MessageObservationsTest {

    record Order(int number) {}

    record Invoice(int number) {}

    private final TestObservationRegistry registry = TestObservationRegistry.create();

    private static ActorSystem system(ContextCarrier carrier) {
        return ActorSystem.create(SystemOptions.defaults().context(carrier));
    }

    /** Records the contextual names of ended observations. */
    private List<String> ended() {
        List<String> names = Collections.synchronizedList(new ArrayList<>());
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                names.add(context.getContextualName());
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        return names;
    }

    @Test
    void aNamedActor() {
        try (var system = system(MessageObservations.of(registry))) {
            system.actor("orders").newActor((Order order) -> {}).tell(new Order(1));
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasNameEqualTo("fibry.message")
                .hasContextualNameEqualTo("orders Order")
                .hasOnlyKeys("actor", "message")
                .hasLowCardinalityKeyValue("actor", "orders")
                .hasLowCardinalityKeyValue("message", "Order")
                .hasBeenStarted()
                .hasBeenStopped()
                .doesNotHaveError();
    }

    @Test
    void anActorWithoutANameHasNoIdentifierInItsTags() {
        try (var system = system(MessageObservations.of(registry))) {
            system.actor().label("session-7").newActor((Order order) -> {}).tell(new Order(1));
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasContextualNameEqualTo("Order")
                .hasLowCardinalityKeyValue("actor", "none");
    }

    @Test
    void aFailureIsTheError() {
        var failure = new IllegalStateException("meant to fail");
        try (var system = system(MessageObservations.of(registry))) {
            system.actor("fails")
                    .newActor((Order order) -> {
                        throw failure;
                    })
                    .tell(new Order(1));
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasError(failure)
                .hasBeenStopped();
    }

    /** The stage runs on the thread of the actor, between the begin and the end of its observation. */
    @Test
    void aHandlerHasTheContextsOfItsSenderAndAStageThoseOfItsAsker() throws Exception {
        var tenant = new ThreadLocal<String>();
        var gate = new CompletableFuture<Void>();
        var stage = new AtomicReference<Observation>();
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", tenant);
        try (var system = system(MessageObservations.of(registry))) {
            var actor = system.actor("orders").newActorWithReturn((Order order) -> {
                gate.join();
                return tenant.get();
            });
            tenant.set("acme");
            Observation request = Observation.start("request", registry);
            try (var scope = request.openScope()) {
                assertSame(request, scope.getCurrentObservation());
                var reply = actor.ask(new Order(1));
                var done = reply.thenAccept(value -> stage.set(registry.getCurrentObservation()));
                gate.complete(null);
                assertEquals("acme", reply.get());
                done.get();
            }
            request.stop();
            assertSame(request, stage.get());
        } finally {
            ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasObservationWithNameEqualTo("fibry.message")
                .that()
                .hasParentObservationContextMatching(parent -> "request".equals(parent.getName()));
    }

    /** As the kernel attaches it for the parts of a suspended handler. Seen to fail: if the suspension stops it. */
    @Test
    void theObservationOfASuspendedHandlerGoesOn() {
        List<String> ended = ended();
        ContextCarrier.Attached first = ContextCarrier.mdc()
                .and(MessageObservations.of(registry))
                .capture()
                .attach("orders", new Order(1));
        Observation observation = registry.getCurrentObservation();
        ContextCarrier.Captured rest = first.suspend();
        assertNull(registry.getCurrentObservation());
        assertEquals(List.of(), ended);
        ContextCarrier.Captured last = rest.attach().suspend();
        assertNull(registry.getCurrentObservation());
        ContextCarrier.Attached end = last.attach();
        assertSame(observation, registry.getCurrentObservation());
        end.failed(new IllegalStateException("meant to fail"));
        end.close();
        assertNull(registry.getCurrentObservation());
        assertEquals(List.of("orders Order"), ended);
    }

    @Test
    void typesWithoutASimpleName() {
        Runnable lambda = () -> {};
        assertEquals("lambda", MessageObservationConvention.typeOf(lambda));
        assertEquals("MessageObservationsTest$2", MessageObservationConvention.typeOf(new Object() {}));
        assertEquals("Order", MessageObservationConvention.typeOf(new Order(1)));
    }

    @Test
    void aConventionReplacesNameAndTags() {
        var convention = new MessageObservationConvention() {
            @Override
            public String getName() {
                return "shop.message";
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(MessageObservationContext context) {
                return KeyValues.of("first", context.message() instanceof Order order ? "" + order.number : "");
            }
        };
        try (var system = system(MessageObservations.of(registry).convention(convention))) {
            system.actor("orders").newActor((Order order) -> {}).tell(new Order(7));
        }
        TestObservationRegistryAssert.assertThat(registry)
                .hasSingleObservationThat()
                .hasNameEqualTo("shop.message")
                .hasOnlyKeys("first")
                .hasLowCardinalityKeyValue("first", "7");
    }

    @Test
    void aConventionThatThrowsAffectsNoMessage() throws Exception {
        var convention = new MessageObservationConvention() {
            @Override
            public String getContextualName(MessageObservationContext context) {
                throw new IllegalStateException("meant to fail");
            }
        };
        try (var system = system(MessageObservations.of(registry).convention(convention))) {
            var actor = system.actor("orders").newActorWithReturn((Order order) -> order.number);
            for (int i = 0; i < 100; i++) {
                assertEquals(i, actor.call(new Order(i)));
            }
        }
    }

    @Test
    void aTraceIsSampledAsAWhole() {
        List<String> ended = ended();
        PrimitiveIterator.OfDouble random = DoubleStream.of(0.5, 0.49, 0.99, 0).iterator();
        var carrier = MessageObservations.of(registry, random::nextDouble).sampled(0.5);
        try (var system = system(ContextCarrier.mdc().and(carrier))) {
            Actor<Invoice> billing = system.actor("billing").newActor(invoice -> {});
            Actor<Order> orders = system.actor("orders").newActor(order -> billing.tell(new Invoice(order.number)));
            for (int i = 0; i < 4; i++) {
                orders.tell(new Order(i));
            }
        }
        assertEquals(List.of("billing Invoice", "billing Invoice", "orders Order", "orders Order"), sorted(ended));
        assertTrue(!random.hasNext(), "one decision for each trace");
    }

    private static List<String> sorted(List<String> names) {
        return names.stream().sorted().toList();
    }

    @Test
    void aMessageInATraceIsAlwaysObserved() {
        List<String> ended = ended();
        try (var system = system(MessageObservations.of(registry).sampled(0))) {
            Actor<Order> orders = system.actor("orders").newActor(order -> {});
            orders.tell(new Order(1));
            Observation.createNotStarted("request", registry).observe(() -> orders.tell(new Order(2)));
        }
        assertEquals(
                List.of("null", "orders Order"),
                ended.stream().map(String::valueOf).sorted().toList());
    }

    @Test
    void invalidProbabilitiesAreRefused() {
        var all = MessageObservations.of(registry);
        for (double invalid : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThrows(IllegalArgumentException.class, () -> all.sampled(invalid));
        }
    }
}
