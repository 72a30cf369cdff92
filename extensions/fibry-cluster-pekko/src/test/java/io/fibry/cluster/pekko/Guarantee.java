package io.fibry.cluster.pekko;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A cell in the table of guarantees of {@code docs/cluster.md} that a test checks. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Guarantee.All.class)
public @interface Guarantee {

    /** The event: the first cell of the row, up to a colon. */
    String event();

    /** The heads of the columns. */
    String[] of();

    /** All cells that a test checks. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    public @interface All {
        Guarantee[] value();
    }
}
