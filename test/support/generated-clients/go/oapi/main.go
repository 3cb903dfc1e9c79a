// One payment by the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// answered gives the answer of a call, or ends the program with what came instead.
func answered[T any](answer *T, body []byte, err error) *T {
	if err != nil {
		panic(err)
	}
	if answer == nil {
		panic(string(body))
	}
	return answer
}

func amount(text string) (amount AmountInput) {
	if err := amount.FromAmountInput0(text); err != nil {
		panic(err)
	}
	return
}

func main() {
	ctx := context.Background()
	signIn := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("HOLDFAST_PROJECT_ID"), os.Getenv("HOLDFAST_SECRET_KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("HOLDFAST_URL"), WithRequestEditorFn(signIn))
	if err != nil {
		panic(err)
	}
	made, err := client.CreateCardWithResponse(ctx, nil, CardInput{Number: "4242424242424242", ExpMonth: 12, ExpYear: 2030})
	card := answered(made.JSON200, made.Body, err).Card
	input := InvoiceInput{Name: "Order 1", Amount: amount("29.00"), Currency: "EUR"}
	created, err := client.CreateInvoiceWithResponse(ctx, nil, input)
	invoice := answered(created.JSON200, created.Body, err).Invoice
	only := true
	options := PaymentOptions{Source: &card.Id, AuthorizeOnly: &only}
	reserved, err := client.AuthorizeInvoiceWithResponse(ctx, invoice.Id, nil, options)
	authorized := answered(reserved.JSON200, reserved.Body, err).Transaction
	taken, err := client.CaptureInvoiceWithResponse(ctx, invoice.Id, nil, PaymentOptions{})
	captured := answered(taken.JSON200, taken.Body, err).Transaction
	part := amount("9.00")
	given, err := client.RefundInvoiceWithResponse(ctx, invoice.Id, nil, RefundInput{Amount: &part})
	refund := answered(given.JSON200, given.Body, err).Refund
	order := ListEventsParamsOrder("asc")
	filter := []string{"invoice_id:" + invoice.Id}
	listed, err := client.ListEventsWithResponse(ctx, &ListEventsParams{Filter: &filter, Order: &order})
	events := []string{}
	for _, event := range answered(listed.JSON200, listed.Body, err).Events {
		data, err := event.Data.ValueByDiscriminator()
		if err != nil {
			panic(err)
		}
		if payment, isPayment := data.(PaymentEventData); isPayment && payment.Invoice.Id != invoice.Id {
			panic("the event is about another invoice")
		}
		events = append(events, string(event.Name))
	}
	text, err := json.Marshal(map[string]any{
		"authorized": authorized.Status, "captured": captured.CapturedAmount, "refunded": refund.Amount, "events": events,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
