package shop

import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.newSuspendingActorWithReturn
import io.fibry.kotlin.request
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext

data class Order(val item: String, val pieces: Int)

data class Receipt(val order: Order, val cents: Int, val left: Int)

class SoldOutException(item: String) : Exception("$item is sold out")

/** Clients of services that are far away. They block. */
interface Services {
    fun price(item: String): Int

    fun postage(pieces: Int): Int
}

/**
 * Sells what is there. The stock is a plain map: one actor owns it, and handles one order at a time, also while it waits for the price.
 */
class Warehouse(system: ActorSystem, stock: Map<String, Int>, private val services: Services) : AutoCloseable {

    private val left = stock.toMutableMap()

    /** The price list answers one question at a time. */
    private val prices: ReplyActor<String, Int> = system.actor("prices").newActorWithReturn { services.price(it) }

    /** The post may be asked by many at once: a virtual thread waits. */
    private suspend fun postage(pieces: Int): Int = withContext(Dispatchers.Virtual) { services.postage(pieces) }

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
