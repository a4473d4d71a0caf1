package clients_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/clients/blocks"
	"github.com/seed-933f9a09/twinplatform/internal/clients/pagers"
)

// shelf is a collection with what was put into it.
type shelf struct {
	pagers.Collection

	name string
	one  string // the member with the record in the answer to a POST
	at   string // where to POST, if not at Path
	body func(i int, name string) map[string]any
	n    int
	most int // how large pages are at most; 0: 50
	// changes reports that the records can be changed and deleted, and that deltas list
	// that.
	changes bool
	sent    map[string]map[string]any // by id, as it was sent
}

// names are as unequal as those of people: with cases, accents, spaces and signs, some twice.
var names = []string{
	"Dig", "dig", "Éclair & co.", "Plant", "Zebra (2)", "Plant", "größer", "a+b%2f", "Ångström", "ß",
	"10", "9", "\"quoted\"", "  two  spaces", "長い", "Weed", "weed",
}

// fill makes the records, and returns the shelf with them and with what was there before.
func (s *shelf) fill(ctx context.Context, api pagers.API) error {
	if s.at == "" {
		s.at = s.Path
	}
	before, err := pagers.Idioms[0].Read(ctx, api, s.Collection, 0)
	if err != nil {
		return err
	}
	s.sent = make(map[string]map[string]any)
	for _, record := range before {
		s.sent[idOf(record)] = record
	}
	for i := range s.n {
		if _, err := s.add(ctx, api, i, names[i%len(names)]); err != nil {
			return err
		}
	}
	return nil
}

// add makes one record, follows what makes it, and remembers it.
func (s *shelf) add(ctx context.Context, api pagers.API, i int, name string) (id string, err error) {
	body := s.body(i, name)
	a, err := api.Call(ctx, http.MethodPost, s.at, body)
	if err == nil {
		err = follow(ctx, api, a)
	}
	if err != nil {
		return "", err
	}
	if id, _ = a.Member(s.one, "id").(string); id == "" || s.sent[id] != nil {
		return "", fmt.Errorf("%s: a record with the id %q: %v", s.at, id, a.Body)
	}
	s.sent[id] = api.Said(body)
	return id, nil
}

// follow waits for the operation of an answer, where it has one.
func follow(ctx context.Context, api pagers.API, a *pagers.Answer) error {
	at := a.Get("Operation-Location")
	if a.Status != http.StatusAccepted || at == "" {
		return nil
	}
	for {
		o, err := api.Call(ctx, http.MethodGet, at, nil)
		if err != nil {
			return err
		}
		switch o.Member("operation", "status") {
		case "Succeeded":
			return nil
		case "Failed":
			return fmt.Errorf("%v", o.Body)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func idOf(record pagers.Record) string {
	id, _ := record["id"].(string)
	return id
}

// holds wants each record once, as it was sent, and no other.
func (s *shelf) holds(read []pagers.Record) error {
	met := make(map[string]bool)
	for _, record := range read {
		id := idOf(record)
		sent, ok := s.sent[id]
		if !ok || met[id] {
			return fmt.Errorf("%v is there twice, or was never sent", record)
		}
		met[id] = true
		for name, value := range sent {
			if is, shown := record[name]; shown && !reflect.DeepEqual(is, value) {
				return fmt.Errorf("%s of %s is %v, and was sent as %v", name, id, is, value)
			}
		}
	}
	if len(met) != len(s.sent) {
		return fmt.Errorf("%d records of %d are there", len(met), len(s.sent))
	}
	return nil
}

// shelves are collections of each sort, with what is put into them.
func shelves(ctx context.Context, t *testing.T, api pagers.API) []*shelf {
	t.Helper()
	made := func(path, one string, body map[string]any) string {
		t.Helper()
		a, err := api.Call(ctx, http.MethodPost, path, body)
		if err != nil {
			t.Fatal(err)
		}
		id, _ := a.Member(one, "id").(string)
		return id
	}
	twin := made("/twins", "twin", map[string]any{"displayName": "Home", "class": "Thing"})
	plan := made("/schedules", "schedule", map[string]any{"name": "Spring", "twinId": twin})
	old := made("/schedules", "schedule", map[string]any{"name": "Autumn", "twinId": twin, "type": "v6.5"})
	definition := made("/forms/formDefinitions", "formDefinition", map[string]any{
		"displayName": "Snag", "type": "Snag", "twinId": twin, "status": "Approved",
	})
	of, gate := url.Values{"twinId": {twin}}, "/access-control/twins/"+twin
	const byHeader, plainly = "$continuationToken", "continuationToken"
	task := func(i int, name string) map[string]any {
		return map[string]any{
			"name": name, "type": "Work", "plannedStart": fmt.Sprintf("2026-03-%02dT09:30:00Z", 1+i%28), "plannedDuration": 3600.0 * float64(1+i),
		}
	}
	return []*shelf{
		{
			name:       "tasks",
			Collection: pagers.Collection{Path: "/schedules/" + plan + "/tasks", Member: "tasks", Token: byHeader},
			one:        "task", n: 23, body: task, most: 10_000, changes: true,
		},
		{
			name:       "tasks of a v6.5 schedule",
			Collection: pagers.Collection{Path: "/schedules/" + old + "/tasks", Member: "tasks", Token: byHeader},
			one:        "task", n: 17, body: task, most: 50_000,
		},
		{name: "operations", Collection: pagers.Collection{Path: "/schedules/" + plan + "/operations", Member: "operations", Token: byHeader}},
		{
			name:       "twins",
			Collection: pagers.Collection{Path: "/twins", Member: "twins"},
			one:        "twin", n: 8,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": fmt.Sprint(name, i), "class": "Thing", "number": fmt.Sprint("N-", i), "longitude": float64(i) / 8}
			},
		},
		{
			name:       "roles",
			Collection: pagers.Collection{Path: gate + "/roles", Member: "roles"},
			one:        "role", n: 7,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": fmt.Sprint(name, i), "description": name, "permissions": []any{"schedules_read"}}
			},
		},
		{
			name:       "models",
			Collection: pagers.Collection{Path: "/models", Query: of, Member: "models", Token: byHeader},
			one:        "model", n: 6,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": fmt.Sprint(name, i), "twinId": twin, "description": name}
			},
		},
		{
			name:       "saved views",
			Collection: pagers.Collection{Path: "/saved-views", Query: of, Member: "savedViews", Token: byHeader},
			one:        "savedView", n: 9, changes: true,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": name, "twinId": twin, "shared": i%2 == 0, "savedViewData": map[string]any{"n": float64(i)}}
			},
		},
		{
			name:       "forms",
			Collection: pagers.Collection{Path: "/forms", Query: of, Within: []string{"forms"}, Member: "formDataInstances", Token: plainly},
			one:        "formData", n: 11,
			body: func(_ int, name string) map[string]any { return map[string]any{"formId": definition, "subject": name} },
		},
		{
			name:       "form definitions",
			Collection: pagers.Collection{Path: "/forms/formDefinitions", Query: of, Member: "formDefinitions", Token: plainly},
			one:        "formDefinition", n: 5,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": name, "type": fmt.Sprint("T", i), "twinId": twin, "status": "Approved"}
			},
		},
		{
			name:       "reality data",
			Collection: pagers.Collection{Path: "/reality-management/reality-data", Query: of, Member: "realityData", Token: plainly},
			one:        "realityData", n: 8,
			body: func(i int, name string) map[string]any {
				return map[string]any{"displayName": name, "twinId": twin, "type": "LAS", "tags": []any{fmt.Sprint("t", i)}}
			},
		},
	}
}

// vocabularies are those that pagers are run under, and their words.
var vocabularies = []struct {
	name, file string
	words      pagers.Words
}{{"as specified", "", pagers.Words{}}, {"in the garden", words, pagers.Garden}}

func TestPagersOfEveryIdiomReadEachRecordOnce(t *testing.T) {
	t.Parallel()
	for _, v := range vocabularies {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			everywhere(t, v.file, func(t *testing.T, p place) {
				api := signedIn(t, p, v.words)
				for _, s := range shelves(t.Context(), t, api) {
					if err := s.fill(t.Context(), api); err != nil {
						t.Fatalf("%s: %v", s.name, err)
					}
					if s.Member == "tasks" && s.changes {
						readsChart(t, api, s)
					}
					readsAll(t, api, s)
					if s.changes {
						followsChanges(t, api, s)
					}
				}
			})
		})
	}
}

// signedIn is the API of a place for the person.
func signedIn(t *testing.T, p place, words pagers.Words) pagers.API {
	t.Helper()
	token, err := p.Client.Person(t.Context(), p.Person.ID, p.Person.Secret)
	if err != nil {
		t.Fatal(err)
	}
	return pagers.API{Words: words, URL: p.URL, Token: token}
}

// readsAll reads a collection in each way, by pages of sizes below, at and over its own.
func readsAll(t *testing.T, api pagers.API, s *shelf) {
	t.Helper()
	used := 0
	for _, idiom := range pagers.Idioms {
		if !idiom.Reads(s.Collection) {
			continue
		}
		used++
		for _, size := range []int{1, 2, 3, 7, len(s.sent) - 1, len(s.sent), len(s.sent) + 1, cmp.Or(s.most, 50)} {
			read, err := idiom.Read(t.Context(), api, s.Collection, size)
			if err == nil {
				err = s.holds(read)
			}
			if err != nil {
				t.Errorf("%s by %s, %d a page: %v", s.name, idiom.Name, size, err)
			}
		}
	}
	if used < 3 || len(s.sent) < 5 {
		t.Errorf("%s has %d records, and is read in %d ways", s.name, len(s.sent), used)
	}
}

// readsChart reads the chart by the numbers of its pages.
func readsChart(t *testing.T, api pagers.API, s *shelf) {
	t.Helper()
	want := slices.Sorted(maps.Keys(s.sent))
	for _, size := range []int{1, 4, len(want), 2_000} {
		got, err := pagers.Charted(t.Context(), api, strings.TrimSuffix(s.Path, "/tasks"), size)
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("the chart of %s, %d a page: %q %v, want %q", s.name, size, got, err, want)
		}
	}
}

// followsChanges changes, adds and deletes between the pages of a reader, and wants the reader
// to have the collection as it is after reading what has changed.
func followsChanges(t *testing.T, api pagers.API, s *shelf) {
	t.Helper()
	ctx := t.Context()
	all, token, err := pagers.Since(ctx, api, s.Collection, 4, "")
	if err == nil {
		err = s.holds(all)
	}
	if err != nil {
		t.Fatalf("%s by deltas: %v", s.name, err)
	}
	mirror := make(map[string]pagers.Record)
	for _, record := range all {
		mirror[idOf(record)] = record
	}
	ids := slices.Sorted(maps.Keys(s.sent))
	gone, label := ids[1], "displayName"
	if s.Member == "tasks" {
		label = "name"
	}
	for _, id := range []string{ids[0], ids[2]} {
		change := map[string]any{label: "changed " + id}
		if err := done(ctx, api, http.MethodPatch, s.Path+"/"+id, change); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		maps.Copy(s.sent[id], api.Said(change))
	}
	if err := done(ctx, api, http.MethodDelete, s.Path+"/"+gone, nil); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	delete(s.sent, gone)
	added, err := s.add(ctx, api, 40, "Added")
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	changes, next, err := pagers.Since(ctx, api, s.Collection, 1, token)
	if err != nil {
		t.Fatalf("%s by deltas: %v", s.name, err)
	}
	var met []string
	for _, record := range changes {
		id := idOf(record)
		met = append(met, id)
		if mirror[id] = record; record["deleted"] == true {
			delete(mirror, id)
		}
	}
	want := []string{ids[0], ids[1], ids[2], added}
	slices.Sort(want)
	if slices.Sort(met); !slices.Equal(met, want) {
		t.Errorf("%s: %q have changed, want %q", s.name, met, want)
	}
	if err := s.holds(slices.Collect(maps.Values(mirror))); err != nil {
		t.Errorf("%s after the changes: %v", s.name, err)
	}
	if rest, _, err := pagers.Since(ctx, api, s.Collection, 2, next); err != nil || len(rest) > 0 {
		t.Errorf("%s: nothing has changed, and there are %v %v", s.name, rest, err)
	}
}

// done sends a change, and waits for its end.
func done(ctx context.Context, api pagers.API, method, path string, body map[string]any) error {
	a, err := api.Call(ctx, method, path, body)
	if err != nil {
		return err
	}
	return follow(ctx, api, a)
}

func TestMarkersOfFilesListEachOnce(t *testing.T) {
	t.Parallel()
	for _, v := range vocabularies {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			everywhere(t, v.file, func(t *testing.T, p place) {
				ctx := t.Context()
				api := signedIn(t, p, v.words)
				twin, err := api.Call(ctx, http.MethodPost, "/twins", map[string]any{"displayName": "Home", "class": "Thing"})
				if err != nil {
					t.Fatal(err)
				}
				data, err := api.Call(ctx, http.MethodPost, "/reality-management/reality-data", map[string]any{
					"displayName": "Scan", "type": "LAS", "twinId": twin.Member("twin", "id"), "authoring": true,
				})
				if err != nil {
					t.Fatal(err)
				}
				to, err := api.Call(ctx, http.MethodGet, fmt.Sprintf("/reality-management/reality-data/%v/writeaccess", data.Member("realityData", "id")), nil)
				if err != nil {
					t.Fatal(err)
				}
				href, _ := to.Member("_links", "containerUrl", "href").(string)
				markers(t, blocks.Container(href))
			})
		})
	}
}

// markers uploads files and lists them by pages of several sizes.
func markers(t *testing.T, c blocks.Container) {
	t.Helper()
	var all []string
	for i, name := range names {
		name = fmt.Sprintf("%s/%d %s.las", []string{"a", "a/b", "ä"}[i%3], i, strings.ReplaceAll(name, `"`, "'"))
		if err := c.Upload(t.Context(), name, "text/plain", []byte(name), 7); err != nil {
			t.Fatal(err)
		}
		all = append(all, name)
	}
	for _, prefix := range []string{"", "a/", "a/b/", "ä", "none"} {
		var want []string
		for _, name := range all {
			if strings.HasPrefix(name, prefix) {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		for _, size := range []int{1, 2, 5, len(names), 5000} {
			got, _, err := c.List(t.Context(), prefix, size)
			if err != nil {
				t.Fatalf("%q, %d a page: %v", prefix, size, err)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q, %d a page: %q, want %q", prefix, size, got, want)
			}
		}
	}
}
