package shop

import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.onRequest
import io.fibry.kotlin.request
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.withContext

data class Order(val item: String, val pieces: Int)

data class Receipt(val order: Order, val cents: Int, val left: Int)

class SoldOutException(item: String) : Exception("$item is sold out")

/** Blocking clients of remote services. */
interface Services {
    fun price(item: String): Int

    fun postage(pieces: Int): Int
}

/**
 * Sells items in stock. The stock is a plain map: one actor owns it and handles one order at a time, even while it
 * waits for the price.
 */
class Warehouse(system: ActorSystem, stock: Map<String, Int>, private val services: Services) : AutoCloseable {

    private val left = stock.toMutableMap()

    /** The price list answers one question at a time. */
    private val prices: ReplyActor<String, Int> = system.actor("prices").newActorWithReturn { services.price(it) }

    /** The post accepts concurrent questions: each waits on a virtual thread. */
    private suspend fun postage(pieces: Int): Int = withContext(Dispatchers.Virtual) { services.postage(pieces) }

    private val sales: ReplyActor<Order, Receipt> = system.actor("sales").onRequest { order: Order ->
        val there = left[order.item] ?: 0
        if (there < order.pieces) {
            throw SoldOutException(order.item)
        }
        coroutineScope { // both run concurrently
            val price = async { prices.request(order.item, 1.seconds) }
            val postage = async { postage(order.pieces) }
            val cents = order.pieces * price.await() + postage.await()
            left[order.item] = there - order.pieces // only now: a failure above sells nothing
            Receipt(order, cents, there - order.pieces)
        }
    }

    /**
     * Suspends the caller without blocking a thread. If the caller is cancelled before its order is handled, nothing is
     * sold.
     */
    suspend fun sell(order: Order): Receipt = sales.request(order)

    /** Handles all orders received so far. */
    override fun close() {
        sales.close()
        prices.close()
    }
}
