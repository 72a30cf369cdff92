package io.fibry.bench.savina

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Coroutines of Kotlin: an actor is a coroutine on `Dispatchers.Default` with an unbounded channel, which is the
 * reference to it.
 */
internal class KotlinWorld : World() {

    private val scope = CoroutineScope(Dispatchers.Default + SupervisorJob())

    override fun begin(main: SavinaActor) {
        start(main).trySend(SavinaActor.START).getOrThrow()
    }

    private fun start(actor: SavinaActor): Channel<Any> {
        val cell = KotlinCell(actor)
        scope.launch { cell.loop() }
        return cell.mailbox
    }

    override fun clear() = runBlocking {
        scope.coroutineContext.job.children.forEach { it.cancelAndJoin() }
    }

    override fun close() {
        scope.cancel()
    }

    private inner class KotlinCell(actor: SavinaActor) : OwnStash(this, actor) {

        val mailbox = Channel<Any>(Channel.UNLIMITED)

        suspend fun loop() {
            while (!isStopped) {
                handle(unstashed() ?: mailbox.receive())
            }
        }

        override fun self(): Any = mailbox

        override fun spawn(other: SavinaActor): Any = start(other)

        @Suppress("UNCHECKED_CAST")
        override fun tell(to: Any, message: Any) {
            (to as Channel<Any>).trySend(message).getOrThrow()
        }
    }
}
