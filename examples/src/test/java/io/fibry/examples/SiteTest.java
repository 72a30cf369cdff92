package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Tests the site in a browser, if site/build has built it. */
@Timeout(180)
class SiteTest {

    private static final Path SITE =
            Markdown.PROJECT.toAbsolutePath().normalize().resolve("target/site");

    /** The root of the search, which is in a shadow tree. */
    private static final String SEARCH =
            "const search = [...document.body.children].map(e => e.shadowRoot).find(root => root) ?? document; ";

    private static ChromeDriver browser;
    private static HttpServer server;

    @BeforeAll
    static void open() {
        assumeTrue(Files.exists(SITE.resolve("index.html")), "needs site/build first");
        browser = Browser.open(1440, 900);
        server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SITE, OutputLevel.NONE);
        server.start();
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.stop(0);
        }
        if (browser != null) {
            browser.quit();
        }
    }

    /**
     * Returns the pages of documents, without the pages of source files and the Javadoc, whose layout javadoc
     * determines.
     */
    static List<String> pages() throws IOException {
        if (!Files.exists(SITE)) {
            return List.of("");
        }
        try (Stream<Path> files = Files.walk(SITE)) {
            return files.filter(file -> file.endsWith("index.html"))
                    .map(file -> SITE.relativize(file.getParent()).toString())
                    .filter(page -> !page.startsWith("javadoc") && !page.contains("/src/"))
                    .sorted()
                    .toList();
        }
    }

    /** All properties of a page in one test: to load a page takes longer than to examine it. */
    @ParameterizedTest
    @MethodSource("pages")
    void aPageAndItsCodeAreNoWiderThanTheScreenAndLoadFromTheirOwnHostOnly(String page) {
        screen(360, "light");
        browser.get(address(page));
        assertIsNoWiderThan(360);
        screen(1440, "light");
        assertIsNoWiderThan(1440);
        assertEquals(
                0,
                number("return performance.getEntriesByType('resource')"
                        + ".filter(entry => !entry.name.startsWith(location.origin)).length"),
                "requests to other hosts");
        assertEquals(0, number("return [...document.images].filter(i => i.complete && !i.naturalWidth).length"));
        boolean isGuide = page.isEmpty() || page.startsWith("docs"); // neither a report nor a source file
        if (isGuide) {
            laptop();
            assertEquals(
                    List.of(),
                    browser.executeScript("return [...document.querySelectorAll('pre code')]"
                            + ".filter(code => code.scrollWidth > code.clientWidth + 1).map(code => code.innerText)"),
                    "code that has to be scrolled");
        }
    }

    private static void assertIsNoWiderThan(int width) {
        assertEquals(width, number("return window.innerWidth"));
        long content = number("return document.documentElement.scrollWidth");
        assertTrue(content <= width, content + " pixels on a screen of " + width);
    }

    @Test
    void theFirstScreenHasTheProgramAChartAndTheLivePage() {
        laptop();
        browser.get(address(""));
        for (String shown : List.of(".language-java", "img[src*=ringbenchmark]", "img[src*=observer]")) {
            long bottom = number(
                    "return Math.round(document.querySelector('.start " + shown + "').getBoundingClientRect().bottom)");
            assertTrue(bottom > 0 && bottom <= 800, shown + " ends at " + bottom);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"backpressure", "timeout", "DROP_OLDEST"})
    void theSearchFinds(String words) {
        for (int width : new int[] {360, 1440}) {
            screen(width, "light");
            browser.get(address(""));
            String button = width == 360 ? "label[for=__search]" : ".md-search__button";
            browser.findElement(By.cssSelector(button)).click();
            await("the field for words is there", SEARCH + "return search.activeElement?.tagName == 'INPUT'");
            new Actions(browser).sendKeys(words).perform();
            await("a guide with " + words, SEARCH + "return !!search.querySelector('a[href*=\"/docs/\"] mark')");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void theColorsFollowTheSystem(String scheme) {
        screen(1440, scheme);
        browser.get(address("docs/figures/"));
        String background = browser.findElement(By.tagName("body")).getCssValue("background-color");
        assertEquals(scheme.equals("dark"), background.matches("rgba?\\((\\d\\d?, ){2}\\d\\d?(, 1)?\\)"), background);
    }

    private static void laptop() {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1280, "height", 800, "deviceScaleFactor", 1, "mobile", false));
    }

    private static void screen(int width, String scheme) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", width < 500));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    private static String address(String page) {
        return "http://localhost:" + server.getAddress().getPort() + "/" + page;
    }

    private static long number(String script) {
        return (Long) browser.executeScript(script);
    }

    private static void await(String what, String script) {
        new WebDriverWait(browser, Duration.ofSeconds(60))
                .withMessage(what)
                .until(any -> browser.executeScript(script).equals(true));
    }
}
