package io.fibry.http;

import java.util.BitSet;

/** Which characters HTTP allows where. */
final class HttpTokens {

    private static final int DELETE = 0x7f;
    private static final int LAST = 0xff;
    private static final BitSet TOKEN =
            set("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    private static final BitSet DIGITS = set("0123456789");

    /** What is left of the visible characters without those that end a host, or begin something else. */
    private static final BitSet HOST =
            set("!$%&'()*+-.:;=[]_~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    private HttpTokens() {}

    static boolean isToken(String text) {
        return !text.isEmpty() && hasOnly(TOKEN, text);
    }

    /**
     * Whether the value of a header has no control character but tabs, since a line break in it would begin a header of its own,
     * and nothing that is more than a byte: servers send only the lower byte of a character, which may be a line break again.
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

    /** Whether this can be the value of a {@code Host} header: a host, perhaps with a port; it may be empty. */
    static boolean isHost(String text) {
        return hasOnly(HOST, text);
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
