package shop

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.kotlin.asCoroutineScope
import io.fibry.kotlin.awaitExit
import io.fibry.kotlin.sendTo
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Customers order concurrently, a counter shows the progress, and a slow printer prints the receipts. */
fun main() {
    ActorSystem.create().use { system ->
        Warehouse(system, mapOf("pen" to 5, "lamp" to 2), SlowServices).use { warehouse ->
            val receipts = runBlocking { openForBusiness(system, warehouse) }
            println("${receipts.size} sold for ${receipts.sumOf { it.cents } / 100.0}")
        }
    }
}

object SlowServices : Services {
    override fun price(item: String): Int = (item.length * 100).also { Thread.sleep(20) }

    override fun postage(pieces: Int): Int = (if (pieces > 2) 0 else 490).also { Thread.sleep(20) }
}

suspend fun openForBusiness(system: ActorSystem, warehouse: Warehouse): List<Receipt> {
    val board: Actor<Receipt> = system.actor("board").newActor { show("sold ${it.order.pieces} ${it.order.item}") }
    val scope = board.asCoroutineScope() // runs inside the board, and ends with it
    scope.launch {
        while (true) {
            delay(25.milliseconds)
            show("..")
        }
    }
    val orders = listOf(Order("pen", 3), Order("lamp", 1), Order("pen", 3), Order("lamp", 1), Order("pen", 2))
    val receipts = withContext(Dispatchers.Default) {
        orders.map { order -> async { sellOrExplain(warehouse, order)?.also(board::tell) } }.awaitAll().filterNotNull()
    }
    board.stop()
    board.awaitExit()
    print(system, receipts)
    return receipts
}

private suspend fun sellOrExplain(warehouse: Warehouse, order: Order): Receipt? =
    try {
        warehouse.sell(order)
    } catch (e: SoldOutException) {
        show("sorry: ${e.message}")
        null
    }

/** At most two receipts wait for the printer; beyond that, the flow is suspended. */
private suspend fun print(system: ActorSystem, receipts: List<Receipt>) {
    val printer: Actor<Receipt> = system.actor("printer").bounded(2, Overflow.BLOCK).newActor {
        Thread.sleep(5)
        show("${it.order.pieces} × ${it.order.item}  ${it.cents / 100.0}")
    }
    receipts.asFlow().sendTo(printer)
    printer.stop()
    printer.awaitExit()
}

private fun show(text: String) = println(text)
