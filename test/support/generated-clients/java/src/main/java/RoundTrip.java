import com.google.gson.Gson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CardsApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.InvoicesApi;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.model.AmountInput;
import org.openapitools.client.model.CardInput;
import org.openapitools.client.model.Event;
import org.openapitools.client.model.InvoiceInput;
import org.openapitools.client.model.PaymentEventData;
import org.openapitools.client.model.PaymentOptions;
import org.openapitools.client.model.RefundInput;

/** One payment by the client that openapi-generator makes. */
public class RoundTrip {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient().setBasePath(System.getenv("HOLDFAST_URL"));
    client.setUsername(System.getenv("HOLDFAST_PROJECT_ID"));
    client.setPassword(System.getenv("HOLDFAST_SECRET_KEY"));
    PaymentsApi payments = new PaymentsApi(client);

    var number = new CardInput().number("4242424242424242").expMonth(12).expYear(2030);
    var card = new CardsApi(client).createCard(number, null, null).getCard();
    var order = new InvoiceInput().name("Order 1").amount(new AmountInput("29.00")).currency("EUR");
    var id = new InvoicesApi(client).createInvoice(order, null, null).getInvoice().getId();
    var options = new PaymentOptions().source(card.getId()).authorizeOnly(true);
    var authorized = payments.authorizeInvoice(id, null, null, null, options).getTransaction();
    var captured = payments.captureInvoice(id, null, null, null, null).getTransaction();
    var part = new RefundInput().amount(new AmountInput("9.00"));
    var refund = payments.refundInvoice(id, null, null, part).getRefund();
    var filter = List.of("invoice_id:" + id);
    List<String> events = new ArrayList<>();
    for (Event event : new EventsApi(client).listEvents(filter, null, "asc", null, null, null).getEvents()) {
      if (event.getData().getActualInstance() instanceof PaymentEventData payment && !payment.getInvoice().getId().equals(id))
        throw new IllegalStateException("The event is about another invoice.");
      events.add(event.getName().getValue());
    }
    var result =
        Map.of(
            "authorized", authorized.getStatus().getValue(),
            "captured", captured.getCapturedAmount(),
            "refunded", refund.getAmount(),
            "events", events);
    System.out.println(new Gson().toJson(result));
  }
}
