package io.fibry.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.ReplyActor;
import io.fibry.SystemOptions;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/**
 * Many concurrent requests, each through two actors, keep their own trace and MDC. Seen to fail: with only one of the
 * two carriers.
 */
@Timeout(60)
class ManyRequestsTest {

    private static final int REQUESTS = 1_000;

    private final Tracer tracer = SdkTracerProvider.builder().build().get("test");
    private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder()
            .contextRegistry(new ContextRegistry().registerThreadLocalAccessor(new CurrentTrace()))
            .clearMissing(true)
            .build();

    private static String seen() {
        return Span.current().getSpanContext().getTraceId() + " " + MDC.get("request");
    }

    /** The context of a request in its actors, and the expected context. */
    private record Outcome(List<String> seen, String expected) {
        boolean isRight() {
            return seen.stream().allMatch(expected::equals);
        }
    }

    private Outcome request(ReplyActor<Integer, List<String>> orders, int number) throws Exception {
        MDC.put("request", "r" + number);
        Span span = tracer.spanBuilder("request").startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertEquals(false, scope == null);
            return new Outcome(orders.call(number), span.getSpanContext().getTraceId() + " r" + number);
        } finally {
            span.end();
            MDC.clear();
        }
    }

    @Test
    void eachRequestHasItsOwnTraceAndMdc() throws Exception {
        eachRequestHasItsOwnTraceAndMdc(MicrometerContext.carrier(snapshots));
    }

    /** The carrier of the guide. */
    @Test
    @SuppressWarnings("MustBeClosedChecker") // the caller of the carrier closes the result
    void openTelemetryAloneNeedsNoModule() throws Exception {
        eachRequestHasItsOwnTraceAndMdc(() -> {
            Context sender = Context.current();
            return () -> sender.makeCurrent()::close;
        });
    }

    private void eachRequestHasItsOwnTraceAndMdc(ContextCarrier traces) throws Exception {
        var options = SystemOptions.defaults().context(traces.and(ContextCarrier.mdc()));
        try (var system = ActorSystem.create(options);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var stock = system.actor("stock").newActorWithReturn((Integer n) -> seen());
            ReplyActor<Integer, List<String>> orders = system.actor("orders")
                    .newActorWithReturn(n -> List.of(
                            seen(),
                            stock.call(n), // on the stack of this actor, if possible
                            stock.call(n, Duration.ofSeconds(30)), // on another thread
                            seen()));
            List<Callable<Outcome>> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                int number = i;
                requests.add(() -> request(orders, number));
            }
            var outcomes =
                    clients.invokeAll(requests).stream().map(Future::resultNow).toList();
            assertEquals(
                    List.of(),
                    outcomes.stream().filter(outcome -> !outcome.isRight()).toList());
            assertEquals(
                    REQUESTS,
                    outcomes.stream().map(Outcome::expected).distinct().count());
        }
    }
}
