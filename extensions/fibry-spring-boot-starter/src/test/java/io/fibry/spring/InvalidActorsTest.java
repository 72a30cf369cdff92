package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorContext;
import io.fibry.Overflow;
import io.fibry.ReplyContext;
import io.fibry.spring.FibryActor.OnFailure;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;

/** A wrong use of the annotation fails the start, with a message that contains the solution. */
class InvalidActorsTest {

    static class Neither {
        @Bean
        @FibryActor
        String text() {
            return "";
        }
    }

    static class Both {
        @FibryActor
        @SuppressWarnings("overloads") // two methods andThen
        static class Bean implements Function<String, String>, Consumer<String> {
            @Override
            public String apply(String text) {
                return text;
            }

            @Override
            public void accept(String text) {}
        }
    }

    @SuppressWarnings("rawtypes")
    static class Raw {
        @Bean
        @FibryActor
        Function raw() {
            return text -> text;
        }
    }

    static class SameName {
        @Bean
        @FibryActor("x")
        Consumer<String> one() {
            return text -> {};
        }

        @Bean
        @FibryActor("x")
        Consumer<String> two() {
            return text -> {};
        }
    }

    static class Taken {
        @Bean
        @FibryActor
        Consumer<String> one() {
            return text -> {};
        }

        @Bean
        String oneActor() {
            return "";
        }
    }

    static class Negative {
        @Bean
        @FibryActor(capacity = -1)
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class OverflowOnly {
        @Bean
        @FibryActor(overflow = Overflow.FAIL)
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class RestartOfASingleton {
        @Bean
        @FibryActor(onFailure = OnFailure.RESTART)
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class Unresolved {
        @Bean
        @FibryActor("${mail.name}")
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class NoNumber {
        @Bean
        @FibryActor(capacityString = "${mail.capacity:many}")
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class TwoCapacities {
        @Bean
        @FibryActor(capacity = 1, capacityString = "2")
        Consumer<String> one() {
            return text -> {};
        }
    }

    static class ContextOfASingleton {
        @Bean
        @FibryActor
        Consumer<String> one(ActorContext<String> context) {
            return text -> {};
        }
    }

    static class ContextOfOtherMessages {
        @Scope("prototype")
        @FibryActor
        static class Bean implements Consumer<String> {
            Bean(ActorContext<Integer> context) {}

            @Override
            public void accept(String text) {}
        }
    }

    static class ReplyContextOfAConsumer {
        @Bean
        @Scope("prototype")
        @FibryActor
        Consumer<String> one(ReplyContext<String, String> context) {
            return text -> {};
        }
    }

    static Stream<Arguments> uses() {
        return Stream.of(
                Arguments.of(
                        Neither.class, "neither a Function nor a Consumer. It is java.lang.String", "Function<M, R>"),
                Arguments.of(Both.Bean.class, "more than one kind of actor", "only one"),
                Arguments.of(Raw.class, "the type of its messages is not known", "Function<Order, Receipt>"),
                Arguments.of(SameName.class, "'one' and 'two' have the same name, 'x'", "a name of its own"),
                Arguments.of(Taken.class, "there is another bean 'oneActor'", "Rename"),
                Arguments.of(Negative.class, "has the capacity -1", "no limit"),
                Arguments.of(OverflowOnly.class, "overflow = FAIL, but its mailbox has no limit", "Set capacity"),
                Arguments.of(RestartOfASingleton.class, "only one instance", "@Scope(\"prototype\")"),
                Arguments.of(
                        Unresolved.class, "name of @FibryActor at the bean 'one' has no value", "Set the property"),
                Arguments.of(NoNumber.class, "'many', from ${mail.capacity:many}, which is not a number", "to 0"),
                Arguments.of(TwoCapacities.class, "both capacity and capacityString", "Leave out one"),
                Arguments.of(ContextOfASingleton.class, "its actor does not create it", "Add @Scope(\"prototype\")"),
                Arguments.of(
                        ContextOfOtherMessages.Bean.class,
                        "the context of its actor is a io.fibry.ActorContext<java.lang.String>",
                        "Change the type of the parameter to io.fibry.ActorContext<java.lang.String>"),
                Arguments.of(
                        ReplyContextOfAConsumer.class,
                        "the context of its actor is a io.fibry.ActorContext<java.lang.String>",
                        "Change the type of the parameter"));
    }

    @ParameterizedTest
    @MethodSource("uses")
    void theMessageNamesTheSolution(Class<?> configuration, String problem, String action) {
        Contexts.with(configuration).run(context -> {
            Throwable failure = context.getStartupFailure();
            assertEquals(InvalidActorException.class, failure.getClass());
            FailureAnalysis analysis = new InvalidActorAnalyzer().analyze(failure);
            assertTrue(analysis.getDescription().contains(problem), analysis.getDescription());
            assertTrue(analysis.getAction().contains(action), analysis.getAction());
            assertTrue(failure.getMessage().contains(action), failure.getMessage());
        });
    }
}
