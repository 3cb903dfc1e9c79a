package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	_ "github.com/lib/pq"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type event struct {
	Id   string
	Data struct {
		Invoice     struct{ Id string }
		Transaction struct{ Captured_amount string }
	}
}

var (
	holdfast = os.Getenv("HOLDFAST")
	client   = http.Client{Timeout: 5 * time.Second}
	webhooks []*standardwebhooks.Webhook
	database *sql.DB
)

// The signature is that of the body as it came: do not parse it before.
func isGenuine(body []byte, headers http.Header) bool {
	for _, webhook := range webhooks {
		if webhook.Verify(body, headers) == nil {
			return true
		}
	}
	return false
}

func fetchEvent(id string) (event, error) {
	var answer struct{ Event event }
	request, err := http.NewRequest("GET", holdfast+"/events/"+id, nil)
	if err != nil {
		return answer.Event, err
	}
	project, secret, _ := strings.Cut(os.Getenv("KEY"), ":")
	request.SetBasicAuth(project, secret)
	response, err := client.Do(request)
	if err != nil {
		return answer.Event, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return answer.Event, fmt.Errorf("GET /events/%s answered %s", id, response.Status)
	}
	return answer.Event, json.NewDecoder(response.Body).Decode(&answer)
}

// The event and its effect are one transaction: a duplicate finds the event, and a crash leaves neither.
func handleOnce(ctx context.Context, event event) error {
	transaction, err := database.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	result, err := transaction.Exec("insert into handled_event values ($1) on conflict do nothing", event.Id)
	if err != nil {
		return err
	}
	if inserted, _ := result.RowsAffected(); inserted == 1 {
		invoice, payment := event.Data.Invoice, event.Data.Transaction
		_, err = transaction.Exec("insert into receipt values ($1, $2)", invoice.Id, payment.Captured_amount)
		if err != nil {
			return err
		}
	}
	return transaction.Commit()
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 10_000))
	if err != nil || !isGenuine(body, request.Header) {
		response.WriteHeader(400)
		return
	}
	var webhook struct{ Event_id, Event_type string }
	err = json.Unmarshal(body, &webhook)
	fmt.Println("Verified", webhook.Event_type, webhook.Event_id)
	if err == nil && webhook.Event_type == "transaction.captured" {
		var fetched event
		if fetched, err = fetchEvent(webhook.Event_id); err == nil {
			err = handleOnce(request.Context(), fetched)
		}
	}
	if err != nil {
		// The webhook comes again.
		log.Print(err)
		response.WriteHeader(500)
		return
	}
	response.WriteHeader(204)
}

func main() {
	// One secret, or during a rotation both, with a comma between them.
	for _, secret := range strings.Split(os.Getenv("WEBHOOK_SECRETS"), ",") {
		webhook, err := standardwebhooks.NewWebhook(secret)
		// The library takes an empty secret, by which anybody can sign.
		if err != nil || secret == "" {
			log.Fatal("WEBHOOK_SECRETS is missing or wrong: create an endpoint or rotate its secret (docs/guides/webhooks.md)")
		}
		webhooks = append(webhooks, webhook)
	}
	var err error
	if database, err = sql.Open("postgres", os.Getenv("DATABASE_URL")); err == nil {
		_, err = database.Exec(`
			create table if not exists handled_event (event_id text primary key);
			create table if not exists receipt (invoice_id text, amount text)`)
	}
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("RECEIVER_PORT")
	if port == "" {
		port = "4242"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("Cannot listen on port %s (%v): set RECEIVER_PORT to a free one", port, err)
	}
	fmt.Println("Waiting for webhooks on port", port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
