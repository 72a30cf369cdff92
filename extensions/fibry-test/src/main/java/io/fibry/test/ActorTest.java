package io.fibry.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs many times, each time with another schedule of its actors. The method may have a parameter of the type {@link
 * TestSystem}; systems that it makes with {@code ActorSystem.create} belong to the test as well.
 *
 * {@snippet class = "TestSnippets" region = "actorTest"}
 *
 * <p>A run that fails is repeated with a trace, and its failure says which annotation repeats it. The runs follow each other on
 * one instance of the test class, between one call of its {@code BeforeEach} methods and one of its {@code AfterEach} methods. So
 * keep the state of a run in variables of the method.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(ActorTestExtension.class)
public @interface ActorTest {

    /** How many schedules to run: with the seeds from 1 to this number, or at most so many with {@link Strategy#ALL}. */
    int seeds() default 100;

    /** The strategy. */
    Strategy strategy() default Strategy.RANDOM;

    /** How many points of order a bug depends on, for {@link Strategy#PCT}. */
    int depth() default 3;

    /** Runs only this seed, as a failure has named it; 0 for all. */
    long seed() default 0;

    /** Runs only this schedule, as a failure with {@link Strategy#ALL} has named it. */
    String schedule() default "none";
}
