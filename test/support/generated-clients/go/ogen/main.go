// One payment by the client that ogen makes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"
)

type signIn struct{}

func (signIn) SecretKey(context.Context, OperationName) (SecretKey, error) {
	return SecretKey{Username: os.Getenv("HOLDFAST_PROJECT_ID"), Password: os.Getenv("HOLDFAST_SECRET_KEY")}, nil
}

func (signIn) ClientKey(context.Context, OperationName) (ClientKey, error) {
	return ClientKey{}, ogenerrors.ErrSkipClientSecurity
}

// answered gives the answer of a call, or ends the program with what came instead.
func answered[T any](answer any, err error) T {
	if err != nil {
		panic(err)
	}
	if expected, isExpected := answer.(T); isExpected {
		return expected
	}
	text, _ := json.Marshal(answer)
	panic(string(text))
}

func main() {
	ctx := context.Background()
	client, err := NewClient(os.Getenv("HOLDFAST_URL"), signIn{})
	if err != nil {
		panic(err)
	}
	made, err := client.CreateCard(ctx, &CardInput{Number: "4242424242424242", ExpMonth: 12, ExpYear: 2030}, CreateCardParams{})
	card := answered[*CreateCardOKHeaders](made, err).Response.Card
	input := &InvoiceInput{Name: "Order 1", Amount: NewStringAmountInput("29.00"), Currency: "EUR"}
	created, err := client.CreateInvoice(ctx, input, CreateInvoiceParams{})
	invoice := answered[*CreateInvoiceOKHeaders](created, err).Response.Invoice
	options := PaymentOptions{Source: NewOptNilString(card.ID), AuthorizeOnly: NewOptNilBool(true)}
	reserved, err := client.AuthorizeInvoice(ctx, NewOptPaymentOptions(options), AuthorizeInvoiceParams{ID: invoice.ID})
	authorized := answered[*PaymentAnswerHeaders](reserved, err).Response.Transaction.Value
	taken, err := client.CaptureInvoice(ctx, OptPaymentOptions{}, CaptureInvoiceParams{ID: invoice.ID})
	captured := answered[*PaymentAnswerHeaders](taken, err).Response.Transaction.Value
	part := RefundInput{Amount: NewOptNilAmountInput(NewStringAmountInput("9.00"))}
	given, err := client.RefundInvoice(ctx, NewOptRefundInput(part), RefundInvoiceParams{ID: invoice.ID})
	refund := answered[*RefundAnswerHeaders](given, err).Response.Refund.Value
	order := NewOptListEventsOrder(ListEventsOrderAsc)
	listed, err := client.ListEvents(ctx, ListEventsParams{Filter: []string{"invoice_id:" + invoice.ID}, Order: order})
	events := []EventName{}
	for _, event := range answered[*ListEventsOKHeaders](listed, err).Response.Events {
		if payment, isPayment := event.Data.GetPaymentEventData(); isPayment && payment.Invoice.ID != invoice.ID {
			panic("the event is about another invoice")
		}
		events = append(events, event.Name)
	}
	text, err := json.Marshal(map[string]any{
		"authorized": authorized.Status, "captured": captured.CapturedAmount, "refunded": refund.Amount, "events": events,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
