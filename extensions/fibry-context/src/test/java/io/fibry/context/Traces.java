package io.fibry.context;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;

/** A registry whose observations are spans of OpenTelemetry, by the bridge of Micrometer Tracing. */
final class Traces implements AutoCloseable {

    final ObservationRegistry registry = ObservationRegistry.create();

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();

    Traces() {
        var tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
        registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    }

    /** Runs code in an observation. */
    void in(String name, Observation.CheckedRunnable<Exception> code) throws Exception {
        Observation.createNotStarted(name, registry).observeChecked(code);
    }

    /** The ended spans with this name. */
    List<SpanData> spans(String name) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    /** The only span with this name. */
    SpanData span(String name) {
        List<SpanData> spans = spans(name);
        assertEquals(
                1,
                spans.size(),
                () -> name + " in "
                        + exporter.getFinishedSpanItems().stream()
                                .map(SpanData::getName)
                                .toList());
        return spans.getFirst();
    }

    void assertParent(String parent, String child) {
        assertEquals(span(parent).getTraceId(), span(child).getTraceId(), child);
        assertEquals(span(parent).getSpanId(), span(child).getParentSpanId(), child);
    }

    void assertRoot(String name) {
        assertEquals(SpanId.getInvalid(), span(name).getParentSpanId(), name);
    }

    @Override
    public void close() {
        provider.close();
    }
}
