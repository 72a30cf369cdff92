package io.fibry.bench

import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.kotlin.asCoroutineDispatcher
import io.fibry.kotlin.newSuspendingActorWithReturn
import io.fibry.kotlin.request
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.runBlocking

/**
 * The cost of a request of a coroutine, compared with `ask(..).join()` of a thread: one ask at a time, to an actor that
 * squares a number. The variants alternate, so that a slow phase of the machine affects all of them. Arguments: the
 * number of asks per turn, and the number of turns.
 *
 * Run it: `mvn -q -pl fibry-bench -am compile exec:exec -Dbench=SuspendingRequests`
 */
object SuspendingRequests {

    private class Side(val name: String, val ask: (Int) -> Unit) {
        val nanos = mutableListOf<Double>()
    }

    @JvmStatic
    fun main(args: Array<String>) {
        val questions = args.getOrNull(0)?.toInt() ?: 50_000
        val turns = args.getOrNull(1)?.toInt() ?: 31
        ActorSystem.create().use { system ->
            val sides = sides(system)
            for (turn in 1..turns) {
                for (side in sides) {
                    val begin = System.nanoTime()
                    side.ask(questions)
                    val nanos = (System.nanoTime() - begin) / questions.toDouble()
                    if (turn > turns / 3) side.nanos.add(nanos) // the first turns warm up
                }
            }
            val reference = median(sides.first())
            sides.forEach { println("%-52s %,8.0f ns  %.2f".format(it.name, median(it), median(it) / reference)) }
        }
    }

    private fun sides(system: ActorSystem): List<Side> {
        val square = system.actor().newActorWithReturn { n: Int -> n * n }
        val asking = system.actor().newActorWithReturn { n: Int -> joinAll(square, n) }
        val suspending = system.actor().newSuspendingActorWithReturn { n: Int -> requestAll(square, n) }
        val dispatching = system.actor().newActor { _: Int -> }.asCoroutineDispatcher()
        return listOf(
            Side("join on a platform thread") { joinAll(square, it) },
            Side("join on a virtual thread") { n -> Thread.ofVirtual().start { joinAll(square, n) }.join() },
            Side("request on Dispatchers.Default") { requestOn(Dispatchers.Default, square, it) },
            Side("request on Dispatchers.Unconfined") { requestOn(Dispatchers.Unconfined, square, it) },
            Side("request of a coroutine inside an actor") { requestOn(dispatching, square, it) },
            Side("request in a suspending behavior") { suspending.ask(it).join() },
            Side("join in a behavior") { asking.ask(it).join() },
        )
    }

    private fun joinAll(actor: ReplyActor<Int, Int>, questions: Int) {
        for (i in 0 until questions) {
            check(actor.ask(i and 1023).join() == (i and 1023) * (i and 1023))
        }
    }

    private fun requestOn(context: CoroutineContext, actor: ReplyActor<Int, Int>, questions: Int) =
        runBlocking(context) { requestAll(actor, questions) }

    private suspend fun requestAll(actor: ReplyActor<Int, Int>, questions: Int) {
        for (i in 0 until questions) {
            check(actor.request(i and 1023) == (i and 1023) * (i and 1023))
        }
    }

    private fun median(side: Side): Double = side.nanos.sorted()[side.nanos.size / 2]
}
