package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The list of all actors, in a browser. */
@Timeout(180)
class ObserverListPageTest extends ObserverInBrowser {

    private static final String EVIL = "<img src=x onerror=\"document.title='hacked'\">";

    private void makeActors(int number) {
        for (int i = 0; i < number; i++) {
            shop.actor("order-%03d".formatted(i)).newActor(order -> {});
        }
    }

    /** The names in the list. */
    private List<String> names() {
        return browser.findElements(By.cssSelector("#actors td.actor a")).stream()
                .map(WebElement::getText)
                .toList();
    }

    private void click(String id) {
        browser.findElement(By.id(id)).click();
    }

    private void sort(String by) {
        browser.findElement(By.cssSelector("#actors th button[value=" + by + "]"))
                .click();
    }

    private void awaitRange(String range) {
        await(() -> text("range").equals(range));
    }

    @Test
    void eachPageIsReachedForwardAndBackward() {
        makeActors(170);
        open("/list?sort=name&order=asc");
        awaitRange("1–50 of 170");
        var found = new ArrayList<>(names());
        for (String range : List.of("51–100 of 170", "101–150 of 170", "151–170 of 170")) {
            click("next");
            awaitRange(range);
            found.addAll(names());
        }
        assertEquals(170, new HashSet<>(found).size());
        assertEquals(170, found.size());
        assertTrue(!browser.findElement(By.id("next")).isEnabled());
        click("first");
        awaitRange("1–50 of 170");
        assertTrue(!browser.findElement(By.id("previous")).isEnabled());
        click("last");
        awaitRange("121–170 of 170");
        assertEquals("order-169", names().getLast());
        click("previous");
        awaitRange("71–120 of 170");
        click("previous");
        awaitRange("21–70 of 170");
        click("previous"); // only 20 actors are left: the first page is shown instead
        awaitRange("1–50 of 170");
        assertNothingRefused();
    }

    @Test
    void itIsSortedAndSearched() throws Exception {
        makeActors(60);
        var begun = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        Actor<String> full = shop.actor("full").newActor(text -> {
            begun.countDown();
            end.await();
        });
        for (int i = 0; i < 1235; i++) {
            full.tell("x");
        }
        begun.await();
        open("/list");
        await(() -> !names().isEmpty() && names().getFirst().equals("full"));
        await(() -> browser.findElement(By.cssSelector("#actors td.sorted"))
                .getText()
                .equals("1,234"));
        sort("mailbox");
        await(() -> !names().contains("full"));
        sort("name");
        await(() -> names().getFirst().equals("full") && names().get(1).equals("order-000"));
        sort("name");
        await(() -> names().getFirst().equals("order-059"));
        sort("time");
        await(() -> names().getFirst().equals("full"));
        assertEquals(
                "descending",
                browser.findElement(By.cssSelector("th[data-sort=time]")).getDomAttribute("aria-sort"));
        browser.findElement(By.id("search")).sendKeys("ORDER-05");
        awaitRange("1–10 of 10");
        await(() -> browser.getCurrentUrl().endsWith("/list?sort=time&order=desc&search=ORDER-05"));
        browser.navigate().refresh();
        awaitRange("1–10 of 10");
        end.countDown();
        assertNothingRefused();
    }

    @Test
    void hostileNamesStayTextAndALinkLeadsToTheirChildren() {
        Actor<String> evil = shop.actor(EVIL).newActor(text -> {});
        for (int i = 0; i < 130; i++) {
            shop.actor("child " + i).childOf(evil).newActor(text -> {});
        }
        open("/");
        await(() -> text("tree").contains("118 more"));
        follow("118 more");
        awaitRange("1–50 of 130");
        assertEquals("children of " + EVIL, text("crumb-parent"));
        follow("All actors");
        awaitRange("1–50 of 131");
        browser.findElement(By.id("search")).sendKeys("onerror");
        awaitRange("1–1 of 1");
        assertEquals(List.of(EVIL), names());
        assertEquals(1, browser.findElements(By.tagName("img")).size());
        follow(EVIL);
        await(() -> text("name").equals(EVIL));
        assertNothingRefused();
    }

    @Test
    void aPausedListIsReadOnRequestOnly() {
        makeActors(60);
        open("/list?sort=name&order=asc");
        await(() -> text("status").equals("live"));
        click("pause");
        await(() -> text("status").equals("paused"));
        makeMore();
        click("next");
        awaitRange("51–61 of 61");
        assertEquals("paused", text("status"));
    }

    private void makeMore() {
        shop.actor("zebra").newActor(order -> {});
    }

    @Test
    void anInvalidAddressIsExplained() {
        open("/list?sort=size");
        await(() -> text("problem").startsWith("sort must be one of name, behavior,"));
    }
}
