package io.fibry.bench.peers

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore

/**
 * Requests wait in a channel with a bound, and for a permit of a semaphore: whoever waits suspends. The use of the resource
 * suspends, too, for as long as others block: the calls of a driver that is made for coroutines do so.
 */
internal class KotlinService(
    scope: CoroutineScope,
    private val resource: Resource,
    room: Int,
    private val client: Service.Client,
) : Service {

    private val waiting = Channel<Any>(room)
    private val permits = Semaphore(resource.permits())

    init {
        scope.launch {
            for (request in waiting) {
                permits.acquire()
                launch { use(request) }
            }
        }
    }

    private suspend fun use(request: Any) {
        resource.begin()
        delay(resource.millis().toLong())
        resource.end()
        permits.release()
        client.answered(request)
    }

    override fun submit(request: Any) {
        if (!waiting.trySend(request).isSuccess) {
            client.refused(request)
        }
    }

    override fun isBounded() = true

    override fun close() {
        waiting.close()
    }
}
