package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;

/**
 * The picture of the message flow, in a browser.
 *
 * <p>Seen to fail: a picture without marks, and boxes at the same place.
 */
@Timeout(180)
class ObserverFlowPageTest extends ObserverInBrowser {

    private static final String EVIL = "<img src=x onerror=\"document.title='hacked'\">";

    private long count(String selector) {
        return browser.findElements(By.cssSelector(selector)).size();
    }

    @Test
    void theHottestPathAndABlockedActorAreInThePictureAndInTheTable() throws Exception {
        var begun = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        ReplyActor<String, String> stock = shop.actor("stock").newActorWithReturn(text -> {
            begun.countDown();
            go.await();
            return text;
        });
        Actor<String> desk = shop.actor("desk")
                .newActor(text -> stock.ask(text, Duration.ofMinutes(5)).join());
        Actor<String> audit = shop.actor(EVIL).newActor(text -> {});
        Actor<String> orders = shop.actor("orders").newActor(audit::tell);
        desk.tell("x");
        begun.await();
        try {
            open("/flow");
            await(() -> {
                orders.tell("x");
                return text("summary").contains("Hottest path: (outside) \u2192 orders \u2192 " + EVIL);
            });
            await(() -> text("summary").contains("Blocked: desk waits for stock, "));
            pause();
            assertEquals(1, count("#flow .edge.blocked"));
            assertEquals(2, count("#flow .edge.hot"));
            assertEquals(5, count("#flow .box"));
            assertEquals(1, count("#edges tr.blocked"));
            assertTrue(text("edges").contains("deskstock0"), text("edges"));
            assertEquals(1, browser.findElements(By.tagName("img")).size());
            assertNothingRefused();
        } finally {
            go.countDown();
        }
    }

    /** Boxes do not cover each other, each edge ends at its nodes, and equal data gives an equal picture. */
    @Test
    void thePictureIsReadable() {
        open("/flow");
        pause();
        browser.executeScript(ObserverData.FLOW);
        assertEquals(40, count("#flow .box"));
        assertEquals(120, count("#flow .edge"));
        assertEquals(List.of(), browser.executeScript("""
            const boxes = [...document.querySelectorAll("#flow rect")].map(box => box.getBoundingClientRect());
            const outer = document.getElementById("flow").getBoundingClientRect(), found = [];
            boxes.forEach((one, i) => {
                if (one.left < outer.left || one.right > outer.right || one.bottom > outer.bottom) found.push(i);
                boxes.slice(i + 1).forEach(other => {
                    if (one.left < other.right && other.left < one.right && one.top < other.bottom
                        && other.top < one.bottom) found.push(one.x + " " + other.x);
                });
            });
            return found;
            """));
        String before = picture();
        browser.executeScript(ObserverData.FLOW);
        assertEquals(before, picture());
    }

    private String picture() {
        return (String) browser.executeScript("return document.getElementById('flow').outerHTML");
    }
}
