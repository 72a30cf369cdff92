package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/**
 * The last messages and the scheduled timers on the page of an actor, in a browser.
 *
 * <p>Seen to fail: a failed message that is not marked, and another text for the period of a timer.
 */
@Timeout(180)
class ObserverTimelinePageTest extends ObserverInBrowser {

    private long rows(String more) {
        return browser.findElements(By.cssSelector("#messages tbody tr" + more)).size();
    }

    /** The visible text of each row. */
    private List<String> timers() {
        return browser.findElements(By.cssSelector("#scheduled tbody tr")).stream()
                .map(WebElement::getText)
                .toList();
    }

    private String idOf(String name) {
        return shop.actors()
                .filter(actor -> actor.name().equals(name))
                .map(ActorInfo::id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theLastMessagesAndFailuresOfAnActorAreShownWhileItsPageIsOpen() {
        Actor<String> orders = shop.actor("orders").newActor(text -> {
            if (text.equals("bad")) {
                throw new IllegalStateException("no such order");
            }
        });
        Actor<String> desk = shop.actor("desk").newActor(orders::tell);
        open("/actors/" + idOf("orders"));
        await(() -> text("name").equals("orders"));
        await(() -> {
            desk.tell("good");
            return text("messages").contains("String") && text("messages").contains("from desk");
        });
        orders.tell("bad");
        await(() -> rows(".alarm") == 1 && text("messages").contains("failed \u00b7 from (outside)"));
        await(() -> text("incidents").contains("IllegalStateException: no such order"));
        for (int i = 0; i < 1_000; i++) {
            orders.tell("good");
        }
        await(() -> rows("") == 200 && rows(".alarm") == 0);
        assertTrue(text("handled").length() > 1);
        assertEquals("0", text("stashed"));
        assertNoSidewaysScroll();
        assertNothingRefused();
    }

    @Test
    void theScheduledTimersOfAnActorAreShown() {
        shop.actor("bakery").<Object>newActorFrom(context -> {
            context.after(Duration.ofDays(20), 7L).cancelOnStop();
            context.every(Duration.ofHours(60), "bake");
            context.receiveTimeout(Duration.ofDays(40), 'c');
            return order -> {};
        });
        open("/actors/" + idOf("bakery"));
        await(() -> timers().size() == 3);
        assertEquals(
                List.of(
                        "String every 2.5 days 2.5 days",
                        "Long once 20 days",
                        "Character receive timeout of 40 days 40 days"),
                timers());
        assertFalse(browser.findElement(By.id("more-timers")).isDisplayed());
        assertNothingRefused();
    }
}
