package shop;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.fibry.Actor;
import io.fibry.MailboxFullException;
import io.fibry.ReplyActor;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.MediaType;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** The web layer alone. The slice contains no actors, so mocks replace them. */
@WebMvcTest
class OrderControllerTest {

    @MockitoBean
    ReplyActor<Stock.Change, Integer> stock;

    @MockitoBean
    Actor<Order> shipping;

    @Autowired
    MockMvcTester mvc;

    @Test
    void aFullShippingMailboxReturns503AndRestoresTheStock() throws Exception {
        when(stock.call(any(Stock.Change.class), any())).thenReturn(7);
        doThrow(new MailboxFullException("shipping")).when(shipping).tell(new Order("pen", 3));
        mvc.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"item\": \"pen\", \"pieces\": 3}")
                .assertThat()
                .hasStatus(503);
        verify(stock).tell(new Stock.Change("pen", 3));
    }
}
