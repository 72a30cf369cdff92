package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.LogWithMdc;
import io.fibry.testing.Program;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

/** The MDC reaches the handler. In a JVM of its own, with a log that has one. */
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

        private static String contents() {
            Map<String, String> map = MDC.getCopyOfContextMap();
            return "[" + (map == null ? "" : String.join(" ", new TreeMap<>(map).values())) + "]";
        }
    }

    @Test
    void theHandlerHasTheMdcOfItsSender() throws Exception {
        var options = List.of("-Dslf4j.provider=" + LogWithMdc.class.getName());
        try (var program = Program.startWith(options, Main.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(
                    List.of("[r1][outer][outer]", "[r1]", "[r2 u2]", "[][][outer][outer]", "[][][outer][outer]"),
                    program.lines());
        }
    }
}
