package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.spring.FibryActor.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;

/** A behavior with the scope prototype gets the context of its actor. */
@Timeout(60)
class ContextTest {

    /** Has its context from the constructor, and another bean. */
    @Scope("prototype")
    @FibryActor
    static final class Session implements Consumer<String> {
        private final BlockingQueue<String> log;
        private final ActorContext<String> context;

        Session(BlockingQueue<String> log, ActorContext<String> context) {
            this.log = log;
            this.context = context;
            context.after(Duration.ofMillis(1), "from the timer");
        }

        @Override
        public void accept(String text) {
            log.add(context.self().name() + ": " + text);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Session.class)
    static class Actors {
        final List<ActorContext<?>> contexts = new CopyOnWriteArrayList<>();

        @Bean
        BlockingQueue<String> log() {
            return new LinkedBlockingQueue<>();
        }

        @Bean
        @Scope("prototype")
        @FibryActor(name = "deferring", onFailure = OnFailure.RESTART)
        ThrowingFunction<Integer, Integer> deferring(
                @Qualifier("nested") ReplyActor<String, String> nested, ReplyContext<Integer, Integer> context) {
            contexts.add(context);
            return n -> {
                ReplyTo<Integer> later = context.deferReply();
                later.reply(100 / n + nested.call("four").length());
                return 0;
            };
        }

        /** Created while the one above is created. */
        @Bean
        @Scope("prototype")
        @FibryActor
        Function<String, String> nested(ActorContext<String> context) {
            contexts.add(context);
            return text -> context.self().name();
        }
    }

    @Test
    void aClassGetsTheContextAndItsTimersWork() {
        Contexts.with(Actors.class).run(context -> {
            @SuppressWarnings("unchecked") // the type of the bean
            var log = (BlockingQueue<String>) context.getBean("log");
            String name = Session.class.getName();
            assertEquals(name + ": from the timer", log.take());
            context.getBean(ActorSystem.class).<String>find(name).orElseThrow().tell("hello");
            assertEquals(name + ": hello", log.take());
        });
    }

    record Client(@Qualifier("deferring") ReplyActor<Integer, Integer> deferring) {}

    @Test
    void eachActorGetsItsOwnContextAndKeepsItAfterARestart() {
        Contexts.with(Actors.class, Client.class).run(context -> {
            var actor = context.getBean(Client.class).deferring;
            assertEquals(106, actor.call(1));
            assertThrows(ArithmeticException.class, () -> actor.call(0));
            assertEquals(106, actor.call(1));
            var contexts = context.getBean(Actors.class).contexts;
            assertEquals(3, contexts.size());
            ActorContext<?> own = contexts.getLast();
            assertSame(own.self(), actor);
            assertEquals(
                    2,
                    contexts.stream()
                            .filter(one -> one.self().equals(own.self()))
                            .count());
            assertNotSame(contexts.get(0), contexts.get(1));
        });
    }

    static class Outside {
        @Bean
        String outside(ActorContext<String> context) {
            return context.toString();
        }
    }

    @Test
    void noOtherBeanGetsAContext() {
        Contexts.with(Outside.class).run(context -> {
            var analysis = new InvalidActorAnalyzer().analyze(context.getStartupFailure());
            assertTrue(analysis.getDescription().contains("not the behavior of an actor"), analysis::getDescription);
            assertTrue(analysis.getAction().contains("@Scope(\"prototype\")"), analysis::getAction);
        });
    }

    static class Placeholders {
        final CountDownLatch go = new CountDownLatch(1);

        @Bean
        @FibryActor(name = "${mail.name}-actor", capacityString = "${mail.capacity:7}", overflow = Overflow.FAIL)
        ThrowingConsumer<String> mail() {
            return text -> go.await();
        }
    }

    record Sender(@Qualifier("mail") Actor<String> mail) {}

    /** Fills the mailbox, and returns its capacity. */
    private static int capacity(Actor<String> actor) {
        int accepted = 0;
        while (actor.tryTell("waits")) {
            accepted++;
        }
        return accepted;
    }

    @Test
    void attributesMayContainPlaceholders() {
        Contexts.with(Placeholders.class, Sender.class)
                .withPropertyValues("mail.name=post", "mail.capacity=2")
                .run(context -> {
                    var mail = context.getBean(Sender.class).mail;
                    assertEquals("post-actor", mail.name());
                    assertSame(
                            mail,
                            context.getBean(ActorSystem.class)
                                    .find("post-actor")
                                    .orElseThrow());
                    int accepted = capacity(mail);
                    assertTrue(accepted == 2 || accepted == 3, "one message may be in the handler: " + accepted);
                    context.getBean(Placeholders.class).go.countDown();
                });
    }
}
