// Package proof_test tries what several processes of the server promise together over one
// PostgreSQL, by killing them.
package proof_test

import (
	"os"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) { os.Exit(postgrestest.Main(m)) }
