// Package linearizability checks that concurrent transactions over several keys
// behave as if they had run one after the other, each at some moment between
// its call and its return.
//
// It is a separate module, so that users of the platform need not have the checker.
package linearizability

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// accounts is the number of keys that transactions work on.
const accounts = 4

// balances is what the keys hold, and the state of the model.
type balances [accounts]int

// kind is what an operation does.
type kind int

const (
	read     kind = iota // reads every key in one View
	transfer             // moves an amount between two keys
	put                  // sets one key, whatever it holds
	giveUp               // moves an amount and returns an error
)

// operation is the input of one call.
type operation struct {
	kind     kind
	from, to int
	amount   int
}

var errGivenUp = errors.New("given up")

// Run lets clients work on an empty store concurrently, operations for each,
// and checks the history of what they did and saw.
func Run(t *testing.T, s storage.Store, clients, operations int, seed uint64) {
	t.Helper()
	if !Holds(t, s, clients, operations, seed) {
		t.Errorf("seed %d: the operations of %d clients cannot have run one after the other", seed, clients)
	}
}

// Holds reports whether a history made as by Run is one that a store may show. It holds
// too when that is not decided within a minute.
func Holds(t *testing.T, s storage.Store, clients, operations int, seed uint64) bool {
	t.Helper()
	begin := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var group sync.WaitGroup
	for client := range clients {
		group.Go(func() {
			random := rand.New(rand.NewPCG(seed, uint64(client)))
			for range operations {
				input := operation{
					kind: kind(random.IntN(4)), from: random.IntN(accounts), to: random.IntN(accounts),
					amount: random.IntN(100),
				}
				call := time.Since(begin)
				output, err := do(t, s, input)
				if err != nil {
					t.Error(err)
					return
				}
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: input, Output: output,
					Call: int64(call), Return: int64(time.Since(begin)),
				})
			}
		})
	}
	group.Wait()
	var history []porcupine.Operation
	for _, part := range histories {
		history = append(history, part...)
	}
	verdict := porcupine.CheckOperationsTimeout(model, history, time.Minute)
	t.Logf("seed %d: %d operations of %d clients: %s", seed, len(history), clients, verdict)
	return verdict != porcupine.Illegal
}

// do performs an operation and returns the balances that it read.
func do(t *testing.T, s storage.Store, o operation) (seen balances, err error) {
	if o.kind == read {
		err = s.View(t.Context(), func(r storage.Reader) error {
			seen, err = readAll(r)
			return err
		})
		return seen, err
	}
	err = s.Update(t.Context(), func(w storage.Writer) error {
		if seen, err = readAll(w); err != nil {
			return err
		}
		after := o.apply(seen)
		for i, balance := range after {
			if balance == seen[i] {
				continue
			}
			if err := w.Put(name(i), []byte(strconv.Itoa(balance))); err != nil {
				return err
			}
		}
		if o.kind == giveUp {
			return errGivenUp
		}
		return nil
	})
	if o.kind == giveUp && errors.Is(err, errGivenUp) {
		err = nil
	}
	return seen, err
}

// apply returns the balances after an operation.
func (o operation) apply(b balances) balances {
	switch o.kind {
	case transfer, giveUp:
		b[o.from] -= o.amount
		b[o.to] += o.amount
	case put:
		b[o.to] = o.amount
	}
	return b
}

func name(account int) string { return fmt.Sprintf("account:%d", account) }

func readAll(r storage.Reader) (b balances, err error) {
	for key, value := range r.Scan("account:", "") {
		i, err := strconv.Atoi(key[len("account:"):])
		if err != nil {
			return b, err
		}
		if b[i], err = strconv.Atoi(string(value)); err != nil {
			return b, err
		}
	}
	return b, nil
}

// model is what a store must behave like.
var model = porcupine.Model{
	Init: func() any { return balances{} },
	Step: func(state, input, output any) (bool, any) {
		before, o := state.(balances), input.(operation)
		if output.(balances) != before {
			return false, state
		}
		if o.kind == giveUp {
			return true, before
		}
		return true, o.apply(before)
	},
}
