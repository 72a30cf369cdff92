package io.fibry;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A handler has the context class loader of the thread that has created its system. The threads of an executor keep
 * their own.
 */
class ContextClassLoaderTest {

    @Test
    void aHandlerHasTheClassLoaderOfItsSystem() throws Exception {
        for (var strategy : List.of(ThreadStrategy.virtual(), ThreadStrategy.platform())) {
            aHandlerHasTheClassLoaderOfItsSystem(strategy);
        }
    }

    private static void aHandlerHasTheClassLoaderOfItsSystem(ThreadStrategy strategy) throws Exception {
        Thread self = Thread.currentThread();
        ClassLoader before = self.getContextClassLoader();
        try (var loader = new URLClassLoader(new URL[0], before)) {
            self.setContextClassLoader(loader);
            try (var system = ActorSystem.create(strategy)) {
                var actor = system.actor()
                        .newActorWithReturn(
                                (Integer n) -> Thread.currentThread().getContextClassLoader());
                assertSame(loader, actor.call(1));
                var asked = CompletableFuture.supplyAsync(() -> actor.ask(1).join());
                assertSame(loader, asked.join());
            }
        } finally {
            self.setContextClassLoader(before);
        }
    }
}
