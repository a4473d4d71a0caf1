package twins

import (
	"context"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// The lists of the area are paged by number: Skip says where a page begins, and
// Page.Next is the Skip of the page behind it, as text. ListOptions.Continuation
// takes it, so that twinplatform.Pages goes through these lists too.

// window is the part of a list that is asked for.
type window struct{ skip, top int }

// windowOf checks which part of a list is asked for.
func windowOf(c *checks, o twinplatform.ListOptions, skip int) window {
	w := window{skip: skip, top: DefaultTop}
	if o.Top != nil {
		if w.top = *o.Top; w.top < 1 || w.top > MaxTop {
			c.Add(badTop)
		}
	}
	if o.Continuation != "" {
		n, err := strconv.Atoi(o.Continuation)
		if w.skip = n; err != nil {
			c.Add(badContinuation)
		}
	}
	if w.skip < 0 {
		c.Add(badSkip)
	}
	return w
}

// next is the token of the page behind the window.
func (w window) next() string { return strconv.Itoa(w.skip + w.top) }

// list lists what belongs to a twin that the caller may see.
func list[T any](ctx context.Context, s *Service, twinID, op string, of *records.Collection[T], o twinplatform.ListOptions, skip int) (page twinplatform.Page[T], err error) {
	c := checks{family: &InvalidAccessControlRequest}
	w := windowOf(&c, o, skip)
	if err := c.err(); err != nil {
		return page, err
	}
	err = s.view(ctx, func(ctx context.Context, v *records.View) error {
		if _, err := s.visible(ctx, v, twinID); err != nil {
			return err
		}
		page, err = of.List(v, area, records.Query[T]{
			ListOptions: twinplatform.ListOptions{Top: &w.top, IfNoneMatch: o.IfNoneMatch},
			Op:          op, Skip: w.skip, MaxTop: MaxTop, Prefix: joined(twinID, ""),
		})
		return err
	})
	if page.Delta = ""; page.Next != "" {
		page.Next = w.next()
	}
	return page, err
}

// get returns what belongs to a twin that the caller may see.
func get[T any](ctx context.Context, s *Service, twinID string, m *refuse.Absent, of *records.Collection[T], id string) (rec twinplatform.Record[T], err error) {
	err = s.view(ctx, func(ctx context.Context, v *records.View) error {
		if _, err := s.visible(ctx, v, twinID); err != nil {
			return err
		}
		rec, err = of.Get(v, area, joined(twinID, id))
		return m.Or(err)
	})
	return rec, err
}

// checkLimit checks that a twin has no more of something than it may.
func checkLimit[T any](tx records.Reading, of *records.Collection[T], twinID string, limit int) error {
	n := 0
	for range of.IDs(tx, area, indexTwin, twinID) {
		if n++; n > limit {
			return limitExceeded(of.Name, limit)
		}
	}
	return nil
}
