package transform_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// measured is a store that measures how long one transaction held the writer at most, and
// how many bytes one has written. Each write takes some time.
type measured struct {
	storage.Store
	perWrite time.Duration
	held     time.Duration
	bytes    int
}

// crowded is a store in which a transaction loses its race when it makes more than so many writes, which others leave it
// time for.
type crowded struct {
	storage.Store
	most, lost int
}

var errRaced = errors.New("lost a race")

// Update implements storage.Store.
func (c *crowded) Update(ctx context.Context, fn func(storage.Writer) error) (err error) {
	for range 10 {
		writes := 0
		err = c.Store.Update(ctx, func(w storage.Writer) error {
			err := fn(counted{w, &writes})
			if err == nil && writes > c.most {
				return errRaced
			}
			return err
		})
		if !errors.Is(err, errRaced) {
			return err
		}
		c.lost++
	}
	return err
}

type counted struct {
	storage.Writer
	writes *int
}

// Put implements storage.Writer.
func (w counted) Put(key string, value []byte) error {
	*w.writes++
	return w.Writer.Put(key, value)
}

// Update implements storage.Store.
func (m *measured) Update(ctx context.Context, fn func(storage.Writer) error) error {
	return m.Store.Update(ctx, func(w storage.Writer) error {
		began, written := time.Now(), 0
		err := fn(timed{w, m.perWrite, &written})
		m.held, m.bytes = max(m.held, time.Since(began)), max(m.bytes, written)
		return err
	})
}

type timed struct {
	storage.Writer
	perWrite time.Duration
	written  *int
}

// Put implements storage.Writer.
func (w timed) Put(key string, value []byte) error {
	if w.perWrite > 0 {
		time.Sleep(w.perWrite)
	}
	*w.written += len(key) + len(value)
	return w.Writer.Put(key, value)
}

// manyWalls makes two models, of which the first has so many walls, and a configuration
// that brings all of them into the second.
func manyWalls(tb testing.TB, store storage.Store, elements int, geometry []byte) (configurationID string) {
	tb.Helper()
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	ctx := context.Background()
	svc := transform.New(store, transform.Config{Twins: twins{"source", "target"}})
	for _, n := range []models.NewModel{{ID: "source-model", TwinID: "source", DisplayName: "s"}, {ID: "target-model", TwinID: "target", DisplayName: "t"}} {
		_, err := svc.Models().CreateModel(ctx, n)
		must(err)
	}
	target, err := svc.Models().Target(ctx, "source-model")
	must(err)
	atOnce := max(1, min(500, 1<<20/(len(geometry)+1)))
	for from := 0; from < elements; from += atOnce {
		must(target.Write(ctx, "big", func(d models.Draft) error {
			for i := from; i < min(from+atOnce, elements); i++ {
				e := models.Element{ID: fmt.Sprintf("0x%06x", i), Class: "Part", Category: "walls", Geometry: fmt.Appendf(geometry, "shape %d", i)}
				if err := d.Put(e); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	_, err = target.Commit(ctx, "big", "")
	must(err)
	_, err = svc.Models().CreateSavedView(ctx, models.NewSavedView{ID: "shared", ModelID: "source-model", DisplayName: "x", Shared: true})
	must(err)
	conf, err := svc.CreateConfiguration(ctx, wanted())
	must(err)
	return conf.Value().ID
}

// runAll runs a configuration to its end.
func runAll(tb testing.TB, store storage.Store, configurationID string, elements int) {
	tb.Helper()
	svc := transform.New(store, transform.Config{Twins: twins{"source", "target"}})
	res, err := svc.RunTransformation(context.Background(), transform.NewTransformation{ConfigurationID: configurationID})
	if err != nil {
		tb.Fatal(err)
	}
	if done := res.Value(); done.Status != transform.Succeeded || done.Report.InsertedCount != elements+2 {
		tb.Fatalf("%+v", done)
	}
}

func TestTransformationHoldsTheWriterForSomeMilliseconds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		elements int
		geometry []byte
		perWrite time.Duration
		held     time.Duration
		bytes    int
	}{
		// Sixteen elements are brought in any case, of some four writes each.
		"many elements":    {3_000, nil, 100 * time.Microsecond, 15 * time.Millisecond, 1 << 20},
		"large geometries": {200, bytes.Repeat([]byte("g"), 100<<10), 0, time.Millisecond, 9 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				conf := manyWalls(t, store, c.elements, c.geometry)
				m := &measured{Store: store, perWrite: c.perWrite}
				runAll(t, m, conf, c.elements)
				if m.held > c.held || m.bytes > c.bytes {
					t.Errorf("one transaction held the writer for %v and wrote %d bytes", m.held, m.bytes)
				}
			})
		})
	}
}

// Over a network a transformation comes to its end where others write all the time, and where journeys are slow: its
// transactions are as short as they have to be.
func TestTransformationOverANetworkIsAsShortAsItHasToBe(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		most    int // writes of one transaction that are in time
		journey time.Duration
	}{
		"others write":       {200, 0},
		"journeys are slow":  {200, 200 * time.Millisecond},
		"no one is in a way": {2_000, 3 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := memory.New()
				const elements = 600
				conf := manyWalls(t, store, elements, nil)
				others := &crowded{Store: store, most: c.most}
				far := distant.Over(others)
				far.Journey = func() { time.Sleep(c.journey) }
				runAll(t, far, conf, elements)
				if lost := others.lost; lost > 20 || c.journey > 0 && lost > 0 {
					t.Errorf("it lost %d races", lost)
				}
			})
		})
	}
}
