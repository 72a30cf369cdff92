package io.fibry.helidon;

import io.fibry.dispatch.LogText;
import io.fibry.sockets.RoutePath;
import io.helidon.http.PathMatchers;
import java.util.regex.Pattern;

/**
 * The check of a route's path in the syntax of Helidon: parameters such as <code>{id}</code>, <code>{id:[0-9]+}</code>
 * and <code>{+rest}</code>, optional parts in brackets, {@code *}, and a backslash before a character that stands for
 * itself.
 *
 * <p>Helidon decodes the path of a request before it looks for a route. Therefore a route may have characters that
 * clients encode. A route without parameters is decoded as well.
 */
final class HelidonPath {

    private static final char PLACEHOLDER = '_';
    private static final Pattern ENCODED_BY_CLIENTS = Pattern.compile("[ \\P{ASCII}]");

    private final String path;
    private final StringBuilder literal = new StringBuilder();
    private boolean pattern;
    private int at;

    private HelidonPath(String path) {
        this.path = path;
    }

    /**
     * Checks the path of a route.
     *
     * @throws IllegalArgumentException if no request can match it, or Helidon refuses it
     */
    static void check(String path) {
        new HelidonPath(path).check();
    }

    private void check() {
        while (at < path.length()) {
            part(path.charAt(at++));
        }
        RoutePath.check(path, ENCODED_BY_CLIENTS.matcher(literal).replaceAll("_"));
        if (pattern && literal.indexOf("%") >= 0) {
            throw RoutePath.refused(
                    path,
                    "has a percent sign; Helidon compares a path with parameters or a wildcard after it has decoded"
                            + " the request's path: write the character itself");
        }
        if (!pattern && literal.indexOf("+") >= 0) {
            throw RoutePath.refused(path, "has a plus sign, which Helidon reads as a space; write %2B");
        }
        try {
            PathMatchers.create(path);
        } catch (RuntimeException e) { // its class depends on the fault
            throw RoutePath.refused(path, "is not valid for Helidon: " + LogText.plain(e.getMessage()));
        }
    }

    private void part(char c) {
        switch (c) {
            case '{' -> {
                skipParameter();
                literal.append(PLACEHOLDER);
            }
            case '*' -> literal.append(PLACEHOLDER);
            case '[', ']' -> {} // what is between them is one of the matched paths
            case '\\' -> literal.append(path, at, Math.min(++at, path.length()));
            default -> {
                literal.append(c);
                return;
            }
        }
        pattern = true;
    }

    /** A regular expression in a parameter may have braces. */
    private void skipParameter() {
        int depth = 1;
        while (depth > 0 && at < path.length()) {
            char c = path.charAt(at++);
            if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
            }
        }
    }
}
