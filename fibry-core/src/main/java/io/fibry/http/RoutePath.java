package io.fibry.http;

import io.fibry.dispatch.LogText;
import io.fibry.sockets.RequestPath;

/**
 * The check of a route's path: a path that no request can match is a mistake, and is refused when the route is added.
 * {@link RoutePattern} checks the parameters.
 */
final class RoutePath {

    private static final String BELOW = "/*";

    private RoutePath() {}

    /**
     * Checks the path of a route.
     *
     * @throws IllegalArgumentException if no request can match it; the message suggests a valid path
     */
    static void check(String path) {
        if (!path.startsWith("/")) {
            throw refused(path, "must begin with a slash");
        }
        String fixed = path.endsWith(BELOW) ? path.substring(0, path.length() - BELOW.length()) : path;
        if (fixed.indexOf('*') >= 0) {
            throw refused(
                    path, "has a * that matches nothing; write it only at the end, as /*, or as %2A for the character");
        }
        if (path.contains("/:")) {
            throw refused(
                    path,
                    "has a segment that begins with a colon; write a parameter as {id}, and the character as %3A if"
                            + " you need it");
        }
        if (fixed.indexOf('?') >= 0) {
            throw refused(path, "has a question mark; routes do not compare the query, read it from the request's URI");
        }
        String fault = RequestPath.fault(
                path.replaceAll("\\{[^/]*}", "_").replace('{', '_').replace('}', '_'));
        if (fault != null) {
            throw refused(
                    path,
                    fault
                            + "; requests for such paths are refused. Write the path as clients send it, for instance"
                            + " with %20 for a space");
        }
    }

    private static IllegalArgumentException refused(String path, String why) {
        return new IllegalArgumentException("the path \"" + LogText.plain(path) + "\" of a route " + why);
    }
}
