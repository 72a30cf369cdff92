package io.fibry.spring;

import io.fibry.ContextCarrier;
import io.fibry.context.MicrometerContext;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Selects the context carrier of the system. */
final class ContextCarriers {

    private ContextCarriers() {}

    /** Returns the carriers of the properties and the beans of the application, combined; null if there are none. */
    static @Nullable ContextCarrier of(
            Set<FibryProperties.Context> properties, Stream<ContextCarrier> beans, @Nullable ClassLoader loader) {
        return Stream.concat(properties.stream().map(property -> of(property, loader)), beans)
                .reduce(ContextCarrier::and)
                .orElse(null);
    }

    private static ContextCarrier of(FibryProperties.Context property, @Nullable ClassLoader loader) {
        return switch (property) {
            case MDC -> ContextCarrier.mdc();
            case MICROMETER -> micrometer(loader);
        };
    }

    private static ContextCarrier micrometer(@Nullable ClassLoader loader) {
        if (!ClassUtils.isPresent("io.fibry.context.MicrometerContext", loader)) {
            throw new InvalidActorException(
                    "The property fibry.context has the value 'micrometer', but fibry-context is not on the class"
                            + " path.",
                    "Add the dependency io.fibry:fibry-context, or change the property.");
        }
        return Micrometer.carrier();
    }

    /** Linked only if the module is present. */
    private static final class Micrometer {
        static ContextCarrier carrier() {
            return MicrometerContext.carrier();
        }
    }
}
