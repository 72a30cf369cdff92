package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.http.HttpOptions;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.sockets.Descriptors;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of limits in the documents list all options, with the defaults of the code. */
class LimitsTest {

    private static final String DESCRIPTORS = ", if there are descriptors for them";
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern NUMBER = Pattern.compile("([\\d,]+)( KiB| MiB| s)?");
    private static final Pattern BY_HEAP =
            Pattern.compile("([\\d,]+), or one for each (\\d+ KiB) of .* \\(with TLS (\\d+ KiB)\\) if that is less");

    static Stream<Arguments> options() {
        return Stream.of(
                Arguments.of("servers", TcpOptions.defaults()),
                Arguments.of("servers", UdpOptions.defaults()),
                Arguments.of("http-server", HttpOptions.defaults()));
    }

    @ParameterizedTest
    @MethodSource("options")
    void theGuideNamesAllOptions(String document, Object options) throws Exception {
        assertEquals(namesOf(options), check(Markdown.document(document), options));
    }

    private static Set<String> namesOf(Object options) {
        return new TreeSet<>(valuesOf(options).keySet());
    }

    /** Returns the getters of the options. */
    private static Map<String, Method> valuesOf(Object options) {
        return Arrays.stream(options.getClass().getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0)
                .collect(Collectors.toMap(Method::getName, Function.identity()));
    }

    /** Compares a document with the code, and returns the names in the document. */
    private static Set<String> check(Markdown document, Object options) throws Exception {
        Map<String, Method> values = valuesOf(options);
        Set<String> names = new TreeSet<>();
        String head = "`" + options.getClass().getSimpleName() + "`";
        for (List<String> row : document.rows(head)) {
            Matcher name = NAME.matcher(row.getFirst());
            assertTrue(name.find(), row.toString());
            do {
                if (values.containsKey(name.group(1))) {
                    names.add(name.group(1));
                    Object real = values.get(name.group(1)).invoke(options);
                    assertEquals(
                            said(row.get(1), options),
                            real instanceof Number n ? (Long) n.longValue() : real,
                            row.toString());
                }
            } while (name.find());
        }
        return names;
    }

    /** Parses a cell of the column "default". */
    private static Object said(String cell, Object options) {
        if (cell.endsWith(DESCRIPTORS)) {
            var most = (Long) said(cell.substring(0, cell.length() - DESCRIPTORS.length()), options);
            return (long) Descriptors.connections(1, Math.toIntExact(most));
        }
        return saidWithoutDescriptors(cell, options);
    }

    private static Object saidWithoutDescriptors(String text, Object options) {
        Matcher number = NUMBER.matcher(text);
        Matcher byHeap = BY_HEAP.matcher(text);
        if (byHeap.matches()) {
            return Math.min(number(byHeap.group(1)), Runtime.getRuntime().maxMemory() / number(byHeap.group(2)));
        }
        if (number.matches()) {
            return " s".equals(number.group(2)) ? Duration.ofSeconds(number(number.group(1))) : (Object) number(text);
        }
        return switch (text) {
            case "none", "all" -> null;
            case "no limit" -> (long) Integer.MAX_VALUE;
            case "on" -> true;
            case "the same number" -> (long) ((HttpOptions) options).maxConnections();
            default -> throw new AssertionError("not understood: " + text);
        };
    }

    private static long number(String text) {
        long factor = text.endsWith(" KiB") ? 1L << 10 : text.endsWith(" MiB") ? 1L << 20 : 1;
        return factor * Long.parseLong(text.replaceAll("\\D", ""));
    }

    @Test
    void withTlsTheHeapAllowsFewerConnections() throws Exception {
        List<String> row = Markdown.document("http-server").rows("`HttpOptions`").stream()
                .filter(cells -> cells.getFirst().contains("`maxConnections`"))
                .findFirst()
                .orElseThrow();
        Matcher byHeap = BY_HEAP.matcher(row.get(1).replace(DESCRIPTORS, ""));
        assertTrue(byHeap.matches(), row.toString());
        long fits = Runtime.getRuntime().maxMemory() / number(byHeap.group(3));
        var options = HttpOptions.defaults().tls(SSLContext.getDefault());
        int most = Math.toIntExact(Math.min(number(byHeap.group(1)), fits));
        assertEquals(Descriptors.connections(1, most), options.maxConnections());
        assertEquals(options.maxConnections(), options.maxRequests());
    }
}
