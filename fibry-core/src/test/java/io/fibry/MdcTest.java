package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.LogWithMdc;
import io.fibry.testing.Program;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/**
 * The MDC reaches the handler if the system carries it, and never otherwise. The tests run in separate JVMs, with a log
 * that has an MDC. Without {@code LogContext}, an actor that is asked sees its asker's MDC, and changes it.
 */
@Timeout(120)
class MdcTest {

    static final class Main {
        public static void main(String[] args) throws Exception {
            var options = SystemOptions.defaults().context(ContextCarrier.mdc());
            try (var system = ActorSystem.create(options)) {
                var inner = system.actor().newActorWithReturn((Integer n) -> contents());
                var outer = system.actor().newActorWithReturn((Integer n) -> {
                    String before = contents();
                    MDC.put("handler", "outer");
                    MDC.remove("request");
                    return before + inner.call(n) + contents();
                });
                MDC.put("request", "r1");
                System.out.println(outer.call(1));
                System.out.println(contents());
                MDC.put("request", "r2");
                MDC.put("user", "u2");
                System.out.println(inner.call(1));
                MDC.clear();
                System.out.println(inner.call(1) + outer.call(1));
                outer.execute(() -> MDC.put("left", "behind"));
                System.out.println(inner.call(1) + outer.call(1));
            }
        }
    }

    /** Actors that ask and tell each other, and fill the MDC. Prints the foreign entries that they see. */
    static final class Uncarried {
        public static void main(String[] args) throws Exception {
            MDC.put("main", "main");
            for (var strategy :
                    List.of(ThreadStrategy.virtual(), ThreadStrategy.platform(), ThreadStrategy.pool(Runnable::run))) {
                try (var system = ActorSystem.create(strategy)) {
                    System.out.println("" + askedIn(system) + receivedIn(system) + keptIn(system) + contents());
                }
            }
        }

        /** An ask on the stack of the asker, or on a separate thread. */
        private static Set<String> askedIn(ActorSystem system) throws Exception {
            var inner = system.actor().newActorWithReturn((Integer n) -> {
                String seen = contents();
                MDC.put("inner", "inner");
                return seen;
            });
            var outer = system.actor().newActorWithReturn((Integer n) -> {
                MDC.put("outer", "outer");
                String seen = inner.call(n);
                String own = contents();
                MDC.clear();
                return seen + own;
            });
            var seen = new TreeSet<String>();
            for (int i = 0; i < 1_000; i++) {
                seen.add(outer.call(i));
            }
            return seen;
        }

        /** One actor after the other on the same worker. */
        private static Set<String> receivedIn(ActorSystem system) throws Exception {
            var seen = new ConcurrentSkipListSet<String>();
            var done = new CountDownLatch(1_000);
            var second = system.actor().newActor((Integer n) -> {
                seen.add(contents());
                done.countDown();
            });
            for (int i = 0; i < 1_000; i++) {
                int number = i;
                var first = system.actor().newActor((Integer n) -> {
                    MDC.put("first", "first");
                    second.tell(number);
                });
                first.tell(i);
            }
            done.await();
            return seen;
        }

        /** One actor after the other, with a worker that waits in between. */
        private static Set<String> keptIn(ActorSystem system) throws Exception {
            var first = system.actor().newActorWithReturn((Integer n) -> {
                MDC.put("first", "first");
                return n;
            });
            var second = system.actor().newActorWithReturn((Integer n) -> contents());
            var seen = new TreeSet<String>();
            for (int i = 0; i < 1_000; i++) {
                int unused = first.call(i);
                seen.add(second.call(i));
            }
            return seen;
        }
    }

    private static String contents() {
        Map<String, String> map = MDC.getCopyOfContextMap();
        return "[" + (map == null ? "" : String.join(" ", new TreeMap<>(map).values())) + "]";
    }

    @Test
    void withoutACarrierNoActorSeesTheMdcOfAnother() throws Exception {
        var options = List.of("-Dslf4j.provider=" + LogWithMdc.class.getName());
        try (var program = Program.startWith(options, Uncarried.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            // an actor may see its own entries, in its next message of the same turn or on its own thread
            var isolated = Set.of("[[][outer]][[]][[]][main]", "[[][outer], [inner][outer]][[]][[]][main]");
            assertEquals(3, program.lines().size());
            assertEquals(
                    List.of(),
                    program.lines().stream()
                            .filter(seen -> !isolated.contains(seen))
                            .toList());
        }
    }

    @Test
    void theHandlerSeesTheMdcOfItsSender() throws Exception {
        var options = List.of("-Dslf4j.provider=" + LogWithMdc.class.getName());
        try (var program = Program.startWith(options, Main.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(
                    List.of("[r1][outer][outer]", "[r1]", "[r2 u2]", "[][][outer][outer]", "[][][outer][outer]"),
                    program.lines());
        }
    }
}
