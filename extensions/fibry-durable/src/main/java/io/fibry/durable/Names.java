package io.fibry.durable;

import java.nio.charset.StandardCharsets;

/** Checks the names that are stored as texts: a value that does not fit must not be discovered by the database. */
final class Names {

    /** The maximum length of the names of types, topics, reminders and projections. */
    static final int TYPE_LENGTH = 100;

    /** Type and id together must fit into an entry of PostgreSQL's index, about 2,700 bytes. */
    static final int ID_LENGTH = 500;

    static final int REQUEST_LENGTH = 100;

    private Names() {}

    static void checkType(String type) {
        check("type", type, TYPE_LENGTH);
    }

    static void checkId(String id) {
        check("key", id, ID_LENGTH);
    }

    static void checkReminder(String name) {
        check("name of the reminder", name, TYPE_LENGTH);
    }

    static void checkTopic(String topic) {
        check("topic", topic, TYPE_LENGTH);
    }

    static void checkProjection(String name) {
        check("name", name, TYPE_LENGTH);
    }

    static void checkRequest(String requestKey) {
        check("requestKey", requestKey, REQUEST_LENGTH);
    }

    /** PostgreSQL does not support the character 0 in texts, and two ids with invalid Unicode could become equal. */
    private static void check(String what, String name, int max) {
        if (name.isEmpty() || name.length() > max) {
            throw new IllegalArgumentException(what + " must have 1 to " + max + " characters, not " + name.length());
        }
        if (name.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(what + " must have neither the character 0 nor half a surrogate pair");
        }
    }
}
