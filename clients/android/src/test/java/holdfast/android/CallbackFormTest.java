package holdfast.android;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The library as an app in Java uses it: that it compiles is half of the test. */
class CallbackFormTest {
  private static final String CHALLENGE =
      Base64.getEncoder()
          .encodeToString(
              ("{\"acsTransID\":\"a\",\"acsReferenceNumber\":\"b\",\"acsSignedContent\":\"c\","
                      + "\"threeDSServerTransID\":\"d\"}")
                  .getBytes(StandardCharsets.UTF_8));
  private static final String INVOICE =
      "{\"success\":true,\"invoice\":{\"id\":\"iv_a\",\"status\":\"pending\","
          + "\"return_url\":\"com.example.shop://checkout/return\"}}";
  private static final String ASKS =
      "{\"success\":true,\"outcome\":\"pending\",\"transaction\":{\"id\":\"tr_a\",\"status\":\"waiting\"},"
          + "\"customer_action\":{\"type\":\"challenge-mobile\",\"value\":\"" + CHALLENGE + "\",\"metadata\":null}}";
  private static final String AUTHORIZED =
      "{\"success\":true,\"outcome\":\"success\",\"transaction\":{\"id\":\"tr_a\",\"status\":\"authorized\"}}";

  private final Deque<String> answers = new ArrayDeque<>(List.of(INVOICE, ASKS, AUTHORIZED));
  private final AuthorizationRequest request = new AuthorizationRequest("iv_a", "card_a");
  private HttpServer server;
  private HoldfastClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] answer = answers.remove().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    client = new HoldfastClient("test-proj_a", "http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Answers the challenge as it is told. */
  private abstract static class App implements ThreeDSCallbacks {
    final AtomicInteger cleanups = new AtomicInteger();

    @Override
    public void authenticationRequest(
        ThreeDSConfiguration configuration, Step<ThreeDSAuthenticationRequest> step) {
      step.failed(new IllegalStateException("It is not asked for."));
    }

    @Override
    public void handle(ThreeDSRedirect redirect, Step<String> step) {
      step.failed(new IllegalStateException("It is not asked for."));
    }

    @Override
    public void cleanup() {
      cleanups.incrementAndGet();
    }
  }

  /** Keeps how the call ended. */
  private static final class Ended implements AuthorizationCallback {
    final CompletableFuture<AuthorizedInvoice> invoice = new CompletableFuture<>();
    final CompletableFuture<PaymentException> error = new CompletableFuture<>();

    @Override
    public void onSuccess(AuthorizedInvoice authorized) {
      invoice.complete(authorized);
    }

    @Override
    public void onError(PaymentException failed) {
      error.complete(failed);
    }
  }

  @Test
  void aChallengeThatIsAnsweredTwiceCountsOnce() throws Exception {
    CompletableFuture<RuntimeException> second = new CompletableFuture<>();
    App app =
        new App() {
          @Override
          public void handle(ThreeDSChallenge challenge, Step<Boolean> step) {
            new Thread(
                    () -> {
                      try {
                        step.done(true);
                        step.canceled();
                        second.complete(null);
                      } catch (RuntimeException refused) {
                        second.complete(refused);
                      }
                    })
                .start();
          }
        };
    Ended ended = new Ended();
    client.getInvoices().authorize(request, app, ended);
    AuthorizedInvoice paid = ended.invoice.get(10, TimeUnit.SECONDS);
    assertEquals("authorized", paid.getTransaction().getStatus());
    assertNull(paid.getCustomerTokenId());
    assertNull(second.get(10, TimeUnit.SECONDS));
    assertEquals(1, app.cleanups.get());
  }

  @Test
  void anErrorIsAPaymentException() throws Exception {
    answers.clear();
    answers.add("{\"success\":true,\"invoice\":{\"id\":\"iv_a\",\"status\":\"pending\",\"return_url\":null}}");
    App app =
        new App() {
          @Override
          public void handle(ThreeDSChallenge challenge, Step<Boolean> step) {
            step.canceled();
          }
        };
    Ended ended = new Ended();
    client.getInvoices().authorize(request, app, ended);
    assertInstanceOf(InvalidRequest.class, ended.error.get(10, TimeUnit.SECONDS));
    assertEquals(1, app.cleanups.get());
  }

  @Test
  void aCallThatIsCanceledIsNotAnswered() throws Exception {
    CountDownLatch shown = new CountDownLatch(1);
    CountDownLatch cleaned = new CountDownLatch(1);
    App app =
        new App() {
          @Override
          public void handle(ThreeDSChallenge challenge, Step<Boolean> step) {
            shown.countDown();
          }

          @Override
          public void cleanup() {
            super.cleanup();
            cleaned.countDown();
          }
        };
    Ended ended = new Ended();
    Cancelable call = client.getInvoices().authorize(request, app, ended);
    shown.await(10, TimeUnit.SECONDS);
    call.cancel();
    cleaned.await(10, TimeUnit.SECONDS);
    Thread.sleep(50);
    assertFalse(ended.invoice.isDone() || ended.error.isDone());
    assertEquals(1, app.cleanups.get());
    assertEquals(1, answers.size());
  }
}
