package articles

import java.io.ByteArrayOutputStream
import java.io.PrintStream
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Runs the programs with a small load, without measuring. */
@Timeout(120)
class ArticlesTest {

    private fun outputOf(program: () -> Unit): List<String> {
        val before = System.out
        val output = ByteArrayOutputStream()
        System.setOut(PrintStream(output, true))
        try {
            program()
        } finally {
            System.setOut(before)
        }
        return output.toString().lines().filter { it.isNotBlank() }
    }

    @Test
    fun blocked() {
        val lines = outputOf { compareBlocked(200, full = false) }
        assertEquals(6, lines.size, lines.toString())
        assertTrue(lines.last().contains("so 200 take"), lines.toString())
    }

    @Test
    fun delays() {
        assertEquals(4, outputOf { compareDelays(1_000, only = null) }.size)
        assertTrue(outputOf { compareDelays(1_000, only = 2) }.single().startsWith("Dispatchers.Default"))
    }

    @Test
    fun requests() = assertEquals(5, outputOf { compareRequests(1) }.size)
}
