module github.com/seed-933f9a09/twinplatform/storage/postgres

go 1.26

require (
	github.com/google/go-cmp v0.7.0
	github.com/jackc/pgx/v5 v5.12.0
	github.com/seed-933f9a09/twinplatform v0.5.0
)

require (
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/rs/xid v1.6.0 // indirect
	github.com/tidwall/btree v1.4.2 // indirect
	golang.org/x/sync v0.22.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace github.com/seed-933f9a09/twinplatform => ../..
