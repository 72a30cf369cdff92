package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program with another database does not need H2. Seen to fail without the check. */
@Timeout(60)
class WithoutH2Test {

    @Test
    void theExceptionNamesTheDependency() throws Exception {
        try (var withoutH2 = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Method h2 = withoutH2.loadClass(JdbcStore.class.getName()).getMethod("h2", Path.class);
            Throwable failure = assertThrows(InvocationTargetException.class, () -> h2.invoke(null, Path.of("x")))
                    .getCause();
            assertInstanceOf(IllegalStateException.class, failure);
            assertEquals("H2 is not on the class path: add the dependency com.h2database:h2", failure.getMessage());
        }
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!Path.of(entry).getFileName().toString().startsWith("h2-")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }
}
