package io.fibry.sockets;

import io.fibry.dispatch.LogText;

/**
 * The check of a route's path: a path that no request can match is a mistake, and is refused when the route is added.
 * Each server checks the syntax of its parameters and wildcards itself.
 */
public final class RoutePath {

    private RoutePath() {}

    /**
     * Checks the path of a route.
     *
     * @param path the path, for the message
     * @param literal the path with {@code _} in place of each parameter and wildcard
     * @throws IllegalArgumentException if no request can match the path; the message suggests a valid one
     */
    public static void check(String path, String literal) {
        if (!path.startsWith("/")) {
            throw refused(path, "must begin with a slash");
        }
        if (literal.contains("/:")) {
            throw refused(
                    path,
                    "has a segment that begins with a colon; write a parameter as {id}, and the character as %3A if"
                            + " you need it");
        }
        if (literal.indexOf('?') >= 0) {
            throw refused(path, "has a question mark; routes do not compare the query, read it from the request's URI");
        }
        String fault = RequestPath.fault(literal);
        if (fault != null) {
            throw refused(
                    path,
                    fault
                            + "; requests for such paths are refused. Write the path as clients send it, for instance"
                            + " with %20 for a space");
        }
    }

    /** The exception for a path that cannot be the path of a route. The reason continues a sentence. */
    public static IllegalArgumentException refused(String path, String reason) {
        return new IllegalArgumentException("the path \"" + LogText.plain(path) + "\" of a route " + reason);
    }
}
