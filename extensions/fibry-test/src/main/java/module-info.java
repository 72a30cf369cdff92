/**
 * Support for tests of actors: virtual time, probes, and repeatable schedules. A module that uses {@code @ActorTest}
 * must also require {@code org.junit.jupiter.api}.
 */
module io.fibry.test {
    requires transitive io.fibry;
    requires org.slf4j;
    requires static org.junit.jupiter.api;
    requires static org.junit.platform.launcher;
    requires static org.jspecify;

    exports io.fibry.test;

    provides org.junit.platform.launcher.TestExecutionListener with
            io.fibry.test.TestEnds;
}
