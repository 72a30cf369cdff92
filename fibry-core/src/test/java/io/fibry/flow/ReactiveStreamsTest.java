package io.fibry.flow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The technology compatibility kit of Reactive Streams. It skips the rules that it cannot check from outside. */
@Timeout(120)
class ReactiveStreamsTest {

    /** The kit does not end all of its subscriptions; the close of their system does. */
    private static ActorSystem system;

    private static final TestEnvironment ENVIRONMENT = new TestEnvironment(2_000, 100);

    @Test
    void aPublisherOfAGeneratorObeysTheRules() {
        check(OfGenerator.class, 26);
    }

    @Test
    void aPublisherOfATopicObeysTheRules() {
        check(OfTopic.class, 25);
    }

    @Test
    void aSubscriberObeysTheRules() {
        check(OfSubscriber.class, 11);
    }

    private static void check(Class<?> rules, int atLeast) {
        var results = new TestListenerAdapter();
        var kit = new TestNG(false);
        kit.setTestClasses(new Class<?>[] {rules});
        kit.addListener(results);
        system = ActorSystem.create();
        try {
            kit.run();
        } finally {
            system.close(Duration.ZERO);
        }
        assertEquals(
                List.of(),
                results.getFailedTests().stream().map(ReactiveStreamsTest::text).toList());
        assertTrue(
                results.getPassedTests().size() >= atLeast,
                "passed " + results.getPassedTests().size());
    }

    private static String text(ITestResult result) {
        return result.getName() + ": " + result.getThrowable();
    }

    /** Rules with a time limit that a busy machine may exceed. */
    public abstract static class OfPublisher extends FlowPublisherVerification<Long> {

        OfPublisher() {
            super(ENVIRONMENT);
        }

        /** The kit waits 300 ms, collects garbage once, and expects the result within 100 ms. */
        @Override
        @org.testng.annotations.Test
        public void required_spec313_cancelMustMakeThePublisherEventuallyDropAllReferencesToTheSubscriber() {
            Flow.Publisher<Long> publisher = createFlowPublisher(3);
            WeakReference<Object> subscriber = cancelled(publisher);
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                System.gc();
                return subscriber.get() == null;
            });
            assertNotNull(publisher);
        }

        /** A subscriber that has cancelled after its first element. */
        private static WeakReference<Object> cancelled(Flow.Publisher<Long> publisher) {
            var first = new CountDownLatch(1);
            var subscriber = new Flow.Subscriber<Long>() {
                private Flow.Subscription subscription;

                @Override
                public void onSubscribe(Flow.Subscription itsSubscription) {
                    subscription = itsSubscription;
                    subscription.request(1);
                }

                @Override
                public void onNext(Long element) {
                    subscription.cancel();
                    first.countDown();
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onComplete() {}
            };
            publisher.subscribe(subscriber);
            try {
                assertTrue(first.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new WeakReference<>(subscriber);
        }
    }

    public static final class OfGenerator extends OfPublisher {

        @Override
        public Flow.Publisher<Long> createFlowPublisher(long elements) {
            return Stereotypes.def().in(system).publisher(generator(elements));
        }

        private static Generator<Long> generator(long elements) {
            return Stereotypes.def()
                    .in(system)
                    .generator(
                            out -> {
                                for (long i = 0; i < elements; i++) {
                                    out.accept(i);
                                }
                            },
                            GeneratorOptions.defaults());
        }

        /** It is read already. */
        @Override
        public Flow.Publisher<Long> createFailedFlowPublisher() {
            Generator<Long> generator = generator(1);
            var unused = generator.iterator();
            return Stereotypes.def().in(system).publisher(generator);
        }
    }

    public static final class OfTopic extends OfPublisher {

        @Override
        public long maxElementsFromPublisher() {
            return 1_000;
        }

        @Override
        public Flow.Publisher<Long> createFlowPublisher(long elements) {
            LocalTopic<Long> topic = Stereotypes.def().in(system).topic(TopicOptions.defaults());
            Flow.Publisher<Long> publisher = Stereotypes.def().in(system).publisher(topic, 1_000, Overflow.DROP_NEWEST);
            return subscriber -> {
                publisher.subscribe(subscriber);
                for (long i = 0; i < elements; i++) {
                    topic.publish(i);
                }
                topic.stop();
            };
        }

        /** Its system is closed. */
        @Override
        public Flow.Publisher<Long> createFailedFlowPublisher() {
            var closed = ActorSystem.create();
            var stereotypes = Stereotypes.def().in(closed);
            LocalTopic<Long> topic = stereotypes.topic(TopicOptions.defaults());
            closed.close();
            return stereotypes.publisher(topic, 1, Overflow.DROP_NEWEST);
        }
    }

    public static final class OfSubscriber extends FlowSubscriberBlackboxVerification<Integer> {

        public OfSubscriber() {
            super(ENVIRONMENT);
        }

        @Override
        public Flow.Subscriber<Integer> createFlowSubscriber() {
            return Stereotypes.def().in(system).flowSubscriber(4, item -> {});
        }

        @Override
        public Integer createElement(int element) {
            return element;
        }
    }
}
