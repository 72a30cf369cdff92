package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The code of the Javadoc of the carriers. */
class ContextSnippets {

    // @start region="own"
    static final ThreadLocal<String> USER = new ThreadLocal<>();

    static final ContextCarrier CARRIER = () -> {
        String user = USER.get(); // on the sender's thread
        return () -> {
            String before = USER.get(); // on the handler's thread
            USER.set(user);
            return () -> USER.set(before);
        };
    };
    // @end region="own"

    @Test
    void theHandlerHasTheUserOfTheSender() throws Exception {
        try (var system = ActorSystem.create(SystemOptions.defaults().context(CARRIER))) {
            var actor = system.actor().newActorWithReturn((String greeting) -> greeting + " " + USER.get());
            USER.set("Ada");
            assertEquals("Hello Ada", actor.call("Hello"));
            USER.remove();
        }
    }
}
