package io.fibry.observer;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * The place of an actor in a sorted list: its value, either a number or a text, and its id, which decides between equal
 * values. A page begins behind a position, not behind a number of actors: to continue, a pass compares each actor with
 * the position, and keeps only those of the page.
 *
 * @param number the value, or 0 if it is a text
 * @param text the value, or empty if it is a number
 */
record Position(long number, String text, int id) {

    /** Longer texts with the same beginning are in the order of their ids. It also limits the length of a request. */
    static final int LONGEST_TEXT = 100;

    private static final char SEPARATOR = '.';
    private static final int HEX = 16;

    /** Returns the part of a text that decides about its place. */
    static String beginning(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }

    /** Negative if this position comes before the other one. The order of ids does not depend on the direction. */
    int compare(long otherNumber, String otherText, int otherId, boolean descending) {
        int order = Long.compare(number, otherNumber);
        order = order == 0 ? text.compareTo(otherText) : order;
        if (order == 0) {
            return Integer.compare(id, otherId);
        }
        return (order < 0) == descending ? 1 : -1;
    }

    int compare(Position other, boolean descending) {
        return compare(other.number, other.text, other.id, descending);
    }

    /** As a parameter of a query. Texts of actors are encoded, since they may contain any character. */
    String encode(boolean asText) {
        String value = asText ? encode(text) : Long.toString(number);
        return value + SEPARATOR + Integer.toHexString(id);
    }

    /** Keeps lone surrogates, which no charset can encode: a beginning may have one. */
    private static String encode(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(Character.BYTES * text.length());
        bytes.asCharBuffer().put(text);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static String decode(String encoded) {
        return ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded))
                .asCharBuffer()
                .toString();
    }

    /**
     * Reads an encoded position.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static Position decode(String encoded, boolean asText) {
        int end = encoded.lastIndexOf(SEPARATOR);
        if (end < 0) {
            throw new IllegalArgumentException("a position has a separator");
        }
        String value = encoded.substring(0, end);
        int id = Integer.parseUnsignedInt(encoded.substring(end + 1), HEX);
        return asText ? new Position(0, decode(value), id) : new Position(Long.parseLong(value), "", id);
    }
}
