package io.fibry.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a benchmark that takes long: how a quick pass saves time. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Slow {

    /**
     * The parameters of a quick pass, such as {@code "handlers=1000"} or {@code "live=10,1000"}; the result shows them. The
     * others stay as they are.
     */
    String[] quick();
}
