package io.fibry.observer;

import io.fibry.dispatch.JsonObject;
import io.fibry.dispatch.LogText;

/**
 * A JSON object for the page. Texts are cut, because the names and exceptions of users may be of any length. They are
 * {@linkplain LogText#plain plain texts}: the page shows them as they are, and a control character could reverse a line
 * of it.
 */
final class Json extends JsonObject {

    static final int LONGEST_TEXT = 300;

    @Override
    protected String shown(String text) {
        return cut(text);
    }

    /** Returns a JSON string of the cut text. */
    static String quotedText(String text) {
        return quoted(cut(text));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_TEXT
                ? LogText.plain(text)
                : LogText.plain(text.substring(0, LONGEST_TEXT)) + "\u2026";
    }
}
