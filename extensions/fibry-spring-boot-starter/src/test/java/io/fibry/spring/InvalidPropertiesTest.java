package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An invalid property fails the start, with a message that contains its full name and the remedy. */
@ExtendWith(OutputCaptureExtension.class)
class InvalidPropertiesTest {

    static Stream<Arguments> properties() {
        return Stream.of(
                Arguments.of("fibry.name= ", "fibry.name is blank", "the default is spring.application.name"),
                Arguments.of(
                        "fibry.shutdown-timeout=-5s", "fibry.shutdown-timeout is negative: PT-5S", "positive duration"),
                Arguments.of(
                        "spring.lifecycle.timeout-per-shutdown-phase=-1s",
                        "spring.lifecycle.timeout-per-shutdown-phase is negative: PT-1S",
                        "positive duration"),
                Arguments.of(
                        "fibry.health.stuck-after=-1ms",
                        "fibry.health.stuck-after is negative: PT-0.001S",
                        "positive duration"),
                Arguments.of("fibry.metrics.actors=-1", "fibry.metrics.actors is negative: -1", "0 for none"),
                Arguments.of(
                        "fibry.metrics.latency-sampling=-64",
                        "fibry.metrics.latency-sampling is negative: -64",
                        "one message in 64"),
                Arguments.of(
                        "fibry.cluster.seeds=10.0.0.1:7001",
                        "fibry.cluster.seeds is set, but not fibry.cluster.host",
                        "the address of this node"),
                Arguments.of("fibry.cluster.host= ", "fibry.cluster.host is blank", "join no cluster"),
                Arguments.of("fibry.cluster.bind-host= ", "fibry.cluster.bind-host is blank", "0.0.0.0"),
                Arguments.of("fibry.cluster.port=70000", "fibry.cluster.port is 70000", "from 1 to 65535"));
    }

    static Stream<Arguments> nodes() {
        return Stream.of(
                Arguments.of(
                        "fibry.cluster.host=[::x]", "fibry.cluster.host is not valid: host is not an IPv6", "reach"),
                Arguments.of("fibry.cluster.seeds=", "fibry.cluster.seeds is missing", "such as 10.0.0.1:7001"),
                Arguments.of("fibry.cluster.seeds=10.0.0.1", "fibry.cluster.seeds is not valid: ", "with their ports"),
                Arguments.of("fibry.cluster.name=a.b", "fibry.cluster.name is not valid: name must", "letters, digits"),
                Arguments.of("spring.application.name=a b", "fibry.cluster.name is not valid: name must", "digits"),
                Arguments.of(
                        "fibry.cluster.secret=short",
                        "fibry.cluster.secret is not valid: a secret must have at least 20 characters, not 5",
                        "openssl rand -hex 32"),
                Arguments.of(
                        "fibry.cluster.host=10.0.0.1",
                        "fibry.cluster.host is not valid: other machines can reach 10.0.0.1:7001",
                        "fibry.cluster.insecure=true"));
    }

    @ParameterizedTest
    @MethodSource("nodes")
    void theMessageNamesThePropertyOfTheNode(String property, String problem, String action) {
        Contexts.with()
                .withPropertyValues("fibry.cluster.host=127.0.0.1", "fibry.cluster.seeds=127.0.0.1:7001", property)
                .run(context -> {
                    FailureAnalysis analysis = new InvalidActorAnalyzer().analyze(context.getStartupFailure());
                    assertTrue(analysis.getDescription().contains(problem), analysis.getDescription());
                    assertTrue(analysis.getAction().contains(action), analysis.getAction());
                });
    }

    @ParameterizedTest
    @MethodSource("properties")
    void theMessageNamesThePropertyAndTheRemedy(String property, String problem, String action) {
        Contexts.with().withPropertyValues(property).run(context -> {
            FailureAnalysis analysis = new InvalidActorAnalyzer().analyze(context.getStartupFailure());
            assertTrue(analysis.getDescription().contains(problem), analysis.getDescription());
            assertTrue(analysis.getAction().contains(action), analysis.getAction());
        });
    }

    @EnableAutoConfiguration
    static class Shop {}

    @Test
    void theReportOfSpringBootIsOurs(CapturedOutput output) {
        var application = new SpringApplication(Shop.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThrows(RuntimeException.class, () -> application.run("--fibry.shutdown-timeout=-5s"));
        assertTrue(output.getAll().contains("The property fibry.shutdown-timeout is negative: PT-5S."), output::getAll);
        assertTrue(output.getAll().contains("Set it to zero or a positive duration, such as 30s"), output::getAll);
    }

    @Test
    void zeroIsValid() {
        Contexts.with()
                .withPropertyValues("fibry.shutdown-timeout=0s", "fibry.health.stuck-after=0", "fibry.metrics.actors=0")
                .run(context -> assertEquals(
                        Duration.ZERO, context.getBean(SystemLifecycle.class).deadline()));
    }

    @Test
    void aBlankNameOfTheApplicationIsNoName() {
        Contexts.with()
                .withPropertyValues("spring.application.name=")
                .run(context -> assertEquals(
                        "actors", context.getBean(ActorSystem.class).name()));
    }
}
