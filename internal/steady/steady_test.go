package steady_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/steady"
)

// wall is a clock that is set while time passes.
type wall struct{ passed, off time.Duration }

var began = time.Date(2026, 3, 2, 8, 30, 0, 0, time.UTC)

func (w *wall) env() twinplatform.Env {
	return twinplatform.Env{
		Now:     func() time.Time { return began.Add(w.passed + w.off) },
		Elapsed: func() time.Duration { return w.passed },
	}
}

func TestAClockGoesOnWhateverTheWallClockShows(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(48, 2))
	w := &wall{}
	c := steady.New(w.env())
	for range 1000 {
		w.passed += time.Duration(rnd.Int64N(int64(time.Hour)))
		w.off = time.Duration((2*rnd.Float64() - 1) * float64(100*365*24*time.Hour))
		if got := c.Now(); !got.Equal(began.Add(w.passed)) {
			t.Fatalf("off by %v: it shows %v, and %v have passed since %v", w.off, got, w.passed, began)
		}
	}
}

func TestAClockBeginsBetween1970And2200(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		off  time.Duration
		year int
	}{{0, 2026}, {-100 * 365 * 24 * time.Hour, 1970}, {250 * 365 * 24 * time.Hour, 2200}} {
		w := &wall{off: c.off}
		if got := steady.New(w.env()).Now().Year(); got != c.year {
			t.Errorf("off by %v: it begins in %d, want %d", c.off, got, c.year)
		}
	}
}

// What only Now tells has passed when that moves forward, and has not when it moves back.
func TestTimePassesAsNowGoesOnWhereNothingElseIsKnown(t *testing.T) {
	t.Parallel()
	now := began
	elapsed := steady.Elapsed(twinplatform.Env{Now: func() time.Time { return now }})
	for _, c := range []struct{ by, want time.Duration }{
		{time.Minute, time.Minute}, {-time.Hour, time.Minute}, {time.Second, time.Minute + time.Second},
	} {
		now = now.Add(c.by)
		if got := elapsed(); got != c.want {
			t.Errorf("after %v: %v, want %v", c.by, got, c.want)
		}
	}
}

func TestAWallClockIsBelievedADayAfterItWasSetFar(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := &wall{}
	wall := steady.NewWall(w.env())
	for _, c := range []struct {
		passes, off, want time.Duration // by which it is believed to be off
	}{
		{0, 0, 0},
		{time.Minute, 10 * time.Minute, 10 * time.Minute}, // near enough
		{time.Minute, 0, 0},
		{time.Hour, 40 * day, 0},
		{20 * time.Hour, 40 * day, 0},
		{time.Hour, 0, 0}, // it is right again
		{time.Hour, 40 * day, 0},
		{23 * time.Hour, 40 * day, 0},
		{time.Hour, 40 * day, 40 * day}, // it stays so
		{time.Hour, -30 * day, 40 * day},
		{25 * time.Hour, -30 * day, -30 * day},
	} {
		w.passed += c.passes
		w.off = c.off
		if got := wall.Now().Sub(began) - w.passed; got != c.want {
			t.Errorf("after %v off by %v: believed to be off by %v, want %v", w.passed, c.off, got, c.want)
		}
		if got := wall.Of(began.Add(w.passed+w.off)).Sub(began) - w.passed; got != c.want && c.off != c.want {
			t.Errorf("after %v off by %v: the present is believed to be off by %v, want %v", w.passed, c.off, got, c.want)
		}
	}
}

func TestAStepOfTheWallClockHasItsSize(t *testing.T) {
	t.Parallel()
	w := &wall{}
	wall := steady.NewWall(w.env())
	for _, off := range []time.Duration{0, 0, -10 * time.Minute, -10 * time.Minute, 20 * time.Hour, 0} {
		before := w.off
		w.passed += 30 * time.Second
		w.off = off
		if got := wall.Step(); got != off-before {
			t.Errorf("from %v to %v: a step of %v", before, off, got)
		}
	}
}
