package io.fibry.spring;

import io.fibry.SystemOptions;

/**
 * Changes the options of the actor system that the starter defines. Every bean of this type is called once, when the
 * system is created, in the order of {@link org.springframework.core.annotation.Order @Order}; the first one gets the
 * options from the properties, and each of the others the result of the one before. A customizer must not depend on the
 * {@link io.fibry.ActorSystem}. It is not called for a system that the application defines. An exception fails the
 * start of the application.
 *
 * <pre>{@code
 * @Bean
 * ActorSystemCustomizer pool(ExecutorService threads) {
 *     return options -> options.strategy(ThreadStrategy.pool(threads));
 * }
 * }</pre>
 */
@FunctionalInterface
public interface ActorSystemCustomizer {

    /** Returns the options that replace the given ones; not null. */
    SystemOptions customize(SystemOptions options);
}
