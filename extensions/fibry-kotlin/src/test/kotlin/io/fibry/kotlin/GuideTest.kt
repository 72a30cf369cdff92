package io.fibry.kotlin

import io.fibry.ActorSystem
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Path
import java.util.stream.Stream
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/**
 * The code of the guide is compiled and run: each block is the body of a function of [GuideSnippets], and each of these
 * functions is run, or the types that they use, or a part of the project to copy, which has its own tests.
 */
@Timeout(60)
class GuideTest {

    companion object {
        private val ROOT = generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first { it.resolve("docs/kotlin.md").exists() }
        private val GUIDE = ROOT.resolve("docs/kotlin.md").readText()
        private val SOURCE = ROOT.resolve("extensions/fibry-kotlin/src/test/kotlin/io/fibry/kotlin/GuideSnippets.kt").readText()

        private val EXAMPLE = unindented(ROOT.resolve("examples/kotlin/src/main/kotlin/booking/Booking.kt").readText())

        private fun unindented(code: String) = code.lines().joinToString("\n") { it.trim() }.trim()

        /** The bodies of the functions by name. */
        private val bodies =
            Regex("^    (?:suspend )?fun (\\w+)\\(\\) \\{\n(.*?)^    }$", setOf(RegexOption.MULTILINE, RegexOption.DOT_MATCHES_ALL))
                .findAll(SOURCE)
                .associate { it.groupValues[1] to unindented(it.groupValues[2]) }

        /** The types that the functions use: a function cannot declare an interface. */
        private val DECLARATIONS =
            unindented(SOURCE.substringAfter("// declarations\n").substringBefore("    // end of the declarations"))

        private val blocks =
            Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL).findAll(GUIDE).map { unindented(it.groupValues[1]) }.toList()

        @JvmStatic fun names(): Stream<String> = bodies.keys.stream()
    }

    @AfterEach
    fun closeTheDefaultSystem() {
        assertTrue(ActorSystem.defaultSystem().close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun eachBlockIsOneOfTheFunctions() {
        assertTrue(blocks.size >= 8, "only ${blocks.size} blocks")
        assertEquals(listOf<String>(), blocks.filter { it !in bodies.values && it !in EXAMPLE && it != DECLARATIONS }, "blocks of the guide that nothing runs")
        assertEquals(setOf<String>(), bodies.filterValues { it !in blocks }.keys, "functions that the guide does not have")
    }

    @ParameterizedTest
    @MethodSource("names")
    fun theProgramPrintsTheDocumentedOutput(name: String) {
        val expected = Regex("// prints (.*)").findAll(bodies.getValue(name)).map { it.groupValues[1] }.toList()
        assertEquals(expected, outputOf { run(name) })
    }

    private fun run(name: String) {
        val function = GuideSnippets::class.java.declaredMethods.first { it.name == name }
        if (function.parameterCount == 0) {
            function.invoke(GuideSnippets)
        } else { // a suspending function has a parameter more
            runBlocking { suspendCoroutineUninterceptedOrReturn { function.invoke(GuideSnippets, it) } }
        }
    }

    private fun outputOf(program: () -> Unit): List<String> {
        val before = System.out
        val output = ByteArrayOutputStream()
        System.setOut(PrintStream(output, true))
        try {
            program()
        } finally {
            System.setOut(before)
        }
        return output.toString().lines().filter { it.isNotEmpty() }
    }

    @Test
    fun theGuideIsShortAndNamesItsLimits() {
        val prose = GUIDE.replace(Regex("(?ms)^ *```.*?^ *```$"), "")
        assertTrue(prose.trim().split(Regex("\\s+")).size <= 1_400, "words: at most 1,400")
        assertTrue(GUIDE.lines().last { it.startsWith("## ") } == "## When not to use it")
    }
}
