package io.fibry.http;

import io.fibry.dispatch.LogText;
import io.fibry.sockets.RoutePath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The path of a route that has parameters or a wildcard. Two patterns are equal if they match the same paths, whatever
 * their parameters are called.
 *
 * <p>The order is the precedence. Of two patterns that match the same path, the first segment in which they differ
 * decides: the end of the pattern comes first, then a literal, then a parameter, then the wildcard. The first match in
 * this order is the right one; the order in which the routes were added does not matter.
 */
final class RoutePattern implements Comparable<RoutePattern> {

    private static final String WILDCARD = "*";
    private static final String BELOW = "/*";
    private static final Pattern BRACES = Pattern.compile("\\{[^/?]*}|[{}]");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");
    private static final String PARAMETER = "{}"; // no literal has braces

    private final List<String> segments; // without the wildcard
    private final List<String> names;
    private final boolean below;

    private RoutePattern(List<String> segments, List<String> names, boolean below) {
        this.segments = segments;
        this.names = names;
        this.below = below;
    }

    /**
     * Checks the path of a route, except the syntax of its parameters, which {@link #of} checks.
     *
     * @throws IllegalArgumentException if no request can match it; the message suggests a valid path
     */
    static void check(String path) {
        String fixed = path.endsWith(BELOW) ? path.substring(0, path.length() - BELOW.length()) : path;
        if (path.startsWith("/") && fixed.indexOf('*') >= 0) {
            throw RoutePath.refused(
                    path, "has a * that matches nothing; write it only at the end, as /*, or as %2A for the character");
        }
        RoutePath.check(path, BRACES.matcher(path).replaceAll("_"));
    }

    /** Whether the path of a route needs a pattern. Otherwise it matches only itself. */
    static boolean isNeeded(String path) {
        return path.endsWith(BELOW) || path.indexOf('{') >= 0 || path.indexOf('}') >= 0;
    }

    /**
     * Parses the path of a route, which begins with a slash.
     *
     * @throws IllegalArgumentException if it is not valid
     */
    static RoutePattern of(String path) {
        var segments = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
        boolean below = segments.getLast().equals(WILDCARD);
        if (below) {
            segments.removeLast();
        }
        var names = new ArrayList<String>();
        segments.replaceAll(segment -> literalOrParameter(path, segment, names));
        if (new HashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException(
                    "the path \"" + LogText.plain(path) + "\" has two parameters with the same name");
        }
        return new RoutePattern(segments, names, below);
    }

    private static String literalOrParameter(String path, String segment, List<String> names) {
        if (segment.indexOf('{') < 0 && segment.indexOf('}') < 0) {
            return segment;
        }
        String name = segment.length() > 2 ? segment.substring(1, segment.length() - 1) : "";
        if (!segment.equals("{" + name + "}") || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the segment \"" + LogText.plain(segment) + "\" of the path \"" + LogText.plain(path)
                            + "\" is not valid; a parameter is a whole segment with a name of letters, digits, hyphens"
                            + " and underscores, such as {id}. A handler checks its value, and /* at the end of a path"
                            + " matches several segments");
        }
        names.add(name);
        return PARAMETER;
    }

    boolean hasParameters() {
        return !names.isEmpty();
    }

    /** Whether it matches the path of a request, as it was sent. A parameter matches one segment that is not empty. */
    boolean matches(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        int slash = 0; // before the next segment, or the end of the path
        for (String segment : segments) {
            if (slash == path.length()) {
                return false;
            }
            int begin = slash + 1;
            slash = endOfSegment(path, begin);
            boolean fits = isParameter(segment)
                    ? slash > begin
                    : slash - begin == segment.length() && path.startsWith(segment, begin);
            if (!fits) {
                return false;
            }
        }
        return below || slash == path.length();
    }

    /**
     * The values of the parameters in a path that this pattern matches. Each is decoded once, after the path was split,
     * so that an encoded slash stays in its value.
     *
     * @throws ClientException if a value cannot be decoded
     */
    Map<String, List<String>> parameters(String path) throws ClientException {
        var values = new LinkedHashMap<String, List<String>>();
        int slash = 0;
        for (String segment : segments) {
            int begin = slash + 1;
            slash = endOfSegment(path, begin);
            if (isParameter(segment)) {
                String name = names.get(values.size());
                values.put(name, List.of(PercentDecoder.ofPath(path.substring(begin, slash))));
            }
        }
        return Collections.unmodifiableMap(values);
    }

    private static boolean isParameter(String segment) {
        return segment.equals(PARAMETER);
    }

    private static int endOfSegment(String path, int begin) {
        int end = path.indexOf('/', begin);
        return end < 0 ? path.length() : end;
    }

    // ---- the precedence

    @Override
    public int compareTo(RoutePattern other) {
        int both = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < both; i++) {
            int kinds = Boolean.compare(isParameter(segments.get(i)), isParameter(other.segments.get(i)));
            int order = kinds != 0 ? kinds : segments.get(i).compareTo(other.segments.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(rankAt(both), other.rankAt(both));
    }

    /** The rank of the part after some equal segments: the end, another segment, or the wildcard. */
    private int rankAt(int segment) {
        if (segment < segments.size()) {
            return 1;
        }
        return below ? 2 : 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RoutePattern pattern && compareTo(pattern) == 0;
    }

    @Override
    public int hashCode() {
        return segments.hashCode() * 2 + Boolean.hashCode(below);
    }
}
