package articles

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.onMessage
import java.util.concurrent.CountDownLatch
import kotlin.time.measureTime
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Measures the total time of tasks that each block a thread for 100 ms. Arguments: the number of tasks, by default
 * 100,000, and `full` to run all of them also on the dispatchers with few threads, which takes an hour on two cores.
 */
fun main(args: Array<String>) = compareBlocked(args.firstOrNull()?.toInt() ?: 100_000, "full" in args)

fun compareBlocked(tasks: Int, full: Boolean) {
    repeat(2) { round -> // the first round warms up
        val measured = if (round == 0) minOf(tasks, 1_000) else tasks
        report("Dispatchers.Virtual", measured, tasks, round) { launchAll(Dispatchers.Virtual, measured) { block() } }
        report("an actor for each task", measured, tasks, round) { tellAll(measured, false) }
        report("an actor that suspends", measured, tasks, round) { tellAll(measured, true) }
        report("Unconfined, delay(100)", measured, tasks, round) { launchAll(Dispatchers.Unconfined, measured) { delay(100) } }
        val onIo = if (full) measured else minOf(measured, 6_400)
        report("Dispatchers.IO", onIo, tasks, round) { launchAll(Dispatchers.IO, onIo) { block() } }
        val onDefault = if (full) measured else minOf(measured, 100)
        report("Dispatchers.Default", onDefault, tasks, round) { launchAll(Dispatchers.Default, onDefault) { block() } }
    }
}

private fun block() = Thread.sleep(100)

private fun launchAll(dispatcher: CoroutineDispatcher, tasks: Int, task: suspend () -> Unit) = runBlocking {
    List(tasks) { launch(dispatcher) { task() } }.joinAll()
}

private fun tellAll(tasks: Int, suspending: Boolean) {
    val done = CountDownLatch(tasks)
    ActorSystem.create().use { system ->
        repeat(tasks) {
            val actor: Actor<Int> =
                if (suspending) {
                    system.actor().onMessage {
                        delay(100)
                        done.countDown()
                    }
                } else {
                    system.actor().newActor {
                        block()
                        done.countDown()
                    }
                }
            actor.tell(1)
        }
        done.await()
    }
}

private fun report(name: String, measured: Int, wanted: Int, round: Int, work: () -> Unit) {
    val time = measureTime(work)
    if (round > 0) {
        val all = if (measured < wanted) ", so %,d take %,d s".format(wanted, (time * (wanted / measured)).inWholeSeconds) else ""
        println("%-24s %,9d tasks: %,7d ms%s".format(name, measured, time.inWholeMilliseconds, all))
    }
}
