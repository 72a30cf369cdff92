package io.fibry.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.SystemOptions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An observation refers to its ancestors as long as they are needed, and no longer. */
@Timeout(60)
class ObservationAncestorsTest {

    private static final int CHAIN = 1_000;

    private final ObservationRegistry registry = ObservationRegistry.create();

    @AutoClose
    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().context(MessageObservations.of(registry)));

    /** Each observation and its parent, when it ends. */
    private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

    ObservationAncestorsTest() {
        registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                ObservationView parent = context.getParentObservation();
                ended.add(name(context) + " of " + (parent == null ? "none" : name(parent.getContextView())));
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
    }

    /** The name of the actor, or the name that the program has set. */
    private static String name(Observation.ContextView context) {
        return String.valueOf(
                context instanceof MessageObservationContext message ? message.actor() : context.getContextualName());
    }

    private Observation.Context current() {
        Observation current = registry.getCurrentObservation();
        assertTrue(current != null);
        return current.getContext();
    }

    private static List<String> ancestors(Observation.ContextView context) {
        List<String> names = new ArrayList<>();
        ObservationView parent = context.getParentObservation();
        while (parent != null) {
            names.add(name(parent.getContextView()));
            parent = parent.getContextView().getParentObservation();
        }
        return names;
    }

    /** One actor handles all messages, so that each observation has ended when the next one begins. */
    private List<String> ancestorsAfterAChain(boolean withOwnObservation) {
        var result = new CompletableFuture<List<String>>();
        Actor<Integer> chain = system.actor("chain").newActorFrom((ActorContext<Integer> context) -> number -> {
            Runnable next = () -> context.self().tell(number - 1);
            if (number == 0) {
                result.complete(ancestors(current()));
            } else if (withOwnObservation) {
                Observation.createNotStarted("own", registry)
                        .contextualName("own")
                        .observe(next);
            } else {
                next.run();
            }
        });
        chain.tell(CHAIN);
        return result.join();
    }

    @Test
    void aChainOfMessagesKeepsTwoAncestors() {
        assertEquals(List.of("chain", "chain"), ancestorsAfterAChain(false));
    }

    /** Each handler sends within an observation of the program. */
    @Test
    void observationsOfTheProgramAreNoObstacle() {
        assertEquals(List.of("own", "chain"), ancestorsAfterAChain(true));
    }

    @Test
    void aRunningObservationKeepsItsParent() throws Exception {
        ReplyActor<Integer, @Nullable List<String>> last =
                system.actor("last").newActorWithReturn(n -> ancestors(current()));
        ReplyActor<Integer, @Nullable List<String>> third =
                system.actor("third").newActorWithReturn(last::call);
        ReplyActor<Integer, @Nullable List<String>> second =
                system.actor("second").newActorWithReturn(third::call);
        ReplyActor<Integer, @Nullable List<String>> first =
                system.actor("first").newActorWithReturn(second::call);
        List<String> ancestors = Observation.createNotStarted("request", registry)
                .contextualName("request")
                .observeChecked(() -> first.call(1));
        List<String> expected = List.of("third", "second", "first", "request");
        assertEquals(expected, ancestors);
        system.close();
        assertEquals(
                Set.of("last of third", "third of second", "second of first", "first of request", "request of none"),
                Set.copyOf(ended));
    }
}
