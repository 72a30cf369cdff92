package booking

import io.fibry.codec.RecordCodec
import io.fibry.durable.Change
import io.fibry.durable.Decision
import io.fibry.durable.Durable
import io.fibry.durable.DurableType
import io.fibry.durable.Effect
import io.fibry.durable.EventSourced
import java.time.Duration

enum class Status { NEW, RESERVED, PAID, EXPIRED }

/** The state of a booking: a record, as all stored values. */
@JvmRecord
data class Booking(val status: Status, val seats: Int, val cents: Long)

/** A message without properties is an enum constant: a record needs at least one. */
sealed interface Command {
    @JvmRecord data class Reserve(val seats: Int) : Command

    @JvmRecord data class Pay(val cents: Long) : Command

    enum class Timer : Command { EXPIRE }

    enum class Question : Command { SHOW }
}

sealed interface Event {
    @JvmRecord data class Reserved(val seats: Int) : Event

    @JvmRecord data class Paid(val cents: Long) : Event

    enum class End : Event { EXPIRED }
}

val BOOKING: DurableType<Command, Booking> =
    DurableType.of("booking", RecordCodec.of(Command::class.java), RecordCodec.of(Booking::class.java))

/** A booking expires unless it is paid in time. The event and the effects of a command are stored together. */
class Bookings(private val timeToPay: Duration) : EventSourced<Booking, Command, Event, Booking> {

    override fun initial() = Booking(Status.NEW, 0, 0)

    override fun decide(booking: Booking, command: Command): Decision<Event, Booking> =
        when (command) {
            is Command.Reserve if booking.status == Status.NEW ->
                decision(booking, Event.Reserved(command.seats))
                    .with(BOOKING.remind("expiry", timeToPay, Command.Timer.EXPIRE))
            is Command.Pay if booking.status == Status.RESERVED ->
                decision(booking, Event.Paid(command.cents))
                    .with(
                        Effect.cancel("expiry"),
                        SALES.send("concert", Sale(booking.seats, command.cents)),
                    )
            Command.Timer.EXPIRE if booking.status == Status.RESERVED ->
                decision(booking, Event.End.EXPIRED)
            else -> Decision.none(booking)
        }

    private fun decision(booking: Booking, event: Event): Decision<Event, Booking> = Decision.to(event, apply(booking, event))

    override fun apply(booking: Booking, event: Event): Booking = when (event) {
        is Event.Reserved -> booking.copy(status = Status.RESERVED, seats = event.seats)
        is Event.Paid -> booking.copy(status = Status.PAID, cents = event.cents)
        Event.End.EXPIRED -> booking.copy(status = Status.EXPIRED)
    }
}

/** The sum of paid bookings; as a message, it is added. */
@JvmRecord
data class Sale(val seats: Int, val cents: Long)

val SALES: DurableType<Sale, Sale> = DurableType.of("sales", RecordCodec.of(Sale::class.java), RecordCodec.of(Sale::class.java))

/** State without a history. */
class Sales : Durable<Sale, Sale, Sale> {

    override fun initial() = Sale(0, 0)

    override fun handle(sum: Sale, sale: Sale): Change<Sale, Sale> {
        val after = Sale(sum.seats + sale.seats, sum.cents + sale.cents)
        return if (after == sum) Change.none(sum) else Change.to(after, after)
    }
}
