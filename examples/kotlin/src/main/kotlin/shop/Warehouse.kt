package shop

import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.newSuspendingActorWithReturn
import io.fibry.kotlin.request
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext

data class Order(val item: String, val pieces: Int)

data class Receipt(val order: Order, val cents: Int, val left: Int)

class SoldOutException(item: String) : Exception("$item is sold out")

/**
 * Sells what is there. The stock is a plain map: one actor owns it, and handles one order at a time, also while it waits for the price.
 */
class Warehouse(system: ActorSystem, stock: Map<String, Int>, latency: Duration = 20.milliseconds) : AutoCloseable {

    private val left = stock.toMutableMap()

    /** The price list is far away, and its client blocks. */
    private val prices: ReplyActor<String, Int> = system.actor("prices").newActorWithReturn { item: String ->
        Thread.sleep(latency.inWholeMilliseconds)
        item.length * 100
    }

    /** The postal rates have a client of their own, without an actor. */
    private suspend fun postage(pieces: Int): Int =
        withContext(Dispatchers.Virtual) {
            Thread.sleep(latency.inWholeMilliseconds)
            if (pieces > 2) 0 else 490
        }

    private val sales: ReplyActor<Order, Receipt> = system.actor("sales").newSuspendingActorWithReturn { order: Order ->
        val there = left[order.item] ?: 0
        if (there < order.pieces) {
            throw SoldOutException(order.item)
        }
        coroutineScope { // both at the same time
            val price = async { prices.request(order.item, 1.seconds) }
            val postage = async { postage(order.pieces) }
            val cents = order.pieces * price.await() + postage.await()
            left[order.item] = there - order.pieces // only now: a failure above sells nothing
            Receipt(order, cents, there - order.pieces)
        }
    }

    /** Suspends the caller, not a thread. If the caller is cancelled before its turn, nothing is sold. */
    suspend fun sell(order: Order): Receipt = sales.request(order)

    /** Sells what has been ordered so far. */
    override fun close() {
        sales.close()
        prices.close()
    }
}
