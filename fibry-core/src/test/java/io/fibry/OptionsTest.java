package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.batch.BatchOptions;
import io.fibry.entity.EntityOptions;
import io.fibry.generator.GeneratorOptions;
import io.fibry.http.HttpOptions;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.observer.ObserverOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.topic.TopicOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each option has a public getter for each of its values: the name of the option, or the names below. */
class OptionsTest {

    /** The getters of methods with more than one value, and of factories. */
    private static final Map<String, List<String>> GETTERS = Map.of(
            "bounded", List.of("capacity", "overflow"),
            "UdpOptions.group", List.of("group", "groupInterface"),
            "BatchOptions.of", List.of("maxSize", "maxDelay"),
            "PoolOptions.of", List.of("parallelism"));

    /** Options without a getter, with the reason. */
    private static final Map<String, String> EXCEPTIONS = Map.of("ObserverOptions.controlToken", "it is a secret");

    static List<Class<?>> options() {
        return List.of(
                SystemOptions.class,
                BatchOptions.class,
                EntityOptions.class,
                GeneratorOptions.class,
                HttpOptions.class,
                MapReduceOptions.class,
                TcpOptions.class,
                UdpOptions.class,
                ObserverOptions.class,
                PoolOptions.class,
                TopicOptions.class);
    }

    @ParameterizedTest
    @MethodSource("options")
    void eachOptionHasGetters(Class<?> options) {
        List<String> missing = new ArrayList<>();
        for (Method setter : options.getMethods()) {
            if (setter.getReturnType() == options && setter.getParameterCount() > 0) {
                missing.addAll(missingGetters(options, setter));
            }
        }
        assertEquals(List.of(), missing);
    }

    private static List<String> missingGetters(Class<?> options, Method setter) {
        String name = options.getSimpleName() + "." + setter.getName();
        if (EXCEPTIONS.containsKey(name)) {
            return List.of();
        }
        List<String> getters =
                GETTERS.getOrDefault(name, GETTERS.getOrDefault(setter.getName(), List.of(setter.getName())));
        assertEquals(setter.getParameterCount(), getters.size(), name);
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < getters.size(); i++) {
            String getter = getters.get(i);
            Class<?> type = setter.getParameterTypes()[i];
            if (Stream.of(options.getMethods())
                    .noneMatch(method -> method.getName().equals(getter)
                            && method.getParameterCount() == 0
                            && method.getReturnType() == type)) {
                missing.add(type.getSimpleName() + " " + options.getSimpleName() + "." + getter + "()");
            }
        }
        return missing;
    }

    @Test
    void allOptionClassesAreChecked() throws Exception {
        Set<String> checked = options().stream().map(Class::getName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(checked, optionClasses());
    }

    private static Set<String> optionClasses() throws Exception {
        URI location = SystemOptions.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path path = Path.of(location);
        if (Files.isDirectory(path)) {
            return optionClasses(path);
        }
        try (var jar = FileSystems.newFileSystem(path)) {
            return optionClasses(jar.getPath("/"));
        }
    }

    private static Set<String> optionClasses(Path root) throws IOException, ClassNotFoundException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                String path = root.relativize(file).toString().replace('\\', '/');
                if (path.endsWith("Options.class")) {
                    Class<?> type = Class.forName(path.replace(".class", "").replace('/', '.'));
                    if (Modifier.isPublic(type.getModifiers())) {
                        names.add(type.getName());
                    }
                }
            }
        }
        return names;
    }

    @Test
    void gettersReturnTheValues() {
        TopicOptions topic = TopicOptions.defaults();
        assertEquals(0, topic.capacity());
        assertEquals(null, topic.overflow());
        assertEquals(7, topic.bounded(7, Overflow.FAIL).capacity());
        assertEquals(Overflow.FAIL, topic.bounded(7, Overflow.FAIL).overflow());
        BatchOptions batch = BatchOptions.of(2, java.time.Duration.ofSeconds(1)).bounded(7, Overflow.FAIL);
        assertEquals(7, batch.capacity());
        assertEquals(Overflow.FAIL, batch.overflow());
        Comparator<Integer> order = Comparator.naturalOrder();
        Function<Integer, Integer> key = i -> i;
        assertEquals(order, PoolOptions.of(1).priority(order).priority());
        assertEquals(key, PoolOptions.of(1).keyed(key).keyed());
        assertEquals(null, PoolOptions.of(1).keyed());
        assertTrue(EXCEPTIONS.values().stream().noneMatch(String::isBlank));
    }
}
