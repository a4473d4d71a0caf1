package postgres_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestSevered(t *testing.T) {
	t.Parallel()
	server := postgrestest.Shared(t)
	storagetest.RunSevered(t, func(t testing.TB) storagetest.Remote {
		schema := server.Schema(t)
		return storagetest.Remote{
			Address: server.Address,
			Open: func(t testing.TB, address string) storage.Store {
				s, err := postgres.Open(t.Context(), server.URL(address), postgres.Options{
					Schema: schema, MaxConns: 2, Patience: 600 * time.Millisecond, Logger: quiet,
				})
				if err != nil {
					t.Fatal(err)
				}
				return s
			},
			Message: message,
		}
	})
}

// message finds where a message of the protocol ends: its length follows its type, which
// only the first message of a client lacks.
func message(b []byte, fromServer, first bool) int {
	head := 1
	if first && !fromServer {
		head = 0
	}
	if len(b) < head+4 {
		return 0
	}
	return head + int(binary.BigEndian.Uint32(b[head:]))
}
