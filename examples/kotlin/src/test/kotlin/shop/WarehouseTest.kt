package shop

import io.fibry.ActorSystem
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(60)
class WarehouseTest {

    private val system = ActorSystem.create()
    private val open = CountDownLatch(1)
    private val services = object : Services {
        override fun price(item: String): Int = 300.also { open.await() }

        override fun postage(pieces: Int): Int = 490
    }
    private val warehouse = Warehouse(system, mapOf("pen" to 100, "lamp" to 1), services)

    @AfterEach
    fun close() {
        open.countDown()
        assertTrue(system.close(java.time.Duration.ofSeconds(10)))
    }

    @Test
    fun salesNeverExceedTheStock() = runBlocking {
        open.countDown()
        val sold = withContext(Dispatchers.Default) {
            (1..120).map { async { runCatching { warehouse.sell(Order("pen", 1)) } } }.awaitAll()
        }
        assertEquals((0..99).toList(), sold.mapNotNull { it.getOrNull()?.left }.sorted())
        assertTrue(sold.mapNotNull { it.exceptionOrNull() }.all { it is SoldOutException })
    }

    @Test
    fun aReceiptHasThePriceAndThePostage() = runBlocking {
        open.countDown()
        assertEquals(Receipt(Order("lamp", 1), 790, 0), warehouse.sell(Order("lamp", 1)))
        assertEquals("lamp is sold out", assertThrows<SoldOutException> { warehouse.sell(Order("lamp", 1)) }.message)
    }

    @Test
    fun aCustomerWhoLeavesBuysNothing() = runBlocking {
        val first = async(start = CoroutineStart.UNDISPATCHED) { warehouse.sell(Order("pen", 1)) }
        val leaves = launch(start = CoroutineStart.UNDISPATCHED) { warehouse.sell(Order("lamp", 1)) }
        leaves.cancelAndJoin() // the first order still waits for its price
        open.countDown()
        assertEquals(99, first.await().left)
        assertEquals(0, warehouse.sell(Order("lamp", 1)).left)
    }

    /** In every order of the customers, one of them is too late for three pens. */
    @Test
    fun theProgramSellsTheWholeStock() = runBlocking {
        val receipts = ActorSystem.create().use {
            openForBusiness(it, Warehouse(it, mapOf("pen" to 5, "lamp" to 2), SlowServices))
        }
        assertEquals(listOf("lamp 1", "lamp 1", "pen 2", "pen 3"), receipts.map { "${it.order.item} ${it.order.pieces}" }.sorted())
    }
}
