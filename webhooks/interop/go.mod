module github.com/seed-933f9a09/twinplatform/webhooks/interop

go 1.26

require (
	github.com/seed-933f9a09/twinplatform v0.5.0
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
)

require (
	github.com/rs/xid v1.6.0 // indirect
	github.com/tidwall/btree v1.4.2 // indirect
)

replace github.com/seed-933f9a09/twinplatform => ../..
