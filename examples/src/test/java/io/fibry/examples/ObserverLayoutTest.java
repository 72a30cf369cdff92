package io.fibry.examples;

import static io.fibry.examples.ObserverData.ACTOR;
import static io.fibry.examples.ObserverData.FLOW;
import static io.fibry.examples.ObserverData.LIST;
import static io.fibry.examples.ObserverData.OVERVIEW;
import static io.fibry.examples.ObserverData.TABLES;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The layout of the live page with large numbers, on a phone, a small screen and a large one, in light and dark mode.
 *
 * <p>Seen to fail: cards whose numbers have a fixed size.
 */
@Timeout(180)
class ObserverLayoutTest extends ObserverInBrowser {

    /** Texts with a digit that take more than one line, or that end outside their card or cell. */
    private static final String WRAPPED = """
        const found = [];
        const lines = range => new Set([...range.getClientRects()].map(box => Math.round(box.top))).size;
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const parent = node.parentElement, range = document.createRange();
            if (!parent.checkVisibility() || parent.closest("option")) continue;
            for (const match of node.data.matchAll(/\\d[\\d.,]*\\d/g)) {
                range.setStart(node, match.index);
                range.setEnd(node, match.index + match[0].length);
                if (lines(range) > 1) found.push("wrapped: " + node.data);
            }
            const box = parent.closest(".big, td.number");
            if (box && /\\d/.test(node.data)) {
                range.selectNodeContents(node);
                const text = range.getBoundingClientRect();
                const outer = (parent.closest(".card") || box).getBoundingClientRect();
                const inside = text.left >= outer.left - 1 && text.right <= outer.right + 1;
                if (lines(range) > 1) found.push("several lines: " + node.data);
                if (!inside) found.push("outside: " + node.data);
            }
        }
        return found;
        """;

    /** Texts whose contrast is less than 4.5, except for disabled buttons. */
    private static final String PALE = """
        const color = text => {
            const parts = text.match(/[\\d.]+(e-?\\d+)?/g).map(Number), unit = text.startsWith("color(") ? 1 : 255;
            return {rgb: parts.slice(0, 3).map(part => part / unit), alpha: parts.length > 3 ? parts[3] : 1};
        };
        const linear = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        const luminance = rgb => 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
        const over = (front, rgb) => front.rgb.map((part, i) => front.alpha * part + (1 - front.alpha) * rgb[i]);
        const back = node => {
            if (!node) return [1, 1, 1];
            const own = color(getComputedStyle(node).backgroundColor);
            return own.alpha === 1 ? own.rgb : over(own, back(node.parentElement));
        };
        const found = [];
        for (const node of document.querySelectorAll("body, body *")) {
            const texts = [...node.childNodes].filter(child => child.nodeType === 3);
            const text = texts.map(child => child.data.trim()).join("");
            if (!text || !node.checkVisibility() || node.disabled) continue;
            if (getComputedStyle(node).fontSize === "0px") continue;
            const behind = back(node), front = over(color(getComputedStyle(node).color), behind);
            const [light, dark] = [luminance(front), luminance(behind)].sort((a, b) => b - a);
            const contrast = (light + 0.05) / (dark + 0.05);
            if (contrast < 4.5) found.push(node.className + " " + text + ": " + contrast.toFixed(2));
        }
        return found;
        """;

    private void checkAll(String path, String fill) {
        open(path);
        pause();
        browser.executeScript(fill);
        for (int width : WIDTHS) {
            for (boolean dark : List.of(false, true)) {
                show(width, dark);
                String where = path + " at " + width + (dark ? ", dark" : ", light");
                assertEquals((long) width, browser.executeScript("return innerWidth"), where);
                assertNoSidewaysScroll();
                assertEquals(List.of(), browser.executeScript(WRAPPED), where);
                assertEquals(List.of(), browser.executeScript(PALE), where);
            }
        }
    }

    @Test
    void theOverviewFitsAndIsReadable() {
        checkAll("/", OVERVIEW);
        show(1300, false);
        assertColumnsEndTogether();
        show(1920, false);
        assertColumnsEndTogether();
    }

    private void assertColumnsEndTogether() {
        assertEquals(List.of(), browser.executeScript("""
            const columns = [...document.querySelectorAll(".columns > div")];
            const panels = columns.map(column => [...column.children].filter(panel => panel.checkVisibility()));
            const bottoms = panels.map(all => all.at(-1))
                .map(panel => Math.round(panel.getBoundingClientRect().bottom));
            return Math.abs(bottoms[0] - bottoms[1]) <= 1 ? [] : bottoms;
            """));
    }

    @Test
    void theListFitsAndIsReadable() {
        checkAll("/list", LIST);
    }

    @Test
    void thePageOfAnActorFitsAndIsReadable() {
        shop.actor("orders").newActor(order -> {});
        String id = shop.actors().findFirst().orElseThrow().id();
        checkAll("/actors/" + id, ACTOR);
    }

    @Test
    void thePageOfTablesFitsAndIsReadable() {
        checkAll("/pages/cluster", TABLES);
    }

    @Test
    void theMessageFlowFitsAndIsReadable() {
        checkAll("/flow", FLOW);
    }

    /** The first of each list; in the tree, the mark in front of its name. */
    @Test
    void anActorThatHandlesOneMessageForTwoMinutesIsRed() {
        open("/");
        pause();
        browser.executeScript(OVERVIEW);
        show(1300, false);
        for (String list : List.of("longest", "fullest", "busiest", "restarted")) {
            assertEquals(
                    List.of("rgb(180, 35, 35)", "rgb(215, 237, 231)"),
                    browser.executeScript("""
                        return [0, 2].map(i => document.querySelectorAll("#%s td .chip")[i])
                            .map(chip => getComputedStyle(chip).backgroundColor)
                            .map(color => color.startsWith("rgb") ? color : "rgb("
                                + color.match(/[\\d.]+/g).slice(0, 3)
                                    .map(part => Math.round(255 * part)).join(", ") + ")");
                        """.formatted(list)),
                    list);
        }
        assertEquals(List.of("rgb(180, 35, 35)", "rgb(18, 148, 111)"), browser.executeScript("""
            return [0, 2].map(i => document.querySelectorAll("#tree > li > .node")[i])
                .map(node => getComputedStyle(node, "::before").backgroundColor);
            """));
    }
}
