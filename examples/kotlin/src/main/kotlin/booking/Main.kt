package booking

import io.fibry.codec.RecordCodec
import io.fibry.durable.DurableEntities
import io.fibry.durable.EventLog
import io.fibry.durable.JdbcStore
import io.fibry.durable.StateTable
import java.nio.file.Path
import java.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.toJavaDuration
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking

private val TIMEOUT = 10.seconds.toJavaDuration()

/** Bookings and sales in a database. Close them before the store. */
class Office(store: JdbcStore, timeToPay: Duration) : AutoCloseable {

    private val log = EventLog.of(store, BOOKING, RecordCodec.of(Event::class.java), Bookings(timeToPay))
    private val sales = DurableEntities.start(StateTable.of(store, SALES, RecordCodec.of(Sale::class.java), Sales()))
    private val bookings = DurableEntities.start(log)

    suspend fun reserve(name: String, seats: Int): Booking = bookings.ref(name).ask(Command.Reserve(seats), TIMEOUT).await()

    /** A client may repeat a payment with the same key: it is handled once. */
    suspend fun pay(name: String, cents: Long, requestKey: String): Booking =
        bookings.ref(name).ask(Command.Pay(cents), requestKey, TIMEOUT).await()

    suspend fun booking(name: String): Booking = bookings.ref(name).ask(Command.Question.SHOW, TIMEOUT).await()

    suspend fun sum(): Sale = sales.ref("concert").ask(Sale(0, 0), TIMEOUT).await()

    fun history(name: String): List<Event> = log.history(name).use { events -> events.map { it.event() }.toList() }

    override fun close() {
        bookings.close()
        sales.close()
    }
}

/** Run it again: the bookings, and the time at which they expire, are in the file. */
fun main() = runBlocking {
    JdbcStore.h2(Path.of("target/bookings")).use { store ->
        Office(store, 5.seconds.toJavaDuration()).use { office ->
            println("Ann: ${office.reserve("Ann", 2)}")
            println("Bob: ${office.reserve("Bob", 1)}")
            println("Ann: ${office.pay("Ann", 60_00, "payment-1")}")
            println("Ann: ${office.pay("Ann", 60_00, "payment-1")}")
            while (office.booking("Bob").status != Status.EXPIRED) {
                delay(1.seconds)
            }
            println("Bob: ${office.history("Bob")}")
            println("Sold: ${office.sum()}")
        }
    }
}
