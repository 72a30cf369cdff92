package io.fibry.codec;

import java.util.Arrays;

/**
 * Validates CBOR bytes in one pass before they are parsed: lengths, nesting depth, trailing bytes. Accepts only the
 * subset of CBOR that {@link RecordCodec} writes. Other input could make the parser allocate or compute excessively:
 * string references (tags 25 and 256) repeat a long text many times, and the parser copies all tags of a value for each
 * tag.
 */
final class CborForm {

    private static final int BYTES = 2;
    private static final int TEXT = 3;
    private static final int ARRAY = 4;
    private static final int MAP = 5;
    private static final int TAG = 6;

    /** About 10,000 digits. Converting a number of a million digits takes seconds. */
    private static final int MAX_NUMBER = 4096;

    private static final int INDEFINITE = 31;
    private static final int BREAK = 0xFF;

    /** The depth of most messages. The arrays grow for others. */
    private static final int USUAL_DEPTH = 7;

    private final byte[] bytes;
    private final int maxDepth;
    private int at;

    /** The number of remaining items per level; negative for indefinite lengths, -1 also before a key of a map. */
    private long[] left = new long[USUAL_DEPTH + 1];

    private boolean[] inMap = new boolean[USUAL_DEPTH + 1];
    private int depth;

    private CborForm(byte[] bytes, int maxDepth) {
        this.bytes = bytes;
        this.maxDepth = maxDepth;
    }

    /**
     * Checks that the bytes are exactly one value.
     *
     * @throws CodecException if they are not
     */
    static void check(byte[] bytes, int maxDepth) {
        var form = new CborForm(bytes, maxDepth);
        form.left[0] = 1;
        while (form.hasMore()) {
            form.item();
        }
        if (form.at < bytes.length) {
            throw form.bad("the message has ended, but bytes follow");
        }
    }

    private boolean hasMore() {
        while (left[depth] == 0) {
            if (depth == 0) {
                return false;
            }
            depth--;
        }
        return true;
    }

    private void item() {
        int head = next();
        if (head == BREAK) {
            if (left[depth] != -1) {
                throw bad("an end that ends nothing");
            }
            depth--;
            return;
        }
        count();
        if (head >> 5 == TAG) {
            tagged(argument(head & 0x1F));
        } else {
            value(head);
        }
    }

    private void tagged(long tag) {
        int head = next();
        switch ((int) Math.min(tag, Integer.MAX_VALUE)) {
            case 2, 3 -> largeInteger(head);
            case 4 -> decimal(head);
            default -> throw bad("tag " + tag);
        }
    }

    private void largeInteger(int head) {
        long length = head >> 5 == BYTES && head != (BYTES << 5 | INDEFINITE) ? argument(head & 0x1F) : -1;
        if (length < 0 || length > MAX_NUMBER) {
            throw bad("a number of " + length + " bytes");
        }
        skip(length);
    }

    /** Two integers: the exponent and the digits. */
    private void decimal(int head) {
        if (head != (ARRAY << 5 | 2)) {
            throw bad("a decimal of another form");
        }
        for (int i = 0; i < 2; i++) {
            int part = next();
            switch (part >> 5) {
                case 0, 1 -> argument(part & 0x1F);
                case TAG -> decimalTag(argument(part & 0x1F), i);
                default -> throw bad("a decimal of another form");
            }
        }
    }

    private void decimalTag(long tag, int part) {
        if (part == 0 || tag < 2 || tag > 3) {
            throw bad("a decimal of another form");
        }
        largeInteger(next());
    }

    private void value(int head) {
        int info = head & 0x1F;
        switch (head >> 5) {
            case BYTES, TEXT -> string(head >> 5, info);
            case ARRAY -> enter(info == INDEFINITE ? -1 : argument(info), false);
            case MAP -> enter(info == INDEFINITE ? -1 : pairs(argument(info)), true);
            default -> argument(info); // numbers, true, false and null
        }
    }

    /** In an indefinite map, -1 and -2 alternate: the map must not end between a key and its value. */
    private void count() {
        if (left[depth] > 0) {
            left[depth]--;
        } else if (inMap[depth]) {
            left[depth] = -3 - left[depth];
        }
    }

    private long pairs(long count) {
        return count > bytes.length ? count : 2 * count;
    }

    private void enter(long items, boolean map) {
        if (items > bytes.length - at) {
            throw bad("a length of " + items);
        }
        if (depth == maxDepth) {
            throw bad("more than " + maxDepth + " levels");
        }
        if (++depth == left.length) {
            left = Arrays.copyOf(left, 2 * left.length);
            inMap = Arrays.copyOf(inMap, left.length);
        }
        left[depth] = items;
        inMap[depth] = map;
    }

    private void string(int major, int info) {
        if (info != INDEFINITE) {
            skip(argument(info));
            return;
        }
        int head = next();
        while (head != BREAK) {
            if (head >> 5 != major) {
                throw bad("a part of another kind in a text or in bytes");
            }
            skip(argument(head & 0x1F));
            head = next();
        }
    }

    private long argument(int info) {
        if (info < 24) {
            return info;
        }
        if (info > 27) {
            throw bad("an unknown head");
        }
        long value = 0;
        for (int i = 1 << (info - 24); i > 0; i--) {
            value = value << 8 | next();
        }
        // A number may use all 64 bits. As a length, it would be negative: too large.
        return value < 0 ? Long.MAX_VALUE : value;
    }

    private void skip(long length) {
        if (length > bytes.length - at) {
            throw bad("a length of " + length);
        }
        at += (int) length;
    }

    private int next() {
        if (at == bytes.length) {
            throw bad("the end is missing");
        }
        return bytes[at++] & 0xFF;
    }

    private CodecException bad(String what) {
        return new CodecException(what + ", at byte " + at + " of " + bytes.length, null);
    }
}
