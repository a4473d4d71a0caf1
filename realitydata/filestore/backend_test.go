package filestore_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore/filestoretest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	filestoretest.Run(t, func(t *testing.T) filestoretest.Place {
		dir := t.TempDir()
		return filestoretest.Place{Open: func(t *testing.T) filestore.Backend {
			f, err := filestore.OpenFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}}
	})
}
