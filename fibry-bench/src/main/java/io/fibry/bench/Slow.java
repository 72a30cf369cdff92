package io.fibry.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a benchmark that takes long: how a report saves time. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Slow {

    /** The most forks that are of use, for instance 1 if the time hardly depends on the machine. */
    int forks() default Integer.MAX_VALUE;

    /**
     * The parameters of a quick pass, such as {@code "handlers=1000"} or {@code "live=10,1000"}; the result shows them. The
     * others stay as they are.
     */
    String[] quick();
}
