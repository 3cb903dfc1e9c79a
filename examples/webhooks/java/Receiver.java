import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;

public class Receiver {
  static final Map<String, String> ENV = System.getenv();
  static final HttpClient CLIENT = HttpClient.newHttpClient();
  static final List<Webhook> WEBHOOKS = new ArrayList<>();

  /** The signature is that of the body as it came: do not parse it before. */
  static boolean isGenuine(String body, Map<String, List<String>> headers) {
    for (var webhook : WEBHOOKS) {
      try {
        webhook.verify(body, headers);
        return true;
      } catch (WebhookVerificationException | RuntimeException error) {
        // It may be signed with the other secret.
      }
    }
    return false;
  }

  static JsonObject fetchEvent(String id) throws IOException, InterruptedException {
    var credentials = Base64.getEncoder().encodeToString(ENV.get("KEY").getBytes(StandardCharsets.UTF_8));
    var request = HttpRequest.newBuilder(URI.create(ENV.get("HOLDFAST") + "/events/" + id))
        .header("Authorization", "Basic " + credentials)
        .timeout(Duration.ofSeconds(5))
        .build();
    var response = CLIENT.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) throw new IOException("GET /events/" + id + " answered " + response.statusCode());
    return JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonObject("event");
  }

  /** The event and its effect are one transaction: a duplicate finds the event, and a crash leaves neither. */
  static void handleOnce(JsonObject event) throws SQLException {
    try (var connection = DriverManager.getConnection(ENV.get("DATABASE_URL"))) {
      connection.setAutoCommit(false);
      var note = connection.prepareStatement("insert into handled_event values (?) on conflict do nothing");
      note.setString(1, event.get("id").getAsString());
      if (note.executeUpdate() == 1) {
        var data = event.getAsJsonObject("data");
        var receipt = connection.prepareStatement("insert into receipt values (?, ?)");
        receipt.setString(1, data.getAsJsonObject("invoice").get("id").getAsString());
        receipt.setString(2, data.getAsJsonObject("transaction").get("captured_amount").getAsString());
        receipt.executeUpdate();
      }
      connection.commit();
    }
  }

  static int receive(HttpExchange exchange) {
    try {
      var body = new String(exchange.getRequestBody().readNBytes(10_000), StandardCharsets.UTF_8);
      if (!isGenuine(body, exchange.getRequestHeaders())) return 400;
      var webhook = JsonParser.parseString(body).getAsJsonObject();
      var type = webhook.get("event_type").getAsString();
      var id = webhook.get("event_id").getAsString();
      System.out.println("Verified " + type + " " + id);
      if (type.equals("transaction.captured")) handleOnce(fetchEvent(id));
      return 204;
    } catch (Exception error) {
      // The webhook comes again.
      error.printStackTrace();
      return 500;
    }
  }

  /** One secret, or during a rotation both, with a comma between them. */
  static void readSecrets() {
    try {
      for (var secret : ENV.getOrDefault("WEBHOOK_SECRETS", "").split(",")) WEBHOOKS.add(new Webhook(secret));
    } catch (EmptyWebhookSecretException | IllegalArgumentException error) {
      fail("WEBHOOK_SECRETS is missing or wrong: create an endpoint or rotate its secret (docs/guides/webhooks.md)");
    }
  }

  static HttpServer listen(int port) throws IOException {
    try {
      return HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    } catch (BindException error) {
      fail("Cannot listen on port " + port + " (" + error.getMessage() + "): set RECEIVER_PORT to a free one");
      throw error;
    }
  }

  static void fail(String sentence) {
    System.err.println(sentence);
    System.exit(1);
  }

  public static void main(String[] arguments) throws Exception {
    readSecrets();
    try (var connection = DriverManager.getConnection(ENV.get("DATABASE_URL"))) {
      var statement = connection.createStatement();
      statement.execute("create table if not exists handled_event (event_id text primary key)");
      statement.execute("create table if not exists receipt (invoice_id text, amount text)");
    }
    var port = Integer.parseInt(ENV.getOrDefault("RECEIVER_PORT", "4242"));
    var server = listen(port);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/", exchange -> {
      try (exchange) {
        exchange.sendResponseHeaders(receive(exchange), -1);
      }
    });
    server.start();
    System.out.println("Waiting for webhooks on port " + port);
  }
}
