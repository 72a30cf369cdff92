package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The chat room, in two tabs of a browser. */
@Timeout(180)
class WebChatPageTest {

    private final ChromeDriver browser = Browser.open(800, 600);

    @Test
    void twoTabsTalk() {
        try (var server = new WebChat().start(0)) {
            String ann = join(server.port(), "Ann");
            browser.switchTo().newWindow(WindowType.TAB);
            String bob = join(server.port(), "Bob");
            say("Hello <b>Ann</b>");
            browser.switchTo().window(ann);
            expect(List.of("Ann comes in.", "Bob comes in.", "Bob\nHello <b>Ann</b>"));
            say("Hello Bob");
            browser.switchTo().window(bob);
            expect(List.of("Bob comes in.", "Hello <b>Ann</b>", "Ann\nHello Bob"));
            browser.close();
            browser.switchTo().window(ann);
            expect(List.of("Ann comes in.", "Bob comes in.", "Bob\nHello <b>Ann</b>", "Hello Bob", "Bob leaves."));
            server.stop();
            await("disconnected, trying again …", () -> text("state"));
        } finally {
            browser.quit();
        }
    }

    private String join(int port, String name) {
        browser.get("http://localhost:" + port + "/");
        await("connected", () -> text("state"));
        say(name);
        await("connected as " + name, () -> text("state"));
        return browser.getWindowHandle();
    }

    private void say(String text) {
        browser.findElement(By.id("text")).sendKeys(text + "\n");
    }

    private String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    private void expect(List<String> lines) {
        await(
                lines,
                () -> browser.findElements(By.cssSelector("#lines li")).stream()
                        .map(WebElement::getText)
                        .toList());
    }

    private <T> void await(T expected, java.util.function.Supplier<T> found) {
        try {
            new WebDriverWait(browser, Duration.ofSeconds(60)).until(any -> expected.equals(found.get()));
        } catch (org.openqa.selenium.TimeoutException e) {
            assertEquals(expected, found.get());
        }
    }
}
