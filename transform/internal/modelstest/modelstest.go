// Package modelstest has models for the tests of the registry and of transformations.
package modelstest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Grants are what principals may do: principal, permission and twin.
type Grants map[[3]string]bool

// Allowed implements twinplatform.Authorizer.
func (g Grants) Allowed(_ context.Context, p twinplatform.Principal, permission string, at twinplatform.Target) (bool,
	error,
) {
	return g[[3]string{p.ID, permission, at.TwinID}], nil
}

// AllowedOnModel implements models.ModelAuthorizer.
func (g Grants) AllowedOnModel(_ context.Context, p twinplatform.Principal, permission string, _ twinplatform.Target,
	modelID string,
) (bool, error) {
	return g[[3]string{p.ID, permission, modelID}], nil
}

// Twins belong to the account acme.
type Twins []string

// TwinAccount implements twinplatform.TwinDirectory.
func (t Twins) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	if slices.Contains(t, twinID) {
		return "acme", true, nil
	}
	return "", false, nil
}

// World is a registry with two projects, a model in each and views of both.
type World struct {
	*models.Service

	// Area has the registry.
	Area   *transform.Service
	T      *testing.T
	Store  storage.Store
	Grants Grants
}

// Noon is when everything happens.
var Noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// New returns a world with models and views.
func New(t *testing.T) *World {
	t.Helper()
	w := &World{T: t, Store: storetest.New(t), Grants: Grants{}}
	w.Area = transform.New(w.Store, transform.Config{
		Env:   twinplatform.Env{Authorizer: w.Grants, Now: func() time.Time { return Noon }},
		Twins: Twins{"source", "target"}, ModelPermissions: w.Grants,
	})
	w.Service = w.Area.Models()
	ctx := t.Context()
	err := records.New(w.Store).Update(ctx, func(u *records.Update) error { return u.Listen() })
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []models.NewModel{
		{ID: "source-model", TwinID: "source", DisplayName: "Source"},
		{ID: "target-model", TwinID: "target", DisplayName: "Target"},
	} {
		if _, err := w.CreateModel(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []models.NewSavedView{
		{ID: "shared", ModelID: "source-model", DisplayName: "Shared", Shared: true},
		{ID: "private", ModelID: "source-model", DisplayName: "Private"},
		{ID: "elsewhere", ModelID: "target-model", DisplayName: "Elsewhere", Shared: true},
	} {
		if _, err := w.CreateSavedView(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// As is a user with permissions, each followed by the twin or model.
func (w *World) As(id string, permissions ...string) context.Context {
	for i := 0; i < len(permissions); i += 2 {
		w.Grants[[3]string{id, permissions[i], permissions[i+1]}] = true
	}
	return twinplatform.WithPrincipal(w.T.Context(),
		twinplatform.Principal{ID: id, AccountID: "acme", Kind: twinplatform.User})
}

// Keys counts what the store has under a prefix.
func (w *World) Keys(prefix string) (n int) {
	w.T.Helper()
	err := w.Store.View(w.T.Context(), func(r storage.Reader) error {
		n = 0
		for range r.Scan(prefix, "") {
			n++
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return n
}

// Change makes a changeset of the source model.
func (w *World) Change(n models.NewChangeset) models.Changeset {
	w.T.Helper()
	res, err := w.CreateChangeset(w.T.Context(), "source-model", n)
	if err != nil {
		w.T.Fatal(err)
	}
	return res.Value()
}

// Events lists the events that were recorded, one a line.
func (w *World) Events() (lines []string) {
	w.T.Helper()
	err := records.New(w.Store).View(w.T.Context(), func(v *records.View) error {
		lines = nil
		for e, err := range records.Events(v) {
			if err != nil {
				return err
			}
			lines = append(lines, fmt.Sprintf("%s %s %s", e.Event.Type, e.Event.TwinID, e.Event.Content))
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return lines
}

// AllElements are all elements of a list, read in small pages.
func (w *World) AllElements(modelID string, q models.ElementQuery) map[string]models.Element {
	w.T.Helper()
	q.Top = 3
	out := map[string]models.Element{}
	for e, err := range twinplatform.AllIn(w.T.Context(), w.Elements, modelID, q) {
		if err != nil {
			w.T.Fatal(err)
		}
		if _, twice := out[e.ID]; twice {
			w.T.Errorf("%s is listed twice", e.ID)
		}
		out[e.ID] = e
	}
	return out
}

// View is a saved view as it is.
func (w *World) View(id string) twinplatform.Record[models.SavedView] {
	w.T.Helper()
	rec, err := w.SavedView(w.T.Context(), id)
	if err != nil {
		w.T.Fatal(err)
	}
	return rec
}

// History is a random history of a model, with what it has to be at each changeset.
type History struct {
	*World
	R      *rand.Rand
	Now    map[string]models.NewElement
	Made   []string                       // ids, the first one first
	States []map[string]models.NewElement // as of each of them
}

func (h *History) id() string { return fmt.Sprintf("0x%x", h.R.IntN(24)) }

// free reports whether an element may be below another.
func (h *History) free(id, above string) bool {
	e, ok := h.Now[above]
	if !ok || above == id {
		return false
	}
	return (e.ParentID == "" || h.free(id, string(e.ParentID))) && (e.ScopeID == "" || h.free(id, string(e.ScopeID)))
}

func (h *History) element(id string) models.NewElement {
	n := models.NewElement{
		ID: id, Class: fmt.Sprint("Class", h.R.IntN(3)),
		Category:   twinplatform.NullString(fmt.Sprint("c", h.R.IntN(3))),
		Geometry:   twinplatform.Set([]byte(fmt.Sprint("geometry ", h.R.IntN(5)))),
		Properties: models.ElementProperties{"Mark": fmt.Sprint(h.R.IntN(5))},
	}
	if h.R.IntN(4) == 0 {
		n.Category = ""
	}
	if h.R.IntN(2) == 0 {
		n.SubModelID = twinplatform.NullString(fmt.Sprint("m", h.R.IntN(2)))
	}
	if up := h.id(); h.free(id, up) {
		n.ParentID = twinplatform.NullString(up)
	}
	if up := h.id(); h.free(id, up) {
		n.ScopeID = twinplatform.NullString(up)
	}
	return n
}

// Step makes a changeset.
func (h *History) Step() {
	h.T.Helper()
	n := models.NewChangeset{ID: fmt.Sprint("change-", len(h.Made))}
	used := map[string]bool{}
	for range 1 + h.R.IntN(6) {
		id := h.id()
		_, there := h.Now[id]
		leaf := !slices.ContainsFunc(slices.Collect(maps.Values(h.Now)),
			func(e models.NewElement) bool { return string(e.ParentID) == id || string(e.ScopeID) == id })
		switch {
		case used[id]:
			continue
		case !there:
			h.Now[id] = h.element(id)
			n.Inserted = append(n.Inserted, h.Now[id])
		case leaf && h.R.IntN(2) == 0:
			delete(h.Now, id)
			n.Deleted = append(n.Deleted, id)
		default:
			h.Now[id] = h.element(id)
			n.Updated = append(n.Updated, models.ElementUpdate(h.Now[id]))
		}
		used[id] = true
	}
	if _, err := h.CreateChangeset(h.T.Context(), "source-model", n); err != nil {
		h.T.Fatalf("%+v: %v", n, err)
	}
	h.Made, h.States = append(h.Made, n.ID), append(h.States, maps.Clone(h.Now))
}

// NewHistory returns a history that follows from a seed, and has not begun.
func NewHistory(t *testing.T, seed uint64) *History {
	return &History{World: New(t), R: rand.New(rand.NewPCG(seed, 1)), Now: map[string]models.NewElement{}}
}

// IsCode reports whether an error has a code.
func IsCode(err error, code string) bool {
	e, ok := errors.AsType[*twinplatform.Error](err)
	return ok && e.Code == code
}

// Dots is a PNG of a size in pixels.
func Dots(width, height int) string {
	var b strings.Builder
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.String()
}
