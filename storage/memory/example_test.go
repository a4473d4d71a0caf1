package memory_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// A fork begins as the store is and goes its own way, at once whatever it holds.
func ExampleFork() {
	ctx := context.Background()
	store := memory.New()
	put := func(s storage.Store, value string) {
		if err := s.Update(ctx, func(w storage.Writer) error { return w.Put("tower", []byte(value)) }); err != nil {
			log.Fatal(err)
		}
	}
	put(store, "planned")
	fork, err := memory.Fork(store)
	if err != nil {
		log.Fatal(err)
	}
	put(fork, "built")
	for _, s := range []storage.Store{store, fork} {
		err := s.View(ctx, func(r storage.Reader) error {
			value, err := r.Get("tower")
			fmt.Println(string(value))
			return err
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// planned
	// built
}
