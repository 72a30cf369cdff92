/**
 * Tests of actors: a time of their own, probes, and schedules that can be repeated. A module that uses {@code @ActorTest} also has to
 * require {@code org.junit.jupiter.api}.
 */
module io.fibry.test {
    requires transitive io.fibry;
    requires static org.junit.jupiter.api;
    requires static org.jspecify;

    exports io.fibry.test;
}
