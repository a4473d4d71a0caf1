package schedules_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/blob/blobtest"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// outside is a plan whose bytes go outside the store.
func outside(t *testing.T, store storage.Store) (*plan, *blobtest.Outside) {
	t.Helper()
	o := new(blobtest.Outside)
	return newPlan(t, store, schedules.Config{Env: twinplatform.Env{Bytes: o}}), o
}

func TestFileOutsideTheStoreHasTheBytesOfItsParts(t *testing.T) {
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		p, o := outside(t, store)
		content := noise(20<<20 + 17)
		for seed := range uint64(3) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			id, offset := p.file(len(content)), 0
			for parts := 0; offset < len(content) && (seed == 0 || parts < 200); parts++ {
				n := min(1+rnd.IntN(1<<(4+3*rnd.IntN(7))), len(content)-offset)
				rec, err := files.In(p.in()).AppendFile(p.ctx, id, int64(offset), bytes.NewReader(content[offset:offset+n]))
				if err != nil {
					p.Fatal(err)
				}
				if offset += n; rec.Value.Offset != int64(offset) {
					p.Fatalf("with %d bytes the file is %+v", offset, rec.Value)
				}
			}
			if !bytes.Equal(p.bytesOf(id), content[:offset]) {
				p.Fatalf("seed %d: the file has other bytes than were sent", seed)
			}
			if names := o.Names(); len(names) > 60 {
				p.Errorf("seed %d: %d objects have the bytes", seed, len(names))
			}
			o.WantNoneLost(t, p.store)
			if err := files.In(p.in()).DeleteFile(p.ctx, id); err != nil {
				p.Fatal(err)
			}
			if names := o.Names(); names != nil {
				p.Errorf("seed %d: %d objects outlive the file", seed, len(names))
			}
		}
		if _, _, inside := blobtest.Held(t, p.store); inside != 0 {
			p.Errorf("%d bytes of files are in the store", inside)
		}
	})
}

// TestBytesInTheStoreAreReadAndAddedToOutside continues with an upload that an earlier
// process began, which had nothing outside.
func TestBytesInTheStoreAreReadAndAddedToOutside(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := noise(3<<20 + 5)
	id := p.file(len(content))
	const before = 1<<20 + 100_003
	add := func(from, to int) error {
		_, err := files.In(p.in()).AppendFile(p.ctx, id, int64(from), bytes.NewReader(content[from:to]))
		return err
	}
	if err := add(0, before); err != nil {
		t.Fatal(err)
	}
	env := twinplatform.Env{Now: func() time.Time { return morning }, Bytes: new(blobtest.Outside)}
	p.svc = newService(p.store, schedules.Config{Env: env})
	for from := before; from < len(content); from += 700_000 {
		if err := add(from, min(from+700_000, len(content)-1)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(p.bytesOf(id), content[:len(content)-1]) {
		t.Error("the file has other bytes than were sent")
	}
	unkept := refusal{kind: twinplatform.Unavailable, code: "StorageUnavailable"}
	p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Now: env.Now}})
	unkept.check(t, add(len(content)-1, len(content)))
	r, err := files.In(p.in()).OpenFile(p.ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(r)
	unkept.check(t, err)
}

func TestFileWhoseObjectIsMissingIsMissing(t *testing.T) {
	t.Parallel()
	p, o := outside(t, memory.New())
	id := p.upload(noise(1 << 20))
	for _, name := range o.Names() {
		if err := o.RemoveBytes(p.ctx, "", name); err != nil {
			t.Fatal(err)
		}
	}
	r, err := files.In(p.in()).OpenFile(p.ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(r)
	noFile.check(t, err)
}

// TestNothingOutsideOutlivesAnyCrash ends a process at each step of an upload in parts and of
// its deletion, and lets another one continue.
func TestNothingOutsideOutlivesAnyCrash(t *testing.T) {
	t.Parallel()
	died := errors.New("died")
	for name, fail := range map[string]func(n int, store *storetest.Eventful, o *blobtest.Outside){
		"the store ends":                  func(n int, s *storetest.Eventful, _ *blobtest.Outside) { s.FailAfter(n, died) },
		"the answer of the store is lost": func(n int, s *storetest.Eventful, _ *blobtest.Outside) { s.LoseAfter(n, storage.ErrUnknown) },
		"the place outside ends":          func(n int, _ *storetest.Eventful, o *blobtest.Outside) { o.FailAfter(n, died) },
		"both end":                        func(n int, s *storetest.Eventful, o *blobtest.Outside) { s.FailAfter(n, died); o.FailAfter(n/2, died) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, alone := range []bool{true, false} {
				for n := 0; n < 16; n += testsize.Of(1, 3) {
					synctest.Test(t, func(t *testing.T) { crash(t, n, alone, fail) })
				}
			}
		})
	}
}

// crash lets calls fail behind the n-th.
func crash(t *testing.T, n int, alone bool, fail func(int, *storetest.Eventful, *blobtest.Outside)) {
	kept, o := memory.New(), new(blobtest.Outside)
	store := storetest.Over(kept)
	if alone {
		store = storetest.Alone(kept)
	}
	p := newPlan(t, store, schedules.Config{Env: twinplatform.Env{Bytes: o, Now: time.Now}})
	content := noise(400_000)
	id := p.file(len(content))
	fail(n, store, o)
	whole := true
	for from := 0; from < len(content); from += 100_000 {
		_, err := files.In(p.in()).AppendFile(p.ctx, id, int64(from), bytes.NewReader(content[from:from+100_000]))
		whole = whole && err == nil
	}
	if whole {
		_ = files.In(p.in()).DeleteFile(p.ctx, id)
	}
	// Another process continues, of whose opening the store is now.
	o.FailAfter(0, nil)
	next, err := memory.Fork(kept)
	if err != nil {
		t.Fatal(err)
	}
	p.store, p.svc = next, newService(next, schedules.Config{Env: twinplatform.Env{Bytes: o, Now: time.Now}})
	if rec, err := files.In(p.in()).File(p.ctx, id); err == nil {
		if got := p.bytesOf(id); !bytes.Equal(got, content[:rec.Value.Offset]) {
			t.Errorf("behind %d calls the file has other bytes than were taken", n)
		}
	}
	ctx, stop := context.WithCancel(p.ctx)
	done := make(chan error, 1)
	go func() { done <- p.svc.Run(ctx) }()
	if time.Sleep(2 * time.Second); alone {
		o.WantNoneLost(t, next)
	}
	time.Sleep(files.FileTime + blob.DraftTime)
	if names := o.Names(); names != nil {
		t.Errorf("behind %d calls %v is left for ever", n, names)
	}
	o.WantNoneLost(t, next)
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
