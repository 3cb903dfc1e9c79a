module receiver

go 1.21.0

require (
	github.com/lib/pq v1.12.3
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
)
