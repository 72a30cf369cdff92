package io.fibry.http;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * The check of a route's path: a path that no request can match is a mistake, and is refused when the route is added. {@link
 * RoutePattern} checks the parameters.
 */
final class RoutePath {

    private static final String BELOW = "/*";
    private static final int DELETE = 0x7f; // the first character that is not sent without being encoded

    private RoutePath() {}

    /**
     * Checks the path of a route.
     *
     * @throws IllegalArgumentException if no request can match it; the message says what to write instead
     */
    static void check(String path) {
        if (!path.startsWith("/")) {
            throw refused(path, "must begin with a slash");
        }
        if (path.startsWith("//")) {
            throw refused(path, "begins with two slashes; requests for such paths are refused");
        }
        String fixed = path.endsWith(BELOW) ? path.substring(0, path.length() - BELOW.length()) : path;
        if (fixed.indexOf('*') >= 0) {
            throw refused(
                    path, "has a * that matches nothing; write it only at the end, as /*, or as %2A for the character");
        }
        if (fixed.indexOf('?') >= 0) {
            throw refused(path, "has a question mark; routes do not compare the query, read it from the request's URI");
        }
        if (!isSentLikeThis(fixed.replace("{", "").replace("}", ""))) {
            throw refused(path, "must be written as it is sent: with %20 for a space, for example");
        }
        if (DotSegments.isIn(path)) {
            throw refused(path, "has a dot segment; requests for such paths are refused");
        }
    }

    private static boolean isSentLikeThis(String path) {
        try {
            return path.chars().allMatch(c -> c < DELETE) && path.equals(new URI(path).getRawPath());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static IllegalArgumentException refused(String path, String why) {
        return new IllegalArgumentException("the path \"" + path + "\" of a route " + why);
    }
}
