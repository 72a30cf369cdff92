package io.fibry.spring;

import io.fibry.ContextCarrier;
import io.fibry.context.MicrometerContext;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Selects the context carrier of the system. */
final class ContextCarriers {

    private ContextCarriers() {}

    /** Returns the carriers of the properties and the beans of the application, combined; null if there are none. */
    static @Nullable ContextCarrier of(
            FibryProperties properties, Stream<ContextCarrier> beans, @Nullable ClassLoader loader) {
        if (properties.observations().enabled()) {
            requireModule("fibry.observations.enabled", "true", loader);
        }
        return Stream.concat(
                        properties.context().stream()
                                .filter(context -> !isObserved(context, properties))
                                .map(context -> of(context, loader)),
                        beans)
                .reduce(ContextCarrier::and)
                .orElse(null);
    }

    /** Whether the carrier that observes messages propagates this context, too. */
    private static boolean isObserved(FibryProperties.Context context, FibryProperties properties) {
        return context == FibryProperties.Context.MICROMETER
                && properties.observations().enabled();
    }

    private static ContextCarrier of(FibryProperties.Context property, @Nullable ClassLoader loader) {
        return switch (property) {
            case MDC -> ContextCarrier.mdc();
            case MICROMETER -> micrometer(loader);
        };
    }

    private static ContextCarrier micrometer(@Nullable ClassLoader loader) {
        requireModule("fibry.context", "micrometer", loader);
        return Micrometer.carrier();
    }

    private static void requireModule(String property, String value, @Nullable ClassLoader loader) {
        if (!ClassUtils.isPresent("io.fibry.context.MicrometerContext", loader)) {
            throw new InvalidActorException(
                    "The property " + property + " has the value '" + value
                            + "', but fibry-context is not on the class path.",
                    "Add the dependency io.fibry:fibry-context, or change the property.");
        }
    }

    /** Linked only if the module is present. */
    private static final class Micrometer {
        static ContextCarrier carrier() {
            return MicrometerContext.carrier();
        }
    }
}
