package entity_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
)

// nodes are a batch from words such as "leaf<node".
func nodes(words string) (batch []entity.Node) {
	for word := range strings.FieldsSeq(words) {
		id, parent, _ := strings.Cut(word, "<")
		batch = append(batch, entity.Node{ID: id, Parent: parent})
	}
	return batch
}

func TestBatchOrder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		batch string
		want  []int
		err   error
	}{
		"without parents stays as it is":               {"a b c", []int{0, 1, 2}, nil},
		"a parent outside the batch is no concern":     {"a<x b<x", []int{0, 1}, nil},
		"parents come right before their children":     {"c<b x b<a a", []int{3, 2, 0, 1}, nil},
		"children of one parent keep their order":      {"b<a c<a a", []int{2, 0, 1}, nil},
		"an id that is there twice is a duplicate":     {"a b a", nil, &entity.DuplicateError{ID: "a"}},
		"a record above itself is a cycle":             {"b a<a", nil, &entity.CycleError{IDs: []string{"a", "a"}, Index: 1}},
		"a cycle is named without the way that led in": {"a<b b<c c<b", nil, &entity.CycleError{IDs: []string{"b", "c", "b"}, Index: 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := entity.BatchOrder(nodes(test.batch))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.err, err); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever forest a batch is, its order holds every record once and each after
// its parent.
func TestBatchOrderPutsParentsBeforeChildren(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		batch := make([]entity.Node, 1+r.IntN(50))
		for i := range batch {
			batch[i].ID = fmt.Sprint(i)
			if n := r.IntN(i + 1); n < i {
				batch[i].Parent = fmt.Sprint(n)
			}
		}
		r.Shuffle(len(batch), func(i, j int) { batch[i], batch[j] = batch[j], batch[i] })
		order, err := entity.BatchOrder(batch)
		if err != nil {
			t.Fatal(err)
		}
		made := map[string]bool{"": true}
		for _, i := range order {
			if !made[batch[i].Parent] || made[batch[i].ID] {
				t.Fatalf("seed %d: the order %v of %v makes %s too soon, or twice", seed, order, batch, batch[i].ID)
			}
			made[batch[i].ID] = true
		}
		if len(order) != len(batch) {
			t.Fatalf("seed %d: the order %v has %d of %d records", seed, order, len(order), len(batch))
		}
	}
}
