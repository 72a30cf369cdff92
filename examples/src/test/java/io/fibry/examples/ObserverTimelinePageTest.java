package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;

/** The last messages on the page of an actor, in a browser. */
@Timeout(180)
class ObserverTimelinePageTest extends ObserverInBrowser {

    private long rows(String more) {
        return browser.findElements(By.cssSelector("#messages tbody tr" + more)).size();
    }

    @Test
    void theLastMessagesAndFailuresOfAnActorAreShownWhileItsPageIsOpen() {
        Actor<String> orders = shop.actor("orders").newActor(text -> {
            if (text.equals("bad")) {
                throw new IllegalStateException("no such order");
            }
        });
        Actor<String> desk = shop.actor("desk").newActor(orders::tell);
        String id = shop.actors()
                .filter(actor -> actor.name().equals("orders"))
                .map(ActorInfo::id)
                .findFirst()
                .orElseThrow();
        open("/actors/" + id);
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
}
