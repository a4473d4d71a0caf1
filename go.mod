module github.com/seed-933f9a09/twinplatform

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/rs/xid v1.6.0
	github.com/tidwall/btree v1.4.2
	github.com/tidwall/buntdb v1.3.2
	golang.org/x/time v0.15.0
)
