package io.fibry.testing;

import io.fibry.ThreadStrategy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A test of limits that a server's own thread or timer enforces. The result depends at most on whether a handler blocks
 * a virtual or a platform thread, not on the source of the threads, so these two strategies are enough. Its parameter
 * is the {@link ThreadStrategy}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(ThreadKinds.Source.class)
public @interface ThreadKinds {

    /** The strategies. */
    final class Source implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            return Stream.of(
                    Arguments.of(Named.of("virtual", ThreadStrategy.virtual())),
                    Arguments.of(Named.of("platform", ThreadStrategy.platform())));
        }
    }
}
