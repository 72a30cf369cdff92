package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ForwardingActor;
import io.fibry.Metric;
import io.fibry.MetricSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WindowType;

/** The live page of actors, in a browser. */
@Timeout(180)
class ObserverPageTest extends ObserverInBrowser {

    private static final String EVIL = "<img src=x onerror=\"document.title='hacked'\">";

    @Test
    void numbersMoveOnTwoPages() {
        Actor<String> orders = shop.actor("orders").newActor(order -> {});
        orders.tell("one");
        String path = "/actors/"
                + shop.actors()
                        .filter(actor -> actor.name().equals("orders"))
                        .findFirst()
                        .orElseThrow()
                        .id();
        String first = open(path);
        await(() -> text("handled").equals("1"));
        browser.switchTo().newWindow(WindowType.TAB);
        open(path);
        await(() -> text("handled").equals("1"));
        for (int i = 0; i < 41; i++) {
            orders.tell("more");
        }
        await(() -> text("handled").equals("42"));
        browser.close();
        browser.switchTo().window(first);
        await(() -> text("handled").equals("42"));
        assertEquals("orders", text("name"));
        open("/");
        await(() -> text("system").equals("shop") && text("tree").contains("orders"));
    }

    @Test
    void aCrashShowsAndHostileTextsStayText() {
        Actor<String> evil = shop.actor(EVIL).newActor(text -> {
            throw new IllegalStateException(text);
        });
        open("/");
        await(() -> text("status").equals("live"));
        evil.tell("<script>document.title='hacked'</script>");
        await(() -> text("incidents").contains("IllegalStateException: <script>document.title='hacked'</script>"));
        await(() -> text("tree").contains(EVIL));
        await(() -> text("failures").equals("1"));
        follow(EVIL);
        await(() -> text("name").equals(EVIL));
        assertEquals(EVIL + " \u2013 Fibry observer", browser.getTitle());
        assertEquals(5, browser.findElements(By.tagName("script")).size());
        assertEquals(1, browser.findElements(By.tagName("img")).size());
        assertNothingRefused();
    }

    @Test
    void theStackOfASlowActorIsOnItsPageAndTheTokenStopsIt() throws Exception {
        var begun = new CountDownLatch(1);
        var never = new CountDownLatch(1);
        Actor<String> slow = shop.actor("slow").newActor(text -> {
            begun.countDown();
            never.await();
        });
        slow.tell("x");
        begun.await();
        open("/");
        await(() -> text("longest").contains("slow"));
        follow("slow");
        await(() -> text("state").equals("running") && text("stack").contains("ObserverPageTest"));
        browser.findElement(By.id("mode")).sendKeys("now");
        browser.findElement(By.id("token")).sendKeys("wrong\n");
        await(() -> text("stop-result").equals("The token is not the right one."));
        await(
                () -> { // after a wrong token, the server refuses all tokens for a second
                    browser.findElement(By.id("token")).clear();
                    browser.findElement(By.id("token")).sendKeys(TOKEN + "\n");
                    return slow.waitForExit(Duration.ofSeconds(2));
                });
        await(() -> text("gone").contains("not there any more"));
    }

    /** Each of its four faults. */
    @Test
    void thePageShowsTheProblemOfTheShop() {
        try (var example = Shop.open(0)) {
            browser.get("http://localhost:" + example.port());
            await(() -> text("fullest").contains("billing"));
            await(() -> text("incidents").contains("IllegalArgumentException: order "));
            await(() -> text("restarted").contains("labels"));
            await(() -> text("longest").contains("prices"));
            await(() -> text("incidents").contains("AskDeadlockException: re"));
            await(() -> text("cycles").contains("stock \u2192 supplier \u2192 stock")); // as long as they wait
            assertNothingRefused();
        }
    }

    /** The number of elements is bounded, after more failures than are shown, and with actors that start and end. */
    @Test
    void aPageThatStaysOpenDoesNotGrow() {
        open("/");
        await(() -> text("status").equals("live"));
        long before = 0;
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 60; i++) {
                Actor<String> guest = shop.actor("guest " + round + "." + i).newActor(text -> {
                    throw new IllegalStateException(text);
                });
                guest.tell("no");
                guest.close();
            }
            String last = "guest " + round + ".59";
            await(() -> text("incidents").contains(last));
            await(() -> !text("tree").contains("guest"));
            assertEquals(
                    50,
                    browser.findElements(By.cssSelector("#incidents > details")).size());
            long elements = elements();
            assertTrue(round == 0 || elements <= before + 20, before + " and then " + elements + " elements");
            before = round == 0 ? elements : before;
        }
    }

    private long elements() {
        return (Long) browser.executeScript("return document.getElementsByTagName('*').length");
    }

    @Test
    void itFitsAPhoneAndIsUsedByKeyboard() {
        shop.actor("a-very-long-name-".repeat(20)).newActor(order -> {}).tell("x");
        open("/");
        browser.manage().window().setSize(new Dimension(360, 800));
        await(() -> text("tree").contains("a-very-long-name"));
        assertNoSidewaysScroll();
        browser.executeScript("document.getElementById('pause').focus()");
        browser.switchTo().activeElement().sendKeys(" ");
        await(() -> text("status").equals("paused"));
        browser.switchTo().activeElement().sendKeys("\n");
        await(() -> text("status").equals("live"));
        assertTrue(page.stats().bytesSent() > 0);
        assertNothingRefused();
    }

    /** A server with a counter and a time. */
    private static final class Source extends ForwardingActor<Void> implements MetricSource {

        Source(ActorSystem system, String name) {
            super(system.actor(name).newActor(ignored -> {}));
            beFoundByName();
        }

        @Override
        public List<Metric> metrics() {
            return List.of(
                    Metric.counter("orders.a-rather-long-name.of-orders", 7, "Orders")
                            .tagged("state", EVIL),
                    Metric.time("orders.oldest", Duration.ofMillis(1500), "Age of the oldest"),
                    Metric.gauge("orders.size", Long.MAX_VALUE, "Size").in("bytes"));
        }
    }

    @Test
    void metricsOfServersAreText() {
        open("/");
        browser.manage().window().setSize(new Dimension(360, 800));
        await(() -> text("status").equals("live"));
        assertFalse(browser.findElement(By.id("metrics")).isDisplayed());
        var source = new Source(shop, EVIL);
        await(() -> text("metrics").contains(EVIL + "orders.a-rather-long-name.of-ordersstate=" + EVIL + "7"));
        await(() -> text("metrics").contains("orders.oldest1.5 s"));
        assertNoSidewaysScroll();
        source.close();
        await(() -> !browser.findElement(By.id("metrics")).isDisplayed());
        assertNothingRefused();
    }
}
