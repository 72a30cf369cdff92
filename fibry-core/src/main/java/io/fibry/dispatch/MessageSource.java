package io.fibry.dispatch;

/** The ways in which a message reaches its actor. */
public enum MessageSource {
    /** A {@code tell}, an ask or a task. */
    SENT(0),
    TIMER(1),
    /** The result of a stage. */
    PIPED(2),
    /** An event of the library, such as the end of a watched actor. */
    INTERNAL(3);

    /** The place of its count in an array. */
    public final int index;

    MessageSource(int index) {
        this.index = index;
    }
}
