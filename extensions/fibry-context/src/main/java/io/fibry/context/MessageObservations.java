package io.fibry.context;

import io.fibry.ContextCarrier;
import io.micrometer.observation.NullObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Observes each handled message with Micrometer's Observation: with Micrometer Tracing, each message is a span. Also
 * propagates the contexts of {@link MicrometerContext#carrier()}. Requires {@code micrometer-observation}.
 *
 * <pre>{@code
 * var options = SystemOptions.defaults().context(MessageObservations.of(registry).sampled(0.01));
 * }</pre>
 *
 * <p>The parent of an observation is the current observation of the sender. Messages that a handler sends are therefore
 * children of its own message. The observation begins before the handler and ends after it, also if the reply is
 * deferred. That of a suspending function of Kotlin ends when the function has returned. An exception of the handler
 * becomes its error. A stashed message is observed each time it is handled. A message that an actor takes with
 * {@code receive} belongs to the observation of the message that is being handled. Dead letters are not observed.
 *
 * <p>An observation has its parent until it has ended. Afterwards it loses its parent when later messages of the chain
 * are observed. A chain of messages that never ends therefore needs little memory. Spans are not affected.
 *
 * <p>An observation is named {@code fibry.message}; {@link MessageObservationConvention} describes its tags and changes
 * them.
 *
 * <p>To combine it with {@link ContextCarrier#mdc()}, write {@code ContextCarrier.mdc().and(observations)}. In the
 * other order, the log has the identifiers of the sender's span instead of the handler's.
 *
 * <p>All methods are safe for use by any thread. Methods that change an option return a new object.
 */
public final class MessageObservations implements ContextCarrier {

    private static final MessageObservationConvention DEFAULT = new MessageObservationConvention() {};

    private final ObservationRegistry registry;
    private final @Nullable MessageObservationConvention convention;
    private final double probability;
    private final DoubleSupplier random;
    private final ContextCarrier contexts = MicrometerContext.carrier();
    private final Skipping skipping = new Skipping();

    private MessageObservations(
            ObservationRegistry registry,
            @Nullable MessageObservationConvention convention,
            double probability,
            DoubleSupplier random) {
        this.registry = registry;
        this.convention = convention;
        this.probability = probability;
        this.random = random;
    }

    /** Returns a carrier that observes all messages. */
    public static MessageObservations of(ObservationRegistry registry) {
        return of(registry, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** As above, with the random numbers for {@link #sampled}, from 0 inclusive to 1 exclusive. */
    static MessageObservations of(ObservationRegistry registry, DoubleSupplier random) {
        return new MessageObservations(Objects.requireNonNull(registry, "registry"), null, 1, random);
    }

    /** Sets the convention. It takes precedence over a global convention of the registry. */
    public MessageObservations convention(MessageObservationConvention convention) {
        return new MessageObservations(registry, Objects.requireNonNull(convention, "convention"), probability, random);
    }

    /**
     * Observes only some of the messages whose sender has no observation: 0.01 for one of a hundred, on average. If
     * such a message is not observed, the messages that result from it are not observed either. A message whose sender
     * has an observation is always observed; whether its trace is recorded is the decision of the tracer.
     *
     * @param probability from 0 for none to 1, the default, for all
     * @throws IllegalArgumentException if the probability is not in this range
     */
    public MessageObservations sampled(double probability) {
        if (!(probability >= 0 && probability <= 1)) { // false for NaN
            throw new IllegalArgumentException("the probability must be from 0 to 1, not " + probability);
        }
        return new MessageObservations(registry, convention, probability, random);
    }

    @Override
    public Captured capture() {
        Observation current = registry.getCurrentObservation();
        Observation parent = current instanceof NullObservation ? null : current; // it marks a cleared context
        boolean skipped = parent == null && probability < 1 && (skipping.isOn() || random.getAsDouble() >= probability);
        return new Sent(contexts.capture(), parent, skipped);
    }

    /** The context of a sender. */
    private final class Sent implements Captured {
        private final Captured context;
        private final @Nullable Observation parent;
        private final boolean skipped;

        Sent(Captured context, @Nullable Observation parent, boolean skipped) {
            this.context = context;
            this.parent = parent;
            this.skipped = skipped;
        }

        @Override
        public Attached attach() {
            return ObservedMessage.inside(context, () -> skipping.set(skipped));
        }

        @Override
        public Attached attach(@Nullable String actor, Object message) {
            return skipped ? attach() : ObservedMessage.inside(this, () -> observe(actor, message));
        }

        /** Without the shortening, a chain of messages that never ends would keep all its observations in memory. */
        private Attached observe(@Nullable String actor, Object message) {
            if (parent != null) {
                MessageObservationContext.shorten(parent.getContextView().getParentObservation());
            }
            return ObservedMessage.start(Observation.createNotStarted(
                            convention, DEFAULT, () -> new MessageObservationContext(actor, message), registry)
                    .parentObservation(parent));
        }
    }
}
