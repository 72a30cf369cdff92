package io.fibry.testing;

import io.fibry.ThreadStrategy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A contract test that holds for every strategy: its parameter is the {@link ThreadStrategy}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@ArgumentsSource(AllStrategies.Source.class)
public @interface AllStrategies {

    /** Whether the test is applicable if the sender's own thread handles the message. */
    boolean direct() default false;

    /** The strategies. */
    final class Source implements ArgumentsProvider, AnnotationConsumer<AllStrategies> {

        /** An unlimited number of threads, which lets handlers block; they end with the JVM. */
        private static final Executor THREADS = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name("test-pool-", 0).factory());

        private boolean direct;

        @Override
        public void accept(AllStrategies annotation) {
            direct = annotation.direct();
        }

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            var strategies = Stream.of(
                    Named.of("virtual", ThreadStrategy.virtual()),
                    Named.of("platform", ThreadStrategy.platform()),
                    Named.of("pool, a virtual thread per task", ThreadStrategy.pool(Thread::startVirtualThread)),
                    Named.of("pool of platform threads", ThreadStrategy.pool(THREADS)));
            var inTheSender = Stream.of(Named.of("pool, Runnable::run", ThreadStrategy.pool(Runnable::run)));
            return Stream.concat(strategies, direct ? inTheSender : Stream.empty())
                    .map(Arguments::of);
        }
    }
}
