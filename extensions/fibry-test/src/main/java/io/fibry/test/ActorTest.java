package io.fibry.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs many times, each time with a different schedule of its actors. The method may have a parameter of
 * the type {@link TestSystem}; systems that it creates with {@code ActorSystem.create} also belong to the test.
 *
 * {@snippet class = "TestSnippets" region = "actorTest"}
 *
 * <p>A failing run is repeated with a trace, and its failure contains the annotation that repeats it. All runs use the
 * same instance of the test class, after a single call of its {@code BeforeEach} methods and before a single call of
 * its {@code AfterEach} methods. Keep the state of a run in local variables of the method.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(ActorTestExtension.class)
public @interface ActorTest {

    /**
     * The number of schedules: the seeds from 1 to this number, or the maximum number of schedules with
     * {@link Strategy#ALL}.
     */
    int seeds() default 100;

    /** The strategy. */
    Strategy strategy() default Strategy.RANDOM;

    /** The number of ordering points that a bug depends on, for {@link Strategy#PCT}. */
    int depth() default 3;

    /** The only seed to run, as reported by a failure; 0 for all seeds. */
    long seed() default 0;

    /** The only schedule to run, as reported by a failure with {@link Strategy#ALL}. */
    String schedule() default "none";
}
