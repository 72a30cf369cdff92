package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorSystem
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/**
 * The memory of an actor whose behavior is suspended, with all objects of the coroutine and of its wait. Measured in a
 * JVM of its own, without other activity.
 *
 * Seen to fail: a behavior that waits on a virtual thread (3,100 bytes).
 */
@Timeout(120)
class SuspendedSizeTest {

    @TempDir lateinit var folder: Path

    @ParameterizedTest
    @ValueSource(strings = ["delay", "awaitCancellation"])
    fun aSuspendedBehaviorHoldsNoThread(wait: String) {
        val java = Path.of(System.getProperty("java.home"), "bin", "java").toString()
        val path = System.getProperty("java.class.path")
        val log = folder.resolve("log").toFile()
        val process =
            ProcessBuilder(java, "-XX:+UseSerialGC", "-Xmx256m", "-cp", path, Suspended::class.java.name, wait)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start()
        val ended = process.waitFor(100, TimeUnit.SECONDS)
        process.destroyForcibly()
        val output = log.readText()
        assertTrue(ended, output)
        assertEquals(0, process.exitValue(), output)
        val bytes = output.lines().first { it.startsWith(RESULT) }.substringAfter(RESULT).toInt()
        assertTrue(bytes <= MOST, "$bytes bytes per suspended actor")
    }

    /** Prints the number of bytes per suspended actor. */
    object Suspended {

        @JvmStatic
        fun main(args: Array<String>) {
            val delays = args.single() == "delay"
            suspended(FEW, delays).close(Duration.ZERO) // loads all classes
            val before = used()
            val system = suspended(ACTORS, delays)
            println("$RESULT${perActor(before)}")
            system.close(Duration.ZERO) // else the JVM stays alive
        }

        /** The system, which keeps its actors. */
        private fun suspended(number: Int, delays: Boolean): ActorSystem {
            val system = ActorSystem.create()
            val begun = CountDownLatch(number)
            repeat(number) {
                val actor: Actor<String> = system.actor().onMessage {
                    begun.countDown()
                    if (delays) delay(1.hours) else awaitCancellation()
                }
                actor.tell("message")
            }
            begun.await()
            return system
        }

        /** Measures until the last behaviors, which may still be starting their waits, are suspended. */
        private fun perActor(before: Long): Long {
            val end = System.nanoTime() + Duration.ofSeconds(30).toNanos()
            var bytes = (used() - before) / ACTORS
            while (bytes > MOST && System.nanoTime() - end < 0) {
                bytes = (used() - before) / ACTORS
            }
            return bytes
        }

        private fun used(): Long =
            (1..10).minOf {
                System.gc()
                Runtime.getRuntime().run { totalMemory() - freeMemory() }
            }
    }

    private companion object {
        const val MOST = 600
        const val ACTORS = 100_000
        const val FEW = 100
        const val RESULT = "bytes: "
    }
}
