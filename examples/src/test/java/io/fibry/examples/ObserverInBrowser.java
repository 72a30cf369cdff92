package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.http.HttpServerActor;
import io.fibry.observer.ObserverOptions;
import io.fibry.observer.ObserverPage;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.openqa.selenium.By;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A system with the live page, and a browser. */
abstract class ObserverInBrowser {

    static final String TOKEN = "a-token-of-the-test";

    final ChromeDriver browser = Browser.open(1600, 1200);
    final ActorSystem shop = ActorSystem.create(SystemOptions.defaults().name("shop"));
    final HttpServerActor page = Stereotypes.def()
            .in(shop)
            .observer(
                    0,
                    ObserverOptions.defaults()
                            .interval(Duration.ofMillis(200))
                            .controlToken(TOKEN)
                            .pages(List.of(new ObserverPage("Cluster", List::of))));

    /** The widths of a phone, a small screen and a large one. */
    static final List<Integer> WIDTHS = List.of(360, 1300, 1920);

    @AfterEach
    void close() {
        browser.quit();
        shop.close();
    }

    void assertNoSidewaysScroll() {
        assertEquals(
                0L, browser.executeScript("const e = document.documentElement; return e.scrollWidth - e.clientWidth"));
    }

    /** Checks that the browser's log contains no violations of the policy and no errors of the script. */
    void assertNothingRefused() {
        var errors = browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .filter(entry -> !entry.getMessage().contains("429")) // the list is asked for again later
                .toList();
        assertEquals(0, errors.size(), errors.toString());
    }

    /** Sets the exact size of the page; a window cannot be as narrow as a phone. */
    void show(int width, boolean dark) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 1000, "deviceScaleFactor", 1, "mobile", false));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Stops the updates of the page, so that a test can show its own data. */
    void pause() {
        await(() -> text("status").equals("live"));
        browser.executeScript("document.getElementById('pause').click()");
        await(() -> text("status").equals("paused"));
    }

    String open(String path) {
        browser.get("http://localhost:" + page.port() + path);
        return browser.getWindowHandle();
    }

    /** Returns the text of an element, even if it is not visible. */
    String text(String id) {
        return String.valueOf(browser.findElement(By.id(id)).getDomProperty("textContent"));
    }

    /** Clicks a link. The page may replace its links between the search and the click. */
    void follow(String link) {
        await(() -> {
            browser.findElement(By.linkText(link)).click();
            return true;
        });
    }

    void await(BooleanSupplier condition) {
        new WebDriverWait(browser, Duration.ofSeconds(60))
                .ignoring(StaleElementReferenceException.class)
                .until(any -> condition.getAsBoolean());
    }
}
