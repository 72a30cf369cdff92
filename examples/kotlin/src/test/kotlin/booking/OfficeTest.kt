package booking

import io.fibry.durable.JdbcStore
import java.nio.file.Path
import java.time.Duration
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

@Timeout(60)
class OfficeTest {

    @TempDir
    lateinit var directory: Path

    private fun withOffice(timeToPay: Duration, block: suspend (Office) -> Unit) =
        JdbcStore.h2(directory.resolve("bookings")).use { store ->
            Office(store, timeToPay).use { runBlocking { block(it) } }
        }

    @Test
    fun aRepeatedPaymentIsHandledOnce() {
        withOffice(Duration.ofDays(1)) { office ->
            assertEquals(Booking(Status.RESERVED, 2, 0), office.reserve("Ann", 2))
            repeat(3) { assertEquals(Booking(Status.PAID, 2, 60_00), office.pay("Ann", 60_00, "payment-1")) }
        }
        withOffice(Duration.ofDays(1)) { office -> // after a restart
            assertEquals(Booking(Status.PAID, 2, 60_00), office.pay("Ann", 60_00, "payment-1"))
            assertEquals(listOf(Event.Reserved(2), Event.Paid(60_00)), office.history("Ann"))
            while (office.sum() == Sale(0, 0)) {
                delay(1)
            }
            assertEquals(Sale(2, 60_00), office.sum())
        }
    }

    @Test
    fun anUnpaidBookingExpiresAlsoAfterARestart() {
        withOffice(Duration.ofMillis(1)) { office -> office.reserve("Bob", 1) }
        withOffice(Duration.ofMillis(1)) { office ->
            while (office.booking("Bob").status != Status.EXPIRED) {
                delay(1)
            }
            assertEquals(listOf(Event.Reserved(1), Event.End.EXPIRED), office.history("Bob"))
            assertEquals(Booking(Status.EXPIRED, 1, 0), office.pay("Bob", 60_00, "payment-1"))
        }
    }
}
