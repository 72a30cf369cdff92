package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Discovery;
import io.fibry.spring.FakeCluster.Node;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** The node that the starter defines, and its leave. */
@Timeout(60)
class ClusterNodeTest {

    private static ApplicationContextRunner with(Class<?>... configurations) {
        return Contexts.with(configurations)
                .withPropertyValues("fibry.cluster.host=127.0.0.1", "fibry.cluster.seeds=127.0.0.1:7001");
    }

    @BeforeEach
    void noNode() {
        FakeCluster.NODES.clear();
    }

    @Test
    void thePropertiesAreTheOptions() {
        with().withPropertyValues(
                        "spring.application.name=shop",
                        "fibry.cluster.host=10.0.0.2",
                        "fibry.cluster.port=7002",
                        "fibry.cluster.bind-host=0.0.0.0",
                        "fibry.cluster.seeds=10.0.0.1:7001,10.0.0.2:7002",
                        "fibry.cluster.secret=a secret of more than twenty characters")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(ClusterSystem.class);
                    ClusterOptions options = FakeCluster.NODES.getFirst().options;
                    assertEquals("shop", options.name());
                    assertEquals("10.0.0.2:7002", options.host() + ":" + options.port());
                    assertEquals("0.0.0.0:7002", options.bindHost() + ":" + options.bindPort());
                    assertEquals(new Discovery.Seeds(List.of("10.0.0.1:7001", "10.0.0.2:7002")), options.discovery());
                    assertNotNull(options.tls());
                    assertFalse(options.leaveAtExit(), "SIGTERM would make the node leave before the web server");
                });
        with().withPropertyValues(
                        "fibry.cluster.name=other", "fibry.cluster.host=10.0.0.2", "fibry.cluster.insecure=true")
                .run(context -> {
                    assertEquals("other", FakeCluster.NODES.getLast().options.name());
                    assertNull(FakeCluster.NODES.getLast().options.tls());
                });
    }

    @Test
    void withoutAPropertyThereIsNoNode() {
        Contexts.with()
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(ClusterSystem.class)
                        .doesNotHaveBean("fibryClusterHealthIndicator"));
    }

    static class Lookup {
        static final Discovery DISCOVERY = Discovery.lookup(() -> List.of("127.0.0.1:7001"), 3);

        @Bean
        Discovery discovery() {
            return DISCOVERY;
        }
    }

    @Test
    void aBeanIsTheDiscovery() {
        with(Lookup.class).withPropertyValues("fibry.cluster.seeds=").run(context -> {
            assertThat(context).hasNotFailed();
            assertEquals(Lookup.DISCOVERY, FakeCluster.NODES.getFirst().options.discovery());
        });
        with(Lookup.class)
                .run(context -> assertThat(new InvalidActorAnalyzer().analyze(context.getStartupFailure()))
                        .isNotNull()
                        .extracting("description")
                        .asString()
                        .contains("both the property fibry.cluster.seeds and a bean of the type Discovery"));
    }

    static class Options {
        @Bean
        ClusterOptions options() {
            return ClusterOptions.of("own", "127.0.0.1", 7009, "127.0.0.1:7009");
        }
    }

    @Test
    void optionsOfTheApplicationReplaceTheProperties() {
        Contexts.with(Options.class).run(context -> {
            assertThat(context).hasSingleBean(ClusterSystem.class).hasBean("fibryClusterHealthIndicator");
            assertEquals("own", FakeCluster.NODES.getFirst().options.name());
            assertFalse(FakeCluster.NODES.getFirst().options.leaveAtExit());
        });
    }

    static class OwnNode {
        final Node node = new Node(new Options().options());

        @Bean
        ClusterSystem own() {
            return FakeCluster.node(node);
        }
    }

    @Test
    void aNodeOfTheApplicationReplacesItAndLeavesLikewise() {
        var own = new Node[1];
        with(OwnNode.class).run(context -> {
            assertThat(context).hasSingleBean(ClusterSystem.class);
            own[0] = context.getBean(OwnNode.class).node;
        });
        assertEquals(List.of(), FakeCluster.NODES);
        assertTrue(own[0].hasLeft());
    }

    @Test
    void itLeavesAfterTheActorsOnlyWhenTheContextIsClosed() {
        var actorsHadEnded = new AtomicBoolean();
        with().run(context -> {
            Node node = FakeCluster.NODES.getFirst();
            ActorSystem actors = context.getBean(ActorSystem.class);
            node.onClose = () -> actorsHadEnded.set(actors.isClosing());
            context.stop();
            assertFalse(node.hasLeft());
            context.start();
        });
        assertTrue(FakeCluster.NODES.getFirst().hasLeft());
        assertTrue(actorsHadEnded.get());
    }

    static class SystemOfTheNode {
        @Bean(destroyMethod = "")
        ActorSystem actors(ClusterSystem cluster) {
            return cluster.system();
        }
    }

    @Test
    void theSystemOfTheNodeIsOpenUntilTheNodeHasLeft() {
        var wasOpen = new AtomicBoolean();
        with(SystemOfTheNode.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(ActorSystem.class);
            Node node = FakeCluster.NODES.getFirst();
            node.onClose = () -> wasOpen.set(!node.system.isClosing());
        });
        assertTrue(wasOpen.get());
        assertTrue(FakeCluster.NODES.getFirst().system.isClosing());
    }

    static class Broken {
        @Bean
        String broken(ClusterSystem cluster) {
            throw new IllegalStateException("after " + cluster.stats());
        }
    }

    @Test
    void itLeavesIfTheStartFails() {
        with(Broken.class).run(context -> assertThat(context).hasFailed());
        assertTrue(FakeCluster.NODES.getFirst().hasLeft());
    }

    @Test
    void aRemovedNodeMakesTheApplicationBroken() {
        var liveness = new CopyOnWriteArrayList<LivenessState>();
        with(ApplicationAvailabilityBean.class).run(context -> {
            var availability = context.getBean(ApplicationAvailability.class);
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
            assertEquals(LivenessState.CORRECT, availability.getLivenessState());
            FakeCluster.NODES.getFirst().removed.complete(null);
            liveness.add(availability.getLivenessState());
        });
        assertEquals(List.of(LivenessState.BROKEN), liveness);
    }

    @Test
    void aPropertyWithoutTheModuleFailsTheStart() {
        with().withClassLoader(new FilteredClassLoader("io.fibry.cluster")).run(context -> {
            var analysis = new InvalidActorAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("fibry.cluster.host is set, but fibry-cluster is not on");
            assertThat(analysis.getAction()).contains("io.fibry:fibry-cluster-pekko");
        });
    }
}
