package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// countedLine is a line to a database that has each key but those that begin with "none", with large values. Each of its
// ranges has as many short records as its limit, and each of them leads to a large value.
type countedLine struct {
	value    []byte
	journeys int
}

func (l *countedLine) Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []engine.Page, err error) {
	l.journeys++
	values = make([][]byte, len(keys))
	for i, key := range keys {
		if !strings.HasPrefix(key, "none") {
			values[i] = l.value
		}
	}
	pages = make([]engine.Page, len(ranges))
	for i, at := range ranges {
		for n := range at.Limit {
			id := fmt.Sprintf("%04d", n)
			pages[i].Keys, pages[i].Values = append(pages[i].Keys, at.Prefix+id), append(pages[i].Values, []byte(id))
			pages[i].Led = append(pages[i].Led, engine.Led{Values: [2][]byte{l.value}})
		}
	}
	return values, pages, nil
}

// A transaction that reads on and on keeps what it has read last, and reads again what it has let go.
func TestWhatIsReadAheadIsKeptAsFarAsThereIsRoom(t *testing.T) {
	t.Parallel()
	l := &countedLine{value: bytes.Repeat([]byte("x"), 1<<20)}
	r := engine.NewRemote(l)
	part := func(n int) (keys []string) {
		for i := range 40 {
			keys = append(keys, fmt.Sprint(n, "/", i))
		}
		return append(keys, fmt.Sprint("none ", n))
	}
	for n, took := range []int{0, 0, 41} { // the second part leaves no room for the first
		l.journeys = 0
		if n < 2 {
			if err := r.Prefetch(part(n)); err != nil || l.journeys != 1 {
				t.Fatalf("part %d: %d journeys (%v)", n, l.journeys, err)
			}
			l.journeys = 0
		}
		for _, key := range part(n % 2) {
			value, err := r.Get(key)
			if missing := errors.Is(err, storage.ErrNotFound); missing != strings.HasPrefix(key, "none") || !missing && len(value) != 1<<20 {
				t.Errorf("%s: %d bytes (%v)", key, len(value), err)
			}
		}
		if l.journeys != took {
			t.Errorf("reading part %d took %d journeys, want %d", n, l.journeys, took)
		}
	}
}

// What records lead to is by far the most of what is read with them, and takes room as they do.
func TestWhatRecordsLeadToTakesRoomToo(t *testing.T) {
	t.Parallel()
	l := &countedLine{value: bytes.Repeat([]byte("x"), 1<<20)}
	r := engine.NewRemote(l)
	for _, list := range []string{"first/", "second/"} { // the second leaves no room for the first
		at := storage.Range{Prefix: list, Limit: 40, Follow: [2]string{list + "record/"}}
		if err := r.Prefetch(nil, at); err != nil {
			t.Fatal(err)
		}
	}
	for list, took := range map[string]int{"first/": 1, "second/": 0} {
		l.journeys = 0
		value, err := r.Get(list + "record/0007")
		if err != nil || len(value) != 1<<20 || l.journeys != took {
			t.Errorf("%s: %d bytes in %d journeys, want %d (%v)", list, len(value), l.journeys, took, err)
		}
	}
}
