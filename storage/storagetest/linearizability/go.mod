module github.com/seed-933f9a09/twinplatform/storage/storagetest/linearizability

go 1.26

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/seed-933f9a09/twinplatform v0.0.0
)

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/tidwall/btree v1.4.2 // indirect
)

replace github.com/seed-933f9a09/twinplatform => ../../..
