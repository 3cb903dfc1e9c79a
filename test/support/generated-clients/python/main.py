"""One payment by the client that openapi-python-client makes."""

import json
import os
from base64 import b64encode

from holdfast_client import AuthenticatedClient
from holdfast_client.api.cards import create_card
from holdfast_client.api.events import list_events
from holdfast_client.api.invoices import create_invoice
from holdfast_client.api.payments import authorize_invoice, capture_invoice, refund_invoice
from holdfast_client.models import (
    CardInput,
    Error,
    FailedPayment,
    InvoiceInput,
    ListEventsOrder,
    PaymentEventData,
    PaymentOptions,
    RefundInput,
)

credentials = f"{os.environ['HOLDFAST_PROJECT_ID']}:{os.environ['HOLDFAST_SECRET_KEY']}"
token = b64encode(credentials.encode()).decode()
client = AuthenticatedClient(
    os.environ["HOLDFAST_URL"], token=token, prefix="Basic", raise_on_unexpected_status=True
)


def answered(answer):
    """The answer of a call; ends the program with what came instead."""
    if isinstance(answer, (Error, FailedPayment)):
        raise SystemExit(str(answer.to_dict()))
    return answer


number = "4242424242424242"
entered = CardInput(number=number, exp_month=12, exp_year=2030)
card = answered(create_card.sync(client=client, body=entered)).card
order = InvoiceInput.from_dict(
    {"name": "Order 1", "amount": "29.00", "currency": "EUR", "metadata": {"cart": "7"}}
)
invoice = answered(create_invoice.sync(client=client, body=order)).invoice
assert invoice.metadata.to_dict() == {"cart": "7"}
options = PaymentOptions(source=card.id, authorize_only=True)
authorized = answered(authorize_invoice.sync(invoice.id, client=client, body=options)).transaction
captured = answered(capture_invoice.sync(invoice.id, client=client)).transaction
part = RefundInput(amount="9.00")
refund = answered(refund_invoice.sync(invoice.id, client=client, body=part)).refund
about = [f"invoice_id:{invoice.id}"]
events = answered(list_events.sync(client=client, filter_=about, order=ListEventsOrder.ASC)).events
for event in events:
    if isinstance(event.data, PaymentEventData):
        assert event.data.invoice.id == invoice.id
result = {
    "authorized": authorized.status,
    "captured": captured.captured_amount,
    "refunded": refund.amount,
    "events": [event.name for event in events],
}
print(json.dumps(result))
