package shop;

import io.fibry.Actor;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.ReplyActor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.MDC;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders by HTTP. */
@RestController
class OrderController {

    record Receipt(long number, int left) {}

    private final ReplyActor<Stock.Change, Integer> stock;
    private final Actor<Order> shipping;
    private final AtomicLong numbers = new AtomicLong();

    OrderController(ReplyActor<Stock.Change, Integer> stock, Actor<Order> shipping) {
        this.stock = stock;
        this.shipping = shipping;
    }

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    Receipt order(@RequestBody Order order) throws Exception {
        long number = numbers.incrementAndGet();
        try (var logged = MDC.putCloseable("order", String.valueOf(number))) {
            int left = stock.call(new Stock.Change(order.item(), -order.pieces()), Duration.ofSeconds(1));
            try {
                shipping.tell(order);
            } catch (MailboxFullException e) {
                stock.tell(new Stock.Change(order.item(), order.pieces()));
                throw e;
            }
            return new Receipt(number, left);
        }
    }

    @ExceptionHandler
    ProblemDetail outOfStock(OutOfStockException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail tooManyOrders(MailboxFullException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "Too many orders, try again later");
    }

    @ExceptionHandler
    ProblemDetail tooSlow(AskTimeoutException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.GATEWAY_TIMEOUT, e.getMessage());
    }
}
