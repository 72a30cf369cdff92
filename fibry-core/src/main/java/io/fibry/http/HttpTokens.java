package io.fibry.http;

import java.util.BitSet;
import java.util.List;

/** The characters that HTTP allows in tokens, header values and hosts. */
final class HttpTokens {

    private static final int DELETE = 0x7f;
    private static final int LAST = 0xff;
    private static final BitSet TOKEN =
            set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    private static final BitSet DIGITS = set("0123456789");

    /** The visible characters, except characters that end a host, such as a slash, or that a host must not contain. */
    private static final BitSet HOST =
            set("!$%&'()*+-.:;=[]_~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    private HttpTokens() {}

    static boolean isToken(String text) {
        return !text.isEmpty() && hasOnly(TOKEN, text);
    }

    /**
     * Whether the value of a header has no control character except tabs, and no character above 0xff. A line break
     * would begin another header. Of a character above 0xff, servers send only the lower byte, which may be a line
     * break.
     */
    static boolean isFieldValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c == DELETE || c > LAST) {
                return false;
            }
        }
        return true;
    }

    static boolean isDigits(String text) {
        return !text.isEmpty() && hasOnly(DIGITS, text);
    }

    /** Whether this may be the value of a {@code Host} header: a host with an optional port, or nothing. */
    static boolean isHost(String text) {
        return hasOnly(HOST, text);
    }

    /** Whether a header whose value is a list, perhaps on several lines, has this token. */
    static boolean isListed(String token, List<String> lines) {
        for (String line : lines) {
            int begin = 0;
            while (begin <= line.length()) {
                int comma = line.indexOf(',', begin);
                int end = comma < 0 ? line.length() : comma;
                if (line.substring(begin, end).trim().equalsIgnoreCase(token)) {
                    return true;
                }
                begin = end + 1;
            }
        }
        return false;
    }

    private static BitSet set(String characters) {
        var set = new BitSet();
        characters.chars().forEach(set::set);
        return set;
    }

    private static boolean hasOnly(BitSet characters, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!characters.get(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
