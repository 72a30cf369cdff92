package io.fibry.observer;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.dispatch.LogText;
import io.fibry.http.HttpParameters;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for one page of the list of actors.
 *
 * @param search a text in lower case that the name or the behavior contains, ignoring case; empty for all actors
 * @param parent the id of the parent; null for all actors
 * @param size the number of actors on the page
 * @param from where the page begins, or ends if it is read backward; null for the begin or the end of the list
 * @param backward whether the page contains the actors before the position, instead of those behind it
 */
record ActorQuery(
        ActorSort sort,
        boolean descending,
        String search,
        @Nullable Integer parent,
        int size,
        @Nullable Position from,
        boolean backward) {

    static final int MOST = 200;
    static final int LONGEST_SEARCH = 200;

    private static final int USUAL = 50;
    private static final int LONGEST_SHOWN = 60;
    private static final int DECIMAL = 10;
    private static final int HEX = 16;
    private static final Set<String> NAMES =
            Set.of("sort", "order", "search", "parent", "size", "after", "before", "at");

    /**
     * Reads the query of a request.
     *
     * @throws IllegalArgumentException if it is not valid; the message says what the client has to change
     */
    static ActorQuery of(HttpExchange exchange) {
        return of(new Parameters(query(exchange)));
    }

    private static HttpParameters query(HttpExchange exchange) {
        try {
            return HttpParameters.ofQuery(exchange);
        } catch (UncheckedIOException e) {
            throw new IllegalArgumentException(
                    "The query is not valid. Encode it as UTF-8, with two hexadecimal digits behind each percent sign.",
                    e);
        }
    }

    private static ActorQuery of(Parameters query) {
        query.checkNames();
        String sortName = query.find("sort", ActorSort.MAILBOX.parameter());
        ActorSort sort =
                ActorSort.of(sortName).orElseThrow(() -> bad("sort", sortName, "one of " + ActorSort.parameters()));
        String search = query.find("search", "").strip().toLowerCase(Locale.ROOT);
        if (search.length() > LONGEST_SEARCH) {
            throw new IllegalArgumentException("search must have at most " + LONGEST_SEARCH + " characters, not "
                    + search.length() + ". Search for a part of the name.");
        }
        String after = query.find("after", "");
        String before = query.find("before", "");
        boolean atEnd = query.isOneOf("at", "start", "end", "start");
        if ((after.isEmpty() ? 0 : 1) + (before.isEmpty() ? 0 : 1) + (query.has("at") ? 1 : 0) > 1) {
            throw new IllegalArgumentException("A request has only one of after, before and at.");
        }
        return new ActorQuery(
                sort,
                query.isOneOf("order", "asc", "desc", sort.isText() ? "asc" : "desc"),
                search,
                query.parent(),
                query.size(),
                after.isEmpty() ? position("before", before, sort) : position("after", after, sort),
                atEnd || !before.isEmpty());
    }

    private static @Nullable Position position(String name, String value, ActorSort sort) {
        try {
            return value.isEmpty() ? null : Position.decode(value, sort.isText());
        } catch (IllegalArgumentException e) {
            throw bad(name, value, "a position of another page with the same sort");
        }
    }

    private static IllegalArgumentException bad(String name, String value, String allowed) {
        String shown = value.length() <= LONGEST_SHOWN ? value : value.substring(0, LONGEST_SHOWN) + "\u2026";
        return new IllegalArgumentException(name + " must be " + allowed + ", not \"" + LogText.plain(shown) + "\".");
    }

    /** The query, with messages for clients. */
    private record Parameters(HttpParameters query) {

        void checkNames() {
            for (String name : query.names()) {
                if (!NAMES.contains(name)) {
                    throw bad(
                            "A parameter",
                            name,
                            "one of "
                                    + String.join(", ", NAMES.stream().sorted().toList()));
                }
            }
        }

        boolean has(String name) {
            return query.names().contains(name);
        }

        String find(String name, String otherwise) {
            List<String> values = query.all(name);
            if (values.size() > 1) {
                throw new IllegalArgumentException(name + " is in the query more than once. Give it once.");
            }
            return values.isEmpty() ? otherwise : values.getFirst();
        }

        /** Whether the parameter has the second of two values. */
        boolean isOneOf(String name, String first, String second, String otherwise) {
            String value = find(name, otherwise);
            if (!value.equals(first) && !value.equals(second)) {
                throw bad(name, value, first + " or " + second);
            }
            return value.equals(second);
        }

        int size() {
            String allowed = "a number from 1 to " + MOST;
            int size = number("size", String.valueOf(USUAL), DECIMAL, allowed);
            if (size < 1 || size > MOST) {
                throw bad("size", find("size", ""), allowed);
            }
            return size;
        }

        @Nullable
        Integer parent() {
            return has("parent") ? number("parent", "", HEX, "the id of an actor") : null;
        }

        private int number(String name, String otherwise, int radix, String allowed) {
            String value = find(name, otherwise);
            try {
                return Integer.parseUnsignedInt(value, radix);
            } catch (NumberFormatException e) {
                throw bad(name, value, allowed);
            }
        }
    }
}
