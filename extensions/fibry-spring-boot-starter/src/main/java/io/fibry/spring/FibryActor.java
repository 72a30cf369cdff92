package io.fibry.spring;

import io.fibry.Overflow;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Creates an actor from a bean that is a {@link java.util.function.Function} or a {@link java.util.function.Consumer},
 * or a {@link io.fibry.ThrowingFunction} or {@link io.fibry.ThrowingConsumer}, which may throw checked exceptions.
 * Annotate the class of the bean or its {@code @Bean} method.
 *
 * <p>The bean is the actor's behavior. The actor is a separate bean, whose name is the name of the behavior with
 * {@code Actor} appended: a {@link io.fibry.ReplyActor ReplyActor&lt;M, R&gt;} for a {@code Function<M, R>}, an
 * {@link io.fibry.Actor Actor&lt;M&gt;} for a {@code Consumer<M>}. Inject it by its type or, if several actors have the
 * same type, with its name as {@link org.springframework.beans.factory.annotation.Qualifier @Qualifier}. The behavior
 * itself is injected only with a qualifier, which prevents accidental calls that bypass the actor.
 *
 * <p>A behavior with the scope {@code prototype} is created by its actor, once at the start and once for each restart.
 * Its constructor or {@code @Bean} method may have a parameter of the type {@link io.fibry.ActorContext
 * ActorContext&lt;M&gt;}, or {@link io.fibry.ReplyContext ReplyContext&lt;M, R&gt;} for a {@code Function<M, R>}:
 *
 * <pre>{@code
 * @Bean
 * @Scope("prototype")
 * @FibryActor
 * Consumer<String> session(ActorContext<String> context) {
 *     context.receiveTimeout(Duration.ofMinutes(5), "idle");
 *     return message -> System.out.println("session: " + message);
 * }
 * }</pre>
 *
 * <p>The actor lives in the application's {@link io.fibry.ActorSystem}, from the creation of its bean until the context
 * is closed. An invalid use fails the start of the application with a message that explains the fix.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FibryActor {

    /** Alias of {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /**
     * The name of the actor, in logs, in metrics, for {@link io.fibry.ActorSystem#find} and as a qualifier. The default
     * is the name of the bean. May contain placeholders for properties, such as <code>${mail.name}</code>; the
     * qualifier is then the name of the bean.
     */
    @AliasFor("value")
    String name() default "";

    /** The capacity of the mailbox. The default, 0, means unbounded. */
    int capacity() default 0;

    /**
     * The {@link #capacity} as a text with placeholders for properties, such as <code>${mail.capacity:1000}</code>. The
     * default, an empty text, means that {@code capacity} applies.
     */
    String capacityString() default "";

    /** The overflow policy of the mailbox. Requires a {@link #capacity} or a {@link #capacityString}. */
    Overflow overflow() default Overflow.BLOCK;

    /** The thread strategy of the actor. */
    Strategy strategy() default Strategy.SYSTEM;

    /** The supervision of the actor. In every case, an exception fails the ask, or is logged if there is no asker. */
    OnFailure onFailure() default OnFailure.RESUME;

    /** A thread strategy. */
    enum Strategy {
        /** The strategy of the system: virtual threads by default. */
        SYSTEM,
        /** {@link io.fibry.ThreadStrategy#virtual()}. */
        VIRTUAL,
        /** {@link io.fibry.ThreadStrategy#platform()}. */
        PLATFORM
    }

    /** A supervision. */
    enum OnFailure {
        /** The actor handles its next message. */
        RESUME,
        /** The actor continues with a new behavior: the bean must have the scope {@code prototype}. */
        RESTART,
        /** The actor ends, and the application's health is {@code DOWN}. */
        STOP
    }
}
