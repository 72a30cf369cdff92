package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ThrowingFunction;
import io.fibry.spring.FibryActor.OnFailure;
import io.fibry.spring.FibryActor.Strategy;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;

/** Actors are injected by their types and their names, and have the options of the annotation. */
@Timeout(60)
class ActorBeansTest {

    record Order(String item) {}

    /** State of one actor. */
    @FibryActor("till")
    static final class Sum implements Function<Integer, Integer> {
        private int sum;

        @Override
        public Integer apply(Integer n) {
            sum += n;
            return sum;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Sum.class)
    static class Shop {

        final CompletableFuture<List<Order>> shipped = new CompletableFuture<>();

        @Bean
        @FibryActor
        Function<Order, List<String>> pricing() {
            return order -> List.of(order.item(), "7");
        }

        @Bean
        @FibryActor(capacity = 10)
        Consumer<List<Order>> shipping() {
            return shipped::complete;
        }

        @Bean
        @FibryActor(name = "eu-tax")
        Function<Integer, Long> euTax() {
            return net -> net * 21L / 100;
        }

        @Bean
        @FibryActor(name = "us-tax")
        Function<Integer, Long> usTax() {
            return net -> net * 7L / 100;
        }
    }

    record Client(
            ReplyActor<Order, List<String>> prices,
            Actor<List<Order>> carrier,
            ReplyActor<Integer, Integer> sum,
            @Qualifier("eu-tax") ReplyActor<Integer, Long> tax,
            ReplyActor<Integer, Long> usTaxActor) {}

    @Test
    void injectsByTypeByQualifierAndByTheNameOfTheBean() {
        Contexts.with(Shop.class, Client.class).run(context -> {
            var client = context.getBean(Client.class);
            assertEquals(List.of("pen", "7"), client.prices.call(new Order("pen")));
            client.carrier.tell(List.of(new Order("ink")));
            assertEquals(
                    List.of(new Order("ink")),
                    context.getBean(Shop.class).shipped.get());
            assertEquals(21, client.tax.call(100));
            assertEquals(7, client.usTaxActor.call(100));
            client.sum.call(1);
            assertEquals(3, client.sum.call(2));
            assertSame(client.sum, context.getBean("io.fibry.spring.ActorBeansTest$SumActor"));
        });
    }

    @Test
    void namesComeFromTheAnnotationOrTheBean() {
        Contexts.with(Shop.class, Client.class).run(context -> {
            var client = context.getBean(Client.class);
            assertEquals("pricing", client.prices.name());
            assertEquals("till", client.sum.name());
            assertSame(
                    client.sum, context.getBean(ActorSystem.class).find("till").orElseThrow());
        });
    }

    record TwoOfAType(ReplyActor<Integer, Long> tax) {}

    @Test
    void twoOfATypeNeedAQualifier() {
        Contexts.with(Shop.class, TwoOfAType.class).run(context -> {
            String failure = context.getStartupFailure().getMessage();
            assertTrue(failure.contains("expected single matching bean but found 2: euTaxActor,usTaxActor"), failure);
        });
    }

    record Passer(Function<Order, List<String>> behavior) {}

    record Insider(@Qualifier("pricing") Function<Order, List<String>> behavior) {}

    @Test
    void theBehaviorIsInjectedOnlyOnDemand() {
        Contexts.with(Shop.class, Passer.class).run(context -> {
            String failure = context.getStartupFailure().getMessage();
            assertTrue(failure.contains("No qualifying bean of type 'java.util.function.Function<"), failure);
        });
        Contexts.with(Shop.class, Insider.class)
                .run(context -> assertSame(context.getBean("pricing"), context.getBean(Insider.class).behavior));
    }

    @Configuration(proxyBeanMethods = false)
    static class Favorite {
        @Bean
        @Primary
        @FibryActor
        Function<Integer, Long> doubled() {
            return n -> n * 2L;
        }
    }

    @Test
    void aPrimaryBehaviorMakesAPrimaryActor() {
        Contexts.with(Shop.class, Favorite.class, TwoOfAType.class)
                .run(context ->
                        assertEquals(8, context.getBean(TwoOfAType.class).tax.call(4)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Options {

        final CountDownLatch go = new CountDownLatch(1);

        @Bean
        @FibryActor(capacity = 1, overflow = Overflow.FAIL)
        Consumer<String> slow() {
            return text -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
        }

        @Bean
        @FibryActor(strategy = Strategy.PLATFORM)
        Function<String, Thread> platform() {
            return text -> Thread.currentThread();
        }

        @Bean
        @FibryActor(strategy = Strategy.VIRTUAL)
        ThrowingFunction<Integer, Thread> virtual() {
            return n -> {
                if (n == 0) {
                    throw new IOException("zero");
                }
                return Thread.currentThread();
            };
        }
    }

    @Test
    void theOptionsHold() {
        Contexts.with(Options.class).run(context -> {
            Actor<String> slow = context
                    .<Actor<String>>getBeanProvider(
                            org.springframework.core.ResolvableType.forClassWithGenerics(Actor.class, String.class))
                    .stream()
                    .filter(actor -> !(actor instanceof ReplyActor))
                    .findFirst()
                    .orElseThrow();
            slow.tell("running, or waiting");
            assertThrows(MailboxFullException.class, () -> {
                slow.tell("waiting");
                slow.tell("one too many");
            });
            context.getBean(Options.class).go.countDown();
            assertFalse(reply(context.getBean("platformActor"), "").isVirtual());
            assertTrue(reply(context.getBean("virtualActor"), 1).isVirtual());
            assertThrows(IOException.class, () -> reply(context.getBean("virtualActor"), 0));
        });
    }

    @SuppressWarnings("unchecked") // the tests know the types
    private static Thread reply(Object actor, Object message) throws Exception {
        return ((ReplyActor<Object, Thread>) actor).call(message);
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @Bean
        @Scope("prototype")
        @FibryActor(onFailure = OnFailure.RESTART)
        Function<String, Integer> restarting() {
            var handled = new int[1];
            return text -> {
                handled[0]++;
                return Integer.parseInt(text) + handled[0];
            };
        }

        @Bean
        @FibryActor(onFailure = OnFailure.STOP)
        Function<Integer, Integer> stopping() {
            return n -> 1 / n;
        }
    }

    record Failures(ReplyActor<String, Integer> restarting, ReplyActor<Integer, Integer> stopping) {}

    @Test
    void aFailureRestartsOrStops() {
        Contexts.with(Failing.class, Failures.class).run(context -> {
            var actors = context.getBean(Failures.class);
            assertEquals(11, actors.restarting.call("10"));
            assertEquals(12, actors.restarting.call("10"));
            assertThrows(NumberFormatException.class, () -> actors.restarting.call("ten"));
            assertEquals(11, actors.restarting.call("10"));
            assertThrows(ArithmeticException.class, () -> actors.stopping.call(0));
            assertEquals(ActorExit.Reason.FAILED, actors.stopping.exit().join().reason());
            assertNotEquals(context.getBean("restarting"), context.getBean("restarting"));
        });
    }
}
