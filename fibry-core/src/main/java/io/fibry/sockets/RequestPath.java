package io.fibry.sockets;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The check of the path of a request, before its route is looked up. It refuses each path that a proxy in front of the
 * server may read as another path: the proxy would apply its rules to one path, and the server would route the other
 * one.
 *
 * <p>Parsers disagree about these parts of a path, and each is refused:
 *
 * <ul>
 *   <li>Dot segments: a proxy resolves {@code /public/../admin}, but may forward the path as it came.
 *   <li>Empty segments: nginx reads {@code /public//admin} as {@code /public/admin}, HAProxy does not.
 *   <li>Slashes that are encoded, and backslashes in either form: some parsers read them as the end of a segment.
 *   <li>Semicolons that are not encoded: Java servers remove them with the rest of the segment, so that {@code /..;/}
 *       becomes {@code /../}.
 *   <li>Encoded letters, digits, hyphens, dots and underscores: a proxy that compares paths without decoding does not
 *       recognize {@code /%61dmin} as {@code /admin}. No client has a reason to encode them.
 *   <li>Control characters, encoded bytes that are not UTF-8, percent signs without two hexadecimal digits, and
 *       characters that have to be encoded, such as spaces, number signs and characters outside ASCII.
 * </ul>
 *
 * <p>The path is decoded at most once, so {@code %252e} is accepted; its value is the text {@code %2e}.
 */
public final class RequestPath {

    private static final int ENCODED = 3; // the length of %2e
    private static final int DELETE = 0x7f;
    private static final String ALPHANUMERIC = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    /** The characters that RFC 3986 allows in a path, without the semicolon and the percent sign. */
    private static final BitSet PLAIN = set(ALPHANUMERIC + "-._~!$&'()*+,=:@/");

    /**
     * The characters that no client encodes; the tilde is not one of them, because Java's {@code URLEncoder} encodes
     * it.
     */
    private static final BitSet NEVER_ENCODED = set(ALPHANUMERIC + "-_");

    private RequestPath() {}

    /**
     * Checks the path of a request, as it was sent, without its query.
     *
     * @return the fault, as the end of a sentence whose subject is the path, such as "has a dot segment"; it has no
     *     text of the request. Null if the path is accepted.
     */
    public static @Nullable String fault(String path) {
        if (path.isEmpty() || path.charAt(0) != '/') {
            return "does not begin with a slash";
        }
        boolean ascii = true;
        int at = 0;
        while (at < path.length()) {
            char c = path.charAt(at);
            String fault;
            if (c == '%') {
                int decoded = decode(path, at);
                fault = decoded < 0 ? "has a percent sign without two hexadecimal digits" : faultOfEncoded(decoded);
                ascii &= decoded <= DELETE;
                at += ENCODED;
            } else {
                fault = c == '/' ? faultOfSegment(path, at + 1) : faultOf(c);
                at++;
            }
            if (fault != null) {
                return fault;
            }
        }
        return ascii || isUtf8(path) ? null : "has encoded bytes that are not UTF-8";
    }

    private static @Nullable String faultOf(char c) {
        if (PLAIN.get(c)) {
            return null;
        }
        return switch (c) {
            case '\\' -> "has a backslash";
            case ';' -> "has a semicolon that is not encoded as %3B";
            default -> "has a character that must be encoded";
        };
    }

    private static @Nullable String faultOfEncoded(int decoded) {
        if (decoded < ' ' || decoded == DELETE) {
            return "has an encoded control character";
        }
        return switch (decoded) {
            case '/' -> "has an encoded slash";
            case '\\' -> "has a backslash";
            case '.' -> "has an encoded dot";
            default -> NEVER_ENCODED.get(decoded) ? "has an encoded letter, digit, hyphen or underscore" : null;
        };
    }

    /** Checks the dots and slashes at the begin of a segment. Encoded ones are refused anywhere. */
    private static @Nullable String faultOfSegment(String path, int begin) {
        int end = begin;
        while (end < path.length() && path.charAt(end) == '.') {
            end++;
        }
        int dots = end - begin;
        if (dots == 0) {
            return end < path.length() && path.charAt(end) == '/' ? "has an empty segment" : null;
        }
        return dots <= 2 && isEndOfName(path, end) ? "has a dot segment" : null;
    }

    /** Whether the name of a segment ends here. Parameters may follow it. */
    private static boolean isEndOfName(String path, int at) {
        return at == path.length() || path.charAt(at) == '/' || path.charAt(at) == ';' || decode(path, at) == ';';
    }

    /** The byte that is encoded at this index, or -1 if none is. */
    private static int decode(String path, int at) {
        return at + ENCODED <= path.length()
                        && path.charAt(at) == '%'
                        && HexFormat.isHexDigit(path.charAt(at + 1))
                        && HexFormat.isHexDigit(path.charAt(at + 2))
                ? HexFormat.fromHexDigits(path, at + 1, at + ENCODED)
                : -1;
    }

    private static boolean isUtf8(String path) {
        var bytes = ByteBuffer.allocate(path.length());
        int at = 0;
        while (at < path.length()) {
            int decoded = decode(path, at);
            bytes.put((byte) (decoded < 0 ? path.charAt(at) : decoded));
            at += decoded < 0 ? 1 : ENCODED;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()); // it refuses overlong encodings and surrogates
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static BitSet set(String characters) {
        var set = new BitSet();
        characters.chars().forEach(set::set);
        return set;
    }
}
