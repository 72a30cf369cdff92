package articles

import io.fibry.kotlin.Virtual
import kotlin.time.measureTime
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.supervisorScope

/**
 * Coroutines that each suspend for a second, on four dispatchers. Arguments: the number of coroutines, by default
 * 1,000,000 (an article used 10,000,000, which requires a heap of about 10 GB), and the number of a dispatcher, to
 * measure only this one.
 */
fun main(args: Array<String>) = compareDelays(args.getOrNull(0)?.toInt() ?: 1_000_000, args.getOrNull(1)?.toInt())

fun compareDelays(coroutines: Int, only: Int?) {
    val dispatchers = listOf(
        "Dispatchers.Virtual, at most 5,000" to Dispatchers.Virtual.limitedParallelism(5_000),
        "Dispatchers.IO, at most 5,000" to Dispatchers.IO.limitedParallelism(5_000),
        "Dispatchers.Default" to Dispatchers.Default,
        "Dispatchers.Unconfined" to Dispatchers.Unconfined,
    )
    val chosen = only?.let { listOf(dispatchers[it]) } ?: dispatchers
    for ((name, dispatcher) in chosen) {
        val time = measureTime {
            runBlocking { supervisorScope { repeat(coroutines) { launch(dispatcher) { delay(1_000) } } } }
        }
        println("%-36s %,d × delay(1000): %,d ms".format(name, coroutines, time.inWholeMilliseconds))
    }
}
