package io.fibry.observer;

import io.fibry.dispatch.LogText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A further page of an {@link Observer}, which shows tables: {@link ObserverOptions#pages}. With it, a module adds its
 * own state to the page, for instance the nodes of a cluster.
 *
 * <p>The supplier is called on a thread of the server, only while the page is open: once per
 * {@link ObserverOptions#interval} for all viewers together, and never by two threads at the same time. It must be
 * quick: after a slow call, the pause is ten times as long as the call. If it throws an exception, the page shows the
 * text of the exception, and the supplier is called again after the pause. The page shows at most 20 tables with 500
 * rows each, and the number of the others.
 *
 * @param name the name in the navigation, up to 40 letters, digits, spaces and hyphens of ASCII
 * @param tables returns the current tables
 */
public record ObserverPage(String name, Supplier<List<ObserverTable>> tables) {

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9 -]{0,39}");

    /**
     * Creates a page.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    public ObserverPage {
        Objects.requireNonNull(tables, "tables");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name of a page must have 1 to 40 letters, digits, spaces and"
                    + " hyphens, and begin with a letter or digit, not \"" + LogText.plain(name) + "\"");
        }
    }

    /** The path on the server. */
    String path() {
        return "/pages/" + name.toLowerCase(Locale.ROOT).replace(' ', '-');
    }
}
