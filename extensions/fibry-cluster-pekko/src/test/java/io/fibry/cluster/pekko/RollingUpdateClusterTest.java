package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorStoppedException;
import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.JdbcStore;
import io.fibry.entity.Entities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rolling update under load. The new version adds a component to a message, to the reply and to the state, a type of
 * messages, and a type of entities. No ask is lost, repeated, or left without a reply.
 */
@Timeout(300)
class RollingUpdateClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int KEYS = 20;

    @TempDir
    Path folder;

    /** A way to add an item to a cart, through one node. */
    private interface Adder {
        CompletableFuture<?> add(String key);
    }

    /** The attempts to add an item: the key, the next count, and the owner. */
    private final Queue<String> attempts = new ConcurrentLinkedQueue<>();

    private final Map<String, Integer> added = new ConcurrentHashMap<>();
    private final List<Adder> adders = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    /** Repeats an ask that no entity has handled, through another node. */
    private void load() {
        for (int i = 0; !ended; i++) {
            String key = "cart" + i % KEYS;
            for (int attempt = 0; !isAdded(key, adders.get((i + attempt) % adders.size())); attempt++) {
                LockSupport.parkNanos(1_000_000); // the pause before a retry
            }
            added.merge(key, 1, Integer::sum);
        }
    }

    private boolean isAdded(String key, Adder through) {
        try {
            through.add(key).join();
            return true;
        } catch (CompletionException e) {
            if (e.getCause() instanceof ActorStoppedException) {
                return false;
            }
            List<String> own = attempts.stream()
                    .filter(attempt -> attempt.startsWith(key + " "))
                    .toList();
            throw new AssertionError("the attempts for " + key + ":\n" + String.join("\n", own), e);
        }
    }

    private Adder first(PekkoCluster node, JdbcStore store) {
        Entities<String, FirstVersion.Command, FirstVersion.Items> carts =
                FirstVersion.host(node, store, attempts::add);
        return key -> carts.ref(key).ask(new FirstVersion.Add("pen"), LONG);
    }

    @Test
    void oldAndNewNodesServeTogether() throws Exception {
        String[] seeds = {Nodes.freeAddress(), Nodes.freeAddress(), Nodes.freeAddress()};
        try (var nodes = new Nodes();
                var store = JdbcStore.h2(folder.resolve("carts"))) {
            List<PekkoCluster> old = new ArrayList<>(nodes.joinAll(seeds));
            old.forEach(node -> adders.add(first(node, store)));
            CompletableFuture<Void> load = CompletableFuture.runAsync(
                    this::load, task -> Thread.ofVirtual().start(task));
            Cluster.until("all carts are used", () -> added.size() == KEYS);
            Entities<String, SecondVersion.Command, SecondVersion.Items> last = null;
            for (int i = 0; i < seeds.length; i++) {
                old.get(i).close();
                PekkoCluster next = nodes.join(Nodes.options(seeds[i], seeds));
                Entities<String, SecondVersion.Command, SecondVersion.Items> carts =
                        SecondVersion.host(next, store, attempts::add);
                adders.set(i, key -> carts.ref(key).ask(new SecondVersion.Add("pen", 1), LONG));
                var extra = next.entities(
                        "extra",
                        RecordCodec.of(String.class),
                        RecordCodec.of(String.class),
                        key -> word -> word + " of " + key);
                assertEquals("x of a", extra.ref("a").ask("x", LONG).join());
                last = carts;
            }
            ended = true;
            load.join();
            for (int i = 0; i < KEYS; i++) {
                String key = "cart" + i;
                SecondVersion.Items items =
                        last.ref(key).ask(new SecondVersion.Count(), LONG).join();
                assertEquals(new SecondVersion.Items(added.get(key), "second"), items);
            }
        }
    }
}
