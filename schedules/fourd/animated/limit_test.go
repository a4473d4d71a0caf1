package animated_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// fading is a wall that fades with each of so many tasks, each time at another time, and so in a look of its own.
func fading(t *testing.T, m *gltf.Model, tasks int) *fourd.Timeline {
	t.Helper()
	s := site(m, fourd.Profile{Action: fourd.Install, Active: &fourd.ActiveLook{Color: "#00ff00", StartTransparency: 80}})
	s.Tasks, s.Bindings = nil, nil
	for i := range tasks {
		id := fmt.Sprint("A", i)
		s.Tasks = append(s.Tasks, fourd.Task{ID: id, Planned: fourd.Span{Start: day(float64(2 * i)), Finish: day(float64(2*i + 1))}})
		s.Bindings = append(s.Bindings, fourd.Binding{ID: id, EntityID: "Wall", TaskID: id, ProfileID: "p"})
	}
	return timeline(t, s)
}

func TestTwiceAsManyLooksTakeTwiceAsMuch(t *testing.T) {
	t.Parallel()
	m := wall(t)
	size := func(tasks int) int {
		t.Helper()
		var b bytes.Buffer
		if _, err := animated.Write(t.Context(), &b, m, fading(t, m, tasks), animated.Options{Entity: named(m)}); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	if few, many := size(300), size(600); many > few*5/2 {
		t.Errorf("300 looks take %d bytes, and 600 take %d", few, many)
	}
}

func TestWhatAddsTooMuchIsRefused(t *testing.T) {
	t.Parallel()
	m := wall(t)
	var b bytes.Buffer
	o := animated.Options{Entity: named(m), MaxAdded: 100_000}
	if _, err := animated.Write(t.Context(), &b, m, fading(t, m, 300), o); !errors.Is(err, gltf.ErrTooLarge) || b.Len() > 0 {
		t.Errorf("it is %v, and writes %d bytes", err, b.Len())
	}
	if _, err := animated.Write(t.Context(), &b, m, fading(t, m, 3), o); err != nil || b.Len() > o.MaxAdded {
		t.Errorf("three looks: %v, %d bytes", err, b.Len())
	}
}

func TestNothingIsPlayedForOneWhoLeft(t *testing.T) {
	t.Parallel()
	left := errors.New("they left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(left)
	m := wall(t)
	var b bytes.Buffer
	_, err := animated.Write(ctx, &b, m, fading(t, m, 3), animated.Options{Entity: named(m)})
	if !errors.Is(err, left) || b.Len() > 0 {
		t.Errorf("it is %v, and writes %d bytes", err, b.Len())
	}
}
