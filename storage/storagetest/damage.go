package storagetest

import (
	"context"
	"maps"
	"testing"
)

// RunDamage cuts the files of a store at every byte and flips every bit of them,
// one at a time, after the store was closed and after its process was killed.
// The store must refuse to open or show a state that it has had. Where it was
// closed, a flipped bit must not take anything away.
func RunDamage(t *testing.T, engine Engine) {
	t.Helper()
	for seed := range uint64(Scale(1)) {
		h := newWorkload(seed, 300)
		dsk := NewDisk()
		s, err := engine.OpenOn(dsk)
		if err != nil {
			t.Fatal(err)
		}
		steps := 12
		if testing.Short() {
			steps = 4
		}
		for range steps {
			if err := h.step(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		killed := dsk.Files()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		d := &damage{engine: engine, history: h}
		d.each(t, "cut, closed", dsk.Files(), d.cut, false)
		d.each(t, "cut, killed", killed, d.cut, false)
		d.each(t, "flipped bit, closed", dsk.Files(), d.flip, true)
		d.each(t, "flipped bit, killed", killed, d.flip, false)
	}
}

// damage tries damaged files.
type damage struct {
	engine  Engine
	history *workload
}

// outcomes counts what stores made of damaged files.
type outcomes struct{ tried, refused, whole, earlier, wrong int }

// each damages every file one after the other and reports.
func (d *damage) each(t *testing.T, name string, files map[string][]byte,
	harm func(data []byte, try func([]byte)), keepsAll bool,
) {
	t.Helper()
	var seen outcomes
	for file, data := range files {
		harm(data, func(harmed []byte) {
			d.try(t.Context(), files, file, harmed, &seen)
		})
	}
	t.Logf("%s: %d points tried, %d refused, %d whole, %d show an earlier state, %d wrong content",
		name, seen.tried, seen.refused, seen.whole, seen.earlier, seen.wrong)
	if seen.wrong > 0 || (keepsAll && seen.earlier > 0) {
		t.Errorf("%s: silent loss", name)
	}
}

func (d *damage) cut(data []byte, try func([]byte)) {
	for n := range data {
		try(data[:n])
	}
}

func (d *damage) flip(data []byte, try func([]byte)) {
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			try(data)
			data[i] ^= 1 << bit
		}
	}
}

// try opens a store with one file harmed.
func (d *damage) try(ctx context.Context, files map[string][]byte, harmed string, data []byte, seen *outcomes) {
	dsk := NewDisk()
	for name, whole := range files {
		dsk.Put(name, whole)
	}
	dsk.Put(harmed, data)
	seen.tried++
	s, err := d.engine.OpenOn(dsk)
	if err != nil {
		seen.refused++
		return
	}
	content, err := Dump(ctx, s)
	if closeErr := s.Close(); err != nil || closeErr != nil {
		seen.refused++
		return
	}
	seen.judge(d.history.states, content)
}

func (o *outcomes) judge(states []map[string]string, content map[string]string) {
	for n, state := range states {
		if maps.Equal(state, content) {
			if n == len(states)-1 {
				o.whole++
			} else {
				o.earlier++
			}
			return
		}
	}
	o.wrong++
}
