package io.fibry.spring;

import io.fibry.Overflow;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes an actor of a bean that is a {@link java.util.function.Function} or a {@link java.util.function.Consumer}, or one of
 * {@link io.fibry.ThrowingFunction} and {@link io.fibry.ThrowingConsumer}, which may throw checked exceptions. It stands at the class
 * of the bean or at its {@code @Bean} method.
 *
 * <p>The bean is the actor's behavior. The actor is another bean, whose name is the bean's with {@code Actor} appended: a
 * {@link io.fibry.ReplyActor ReplyActor&lt;M, R&gt;} for a {@code Function<M, R>}, an {@link io.fibry.Actor Actor&lt;M&gt;} for a
 * {@code Consumer<M>}. Inject it by its type; or, if several have that type, with the actor's name as
 * {@link org.springframework.beans.factory.annotation.Qualifier @Qualifier}. The behavior itself is injected only where a qualifier
 * asks for it, so that nobody calls it beside its actor by mistake.
 *
 * <p>The actor lives in the application's {@link io.fibry.ActorSystem}, from the creation of its bean until the context is closed. A
 * wrong use fails the start of the application with a message that says what to do.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FibryActor {

    /** The same as {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** The name of the actor, in logs, in metrics and for {@link io.fibry.ActorSystem#find}. The default is the name of the bean. */
    @AliasFor("value")
    String name() default "";

    /** How many messages may wait in the mailbox. The default, 0, means no limit. */
    int capacity() default 0;

    /** What happens to a message for a full mailbox. Only with a {@link #capacity}. */
    Overflow overflow() default Overflow.BLOCK;

    /** Where the actor gets its threads from. */
    Strategy strategy() default Strategy.SYSTEM;

    /** What happens when the behavior throws. An asker gets the exception in every case; otherwise it is logged. */
    OnFailure onFailure() default OnFailure.RESUME;

    /** Where an actor gets its threads from. */
    enum Strategy {
        /** As the system says: virtual threads, unless it was made with another strategy. */
        SYSTEM,
        /** {@link io.fibry.ThreadStrategy#virtual()}. */
        VIRTUAL,
        /** {@link io.fibry.ThreadStrategy#platform()}. */
        PLATFORM
    }

    /** What happens when a behavior throws. */
    enum OnFailure {
        /** The actor handles its next message. */
        RESUME,
        /** It goes on with a new behavior: the bean must have the scope {@code prototype}. */
        RESTART,
        /** It ends, and the application's health is {@code DOWN}. */
        STOP
    }
}
