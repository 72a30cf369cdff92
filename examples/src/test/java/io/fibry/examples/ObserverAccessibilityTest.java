package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The rules of axe-core for accessible pages, on each page of the live page, at each width, in light and dark mode.
 *
 * <p>Seen to fail: an input without a label, and two navigations of one name.
 */
@Timeout(300)
class ObserverAccessibilityTest extends ObserverInBrowser {

    private static final String AXE = axe();

    /** Each violation with the elements that have it. */
    private static final String CHECK = """
        const done = arguments[arguments.length - 1];
        axe.run(document, {resultTypes: ["violations"]}).then(result => done(result.violations.map(rule =>
            rule.id + ": " + rule.help + " " + rule.nodes.map(node => node.html + " " + node.target).join(" | "))),
            failure => done(["axe has failed: " + failure]));
        """;

    private static String axe() {
        try (InputStream in = Objects.requireNonNull(
                ObserverAccessibilityTest.class.getResourceAsStream("/axe.min.js"), "axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void check(String path, String data) {
        open(path);
        pause();
        browser.executeScript(data);
        browser.executeScript(AXE);
        for (int width : WIDTHS) {
            for (boolean dark : List.of(false, true)) {
                show(width, dark);
                String where = path + " at " + width + (dark ? ", dark" : ", light");
                assertEquals(List.of(), browser.executeAsyncScript(CHECK), where);
            }
        }
    }

    @Test
    void theOverview() {
        check("/", ObserverData.OVERVIEW);
    }

    @Test
    void theList() {
        check("/list", ObserverData.LIST);
    }

    @Test
    void thePageOfAnActor() {
        shop.actor("orders").newActor(order -> {});
        String id = shop.actors().findFirst().orElseThrow().id();
        check("/actors/" + id, ObserverData.ACTOR);
    }

    @Test
    void thePageOfACluster() {
        check("/pages/cluster", ObserverData.TABLES);
    }

    @Test
    void theMessageFlow() {
        check("/flow", ObserverData.FLOW);
    }
}
