package io.fibry.http;

/**
 * Finds segments of a path that are {@code .} or {@code ..}. A proxy resolves them before it applies its rules, but may forward the
 * path as it came: then a request that it took for {@code /public} would get to the handler of {@code /admin}.
 *
 * <p>Proxies decode before they resolve. So encoded dots count as dots, and encoded slashes and backslashes count as ends of a
 * segment. One decoding is enough: no server decodes twice.
 */
final class DotSegments {

    private static final int ENCODED = 3; // the length of %2e

    private DotSegments() {}

    /** Whether a segment of this path, as it was sent, is {@code .} or {@code ..}. */
    static boolean isIn(String path) {
        if (path.indexOf('.') < 0 && path.indexOf('%') < 0) {
            return false;
        }
        int dots = 0; // of the present segment, or -1 once it has other characters
        int at = 0;
        while (at < path.length()) {
            boolean encoded = path.charAt(at) == '%' && at + ENCODED <= path.length();
            char c = encoded ? decoded(path.charAt(at + 1), path.charAt(at + 2)) : path.charAt(at);
            at += encoded ? ENCODED : 1;
            if (c == '/' || c == '\\') {
                if (isDot(dots)) {
                    return true;
                }
                dots = 0;
            } else {
                dots = c == '.' && dots >= 0 ? dots + 1 : -1;
            }
        }
        return isDot(dots);
    }

    private static boolean isDot(int dots) {
        return dots == 1 || dots == 2;
    }

    private static char decoded(char high, char low) {
        return (char) ((Character.digit(high, 16) << 4) + Character.digit(low, 16));
    }
}
