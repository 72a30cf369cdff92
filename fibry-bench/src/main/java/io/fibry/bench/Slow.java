package io.fibry.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a slow benchmark, with reduced parameters for a quick pass. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Slow {

    /**
     * The parameters of a quick pass, such as {@code "handlers=1000"} or {@code "live=10,1000"}; the result shows them.
     * Other parameters are unchanged.
     */
    String[] quick();
}
