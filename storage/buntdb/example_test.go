package buntdb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
)

// A store that survives the loss of power, its backup, and what a damaged file
// looks like.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "plan.db")
	ctx := context.Background()

	store, err := buntdb.Open(path, buntdb.Options{})
	if err != nil {
		log.Fatal(err)
	}
	err = store.Update(ctx, func(w storage.Writer) error {
		return errors.Join(
			w.Put("task/1", []byte("dig")),
			w.Put("task/2", []byte("pour")),
		)
	})
	if err != nil {
		log.Fatal(err)
	}
	err = store.View(ctx, func(r storage.Reader) error {
		for key, value := range r.Scan("task/", "") {
			fmt.Println(key, string(value))
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	var backup bytes.Buffer
	if err := storage.Backup(ctx, store, &backup); err != nil {
		log.Fatal(err)
	}
	if err := store.Close(); err != nil {
		log.Fatal(err)
	}

	file, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(file, []byte("dig"), []byte("dog"), 1), 0o600); err != nil {
		log.Fatal(err)
	}
	_, err = buntdb.Open(path, buntdb.Options{})
	if damage, ok := errors.AsType[*buntdb.DamageError](err); ok {
		fmt.Println("refused:", damage.Reason)
	}
	// Output:
	// task/1 dig
	// task/2 pour
	// refused: wrong checksum
}
