// Package proof_test tries what several processes of the server promise together over one
// PostgreSQL, by killing them.
package proof_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) {
	code := postgrestest.Main(m)
	if program.path != "" {
		_ = os.RemoveAll(filepath.Dir(program.path))
	}
	os.Exit(code)
}
