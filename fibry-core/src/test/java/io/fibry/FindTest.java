package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.KernelTest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Actors by their names, in the system and in the default system. */
class FindTest extends KernelTest {

    @Test
    void aSystemFindsItsOwnActorsOnly() throws Exception {
        assertEquals(Optional.empty(), system.find("clerk"));
        assertEquals(Optional.empty(), system.findWithReturn("clerk"));
        ReplyActor<Integer, Integer> clerk = system.actor("clerk").newActorWithReturn(n -> n + 1);
        Optional<Actor<Integer>> found = system.find("clerk");
        assertSame(clerk, found.orElseThrow());
        assertEquals(
                2,
                system.<Integer, Integer>findWithReturn("clerk").orElseThrow().call(1));
        assertEquals(Optional.empty(), ActorSystem.findNamed("clerk"));
        try (var other = ActorSystem.create()) {
            assertEquals(Optional.empty(), other.find("clerk"));
        }
        clerk.close();
        assertEquals(Optional.empty(), system.find("clerk"));
    }

    @Test
    void anActorWithoutRepliesIsNotFoundAsAReplyActor() {
        Actor<String> mute = system.actor("mute").newActor(text -> {});
        assertSame(mute, system.find("mute").orElseThrow());
        assertEquals(Optional.empty(), system.findWithReturn("mute"));
    }

    /** A user's handle, with more methods than an actor. */
    private static final class Clerk extends ForwardingActor<String> {
        Clerk(Actor<String> actor) {
            super(actor);
            beFoundByName();
        }
    }

    @Test
    void aHandleIsFoundInPlaceOfItsActor() {
        var clerk = new Clerk(system.actor("clerk").newActor(text -> {}));
        assertSame(clerk, system.find("clerk").orElseThrow());
        assertSame(clerk, system.findOrExpect("clerk", 1));
        assertEquals(Optional.empty(), system.findWithReturn("clerk"));
        clerk.close();
        assertEquals(Optional.empty(), system.find("clerk"));
        Actor<String> next = system.actor("clerk").newActor(text -> {});
        assertSame(next, system.find("clerk").orElseThrow());
        assertTrue(new Clerk(system.actor().newActor(text -> {})).name().startsWith("actor-"));
    }

    @Test
    void theDefaultSystemHasAShortForm() {
        Actor<String> clerk = ActorSystem.named("clerk of the default system").newActor(text -> {});
        assertSame(clerk, ActorSystem.findNamed("clerk of the default system").orElseThrow());
        clerk.close();
        assertEquals(Optional.empty(), ActorSystem.findNamed("clerk of the default system"));
        ActorSystem.defaultSystem().close();
    }

    @Test
    void aNameMustNotBeBlankOrNull() {
        for (String blank : new String[] {"", " "}) {
            assertThrows(IllegalArgumentException.class, () -> system.findOrExpect(blank, 1));
            assertThrows(IllegalArgumentException.class, () -> system.find(blank));
            assertThrows(IllegalArgumentException.class, () -> system.findWithReturn(blank));
            assertThrows(IllegalArgumentException.class, () -> ActorSystem.findNamed(blank));
        }
        assertThrows(NullPointerException.class, () -> system.find(null));
        assertThrows(NullPointerException.class, () -> system.findWithReturn(null));
        assertThrows(NullPointerException.class, () -> system.findOrExpect(null, 1));
        assertThrows(NullPointerException.class, () -> ActorSystem.findNamed(null));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> system.findOrExpect("clerk", 0))
                .getMessage()
                .contains("0"));
    }

    @Test
    void aClosedSystemFindsAndExpectsNoActors() {
        var own = ActorSystem.create();
        own.close();
        assertEquals(Optional.empty(), own.find("clerk"));
        assertThrows(IllegalStateException.class, () -> own.findOrExpect("clerk", 1));
    }
}
