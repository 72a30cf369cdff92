package io.fibry.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.SystemOptions;
import io.fibry.ThrowingFunction;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshotFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans of several actors are one trace. Seen to fail: in a system without the carrier. */
@Timeout(60)
class OneTraceTest {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();
    private final Tracer tracer = provider.get("test");
    private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder()
            .contextRegistry(new ContextRegistry().registerThreadLocalAccessor(new CurrentTrace()))
            .clearMissing(true)
            .build();
    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().context(MicrometerContext.carrier(snapshots)));

    @AfterEach
    void close() {
        system.close();
        provider.close();
    }

    private <T> T inSpan(String name, ThrowingFunction<Span, T> code) throws Exception {
        Span span = tracer.spanBuilder(name).startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertFalse(scope == null);
            return code.apply(span);
        } finally {
            span.end();
        }
    }

    private SpanData span(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name));
    }

    private void assertParent(String parent, String child) {
        assertEquals(span(parent).getTraceId(), span(child).getTraceId(), child);
        assertEquals(span(parent).getSpanId(), span(child).getParentSpanId(), child);
    }

    @Test
    void tellsAsksStagesTimersAndPipesAreInTheTraceOfTheirSender() throws Exception {
        var ended = new CompletableFuture<String>();
        Actor<String> mailer = system.actor("mailer")
                .newActorFrom(context -> message -> inSpan(message, span -> {
                    if (message.equals("mail")) {
                        context.after(Duration.ofMillis(1), "reminder");
                    } else if (message.equals("reminder")) {
                        context.pipeToSelf(CompletableFuture.completedStage("archive"), (value, failure) -> value);
                    } else {
                        ended.complete(message);
                    }
                    return span;
                }));
        ReplyActor<Integer, Integer> billing =
                system.actor("billing").newActorWithReturn((Integer n) -> inSpan("billing", span -> n * 100));
        var orders = system.actor("orders")
                .newActorWithReturn((Integer n) -> inSpan("orders", span -> {
                    mailer.tell("mail");
                    return billing.call(n);
                }));
        int sum = inSpan(
                "request",
                span -> orders.ask(3)
                        .thenApply(price -> {
                            Span stage = tracer.spanBuilder("stage").startSpan();
                            stage.end();
                            return price;
                        })
                        .get());
        assertEquals(300, sum);
        assertEquals("archive", ended.get());
        system.close();
        assertEquals(SpanId.getInvalid(), span("request").getParentSpanId());
        assertParent("request", "orders");
        assertParent("orders", "billing");
        assertParent("orders", "mail");
        assertParent("request", "stage");
        assertParent("mail", "reminder");
        assertParent("reminder", "archive");
    }

    @Test
    void theNextRequestIsAnotherTrace() throws Exception {
        var actor = system.actor().newActorWithReturn((String name) -> inSpan(name, Span::getSpanContext));
        var first = inSpan("request", span -> actor.call("first"));
        var outside = actor.call("outside");
        assertEquals(span("request").getTraceId(), first.getTraceId());
        assertNotEquals(first.getTraceId(), outside.getTraceId());
        system.close();
        assertEquals(SpanId.getInvalid(), span("outside").getParentSpanId());
    }
}
