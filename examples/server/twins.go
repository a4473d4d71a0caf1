package main

import (
	"context"
	"maps"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// twinsPrefix is where the store keeps the accounts of the seed's twins, so that
// a server restarted without its seed still knows them. No scope of the
// platform's own records begins like that.
const twinsPrefix = "examples/server/twins/"

// directory tells the schedules area which twins there are.
type directory struct {
	accounts map[string]string // by the id of the twin
	// account is whose the twins are that name none.
	account string
}

var _ schedules.TwinDirectory = (*directory)(nil)

// TwinAccount implements schedules.TwinDirectory. As long as no seed has named
// any twins, every id is taken for one, so that a bare server can be tried out.
func (d *directory) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	if len(d.accounts) == 0 {
		return d.account, true, nil
	}
	account, ok := d.accounts[twinID]
	return account, ok, nil
}

// openDirectory returns the twins that the store knows, and adds those of w. A
// twin that it knows stays in its account.
func openDirectory(ctx context.Context, store storage.Store, w *world, account string) (*directory, error) {
	d := &directory{account: account}
	err := store.View(ctx, func(r storage.Reader) error {
		d.accounts = make(map[string]string)
		for key, value := range r.Scan(twinsPrefix, "") {
			d.accounts[strings.TrimPrefix(key, twinsPrefix)] = string(value)
		}
		return nil
	})
	if err != nil || w == nil {
		return d, err
	}
	added := make(map[string]string)
	for _, t := range w.Twins {
		if _, ok := d.accounts[t.ID]; ok {
			continue
		}
		added[t.ID] = t.TwinAccountID
		if t.TwinAccountID == "" {
			added[t.ID] = account
		}
	}
	maps.Copy(d.accounts, added)
	return d, putAll(ctx, store, twinsPrefix, added)
}

// putAll writes values under a prefix, in as many transactions as it takes.
func putAll(ctx context.Context, store storage.Store, prefix string, values map[string]string) error {
	for len(values) > 0 {
		var done []string
		err := store.Update(ctx, func(w storage.Writer) error {
			done = done[:0]
			for name, value := range values {
				if len(done) == storage.MaxTxWrites/2 {
					break
				}
				if err := w.Put(prefix+name, []byte(value)); err != nil {
					return err
				}
				done = append(done, name)
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, name := range done {
			delete(values, name)
		}
	}
	return nil
}
