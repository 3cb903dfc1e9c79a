import base64, json, os, sqlite3, sys, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from standardwebhooks.webhooks import EmptyWebhookSecretError, Webhook, WebhookVerificationError

HOLDFAST, KEY = os.environ["HOLDFAST"], os.environ["KEY"]
DATABASE, PORT = os.environ.get("DATABASE", "receipts.db"), int(os.environ.get("RECEIVER_PORT", "4242"))
try:
    # One secret, or during a rotation both, with a comma between them.
    WEBHOOKS = [Webhook(secret) for secret in os.environ.get("WEBHOOK_SECRETS", "").split(",")]
except (EmptyWebhookSecretError, ValueError):
    sys.exit("WEBHOOK_SECRETS is missing or wrong: create an endpoint or rotate its secret (docs/guides/webhooks.md)")


# In one write: webhooks come at once, and what print writes in parts is mixed with the lines of others.
def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def connect():
    return sqlite3.connect(DATABASE, timeout=5, isolation_level="IMMEDIATE")


# The signature is that of the body as it came: do not parse it before.
def is_genuine(body, headers):
    for webhook in WEBHOOKS:
        try:
            webhook.verify(body, headers, json_parse=False)
            return True
        except (WebhookVerificationError, ValueError):
            pass
    return False


def fetch_event(event_id):
    request = urllib.request.Request(f"{HOLDFAST}/events/{event_id}")
    request.add_header("Authorization", "Basic " + base64.b64encode(KEY.encode()).decode())
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)["event"]


# The event and its effect are one transaction: a duplicate finds the event, and a crash leaves neither.
def handle_once(event):
    connection = connect()
    try:
        with connection:
            statement = "insert into handled_event values (?) on conflict do nothing"
            if connection.execute(statement, [event["id"]]).rowcount == 1:
                invoice, transaction = event["data"]["invoice"], event["data"]["transaction"]
                receipt = [invoice["id"], transaction["captured_amount"]]
                connection.execute("insert into receipt values (?, ?)", receipt)
    finally:
        connection.close()


class Receiver(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass  # It says below what it has verified.

    def do_POST(self):
        try:
            self.send_response(self.receive())
        except Exception as error:
            say(error)
            self.send_response(500)  # The webhook comes again.
        self.end_headers()

    def receive(self):
        body = self.rfile.read(min(int(self.headers["Content-Length"]), 10_000))
        if not is_genuine(body, dict(self.headers)):
            return 400
        webhook = json.loads(body)
        say(f"Verified {webhook['event_type']} {webhook['event_id']}")
        if webhook["event_type"] == "transaction.captured":
            handle_once(fetch_event(webhook["event_id"]))
        return 204


with connect() as connection:
    connection.execute("create table if not exists handled_event (event_id text primary key)")
    connection.execute("create table if not exists receipt (invoice_id text, amount text)")
connection.close()
try:
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
except OSError as error:
    sys.exit(f"Cannot listen on port {PORT} ({error.strerror}): set RECEIVER_PORT to a free one")
say(f"Waiting for webhooks on port {PORT}")
server.serve_forever()
