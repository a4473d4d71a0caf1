package httpapi_test

import (
	"context"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	twinsarea "github.com/seed-933f9a09/twinplatform/twins"
)

// Whatever format a record was stored in, it is answered with exactly the members
// that its type has today, in lists and by itself: those that the records of the
// present format have in the same place.
func TestRecordsOfEveryStoredFormatHaveTheMembersOfToday(t *testing.T) {
	t.Parallel()
	for area, atLeast := range map[string]int{"schedules": 40, "forms": 3, "realitydata": 3, "transform": 3, "twins": 5} {
		t.Run(area, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("..", area)
			formats := recordstest.Formats(t, dir)
			known := crawl(t, recordstest.Text(t, dir, formats[len(formats)-1], "store.txt"))
			if len(known) < atLeast {
				t.Fatalf("only %d kinds of objects were found", len(known))
			}
			for i, format := range formats {
				if (len(formats)-1-i)%testsize.Of(1, 8) != 0 {
					continue
				}
				found := crawl(t, recordstest.Text(t, dir, format, "store.txt"))
				for place, shapes := range found {
					for shape := range shapes {
						if known[place] != nil && !known[place][shape] {
							t.Errorf("%s: %s has the members %s, today %v", format, place, shape, slices.Sorted(maps.Keys(known[place])))
						}
					}
				}
				if len(found) < min(atLeast, len(known)/2) {
					t.Errorf("%s: only %d kinds of objects were found, of %d", format, len(found), len(known))
				}
			}
		})
	}
}

// shapes are the members that records in one place of an answer have.
type shapes map[string]map[string]bool

func (s shapes) add(place string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if strings.HasSuffix(place, "._links") {
			return
		}
		if s[place] == nil {
			s[place] = make(map[string]bool)
		}
		s[place][strings.Join(slices.Sorted(maps.Keys(v)), " ")] = true
		for name, value := range v {
			s.add(place+"."+name, value)
		}
	case []any:
		for _, value := range v {
			s.add(place+"[]", value)
		}
	}
}

var twinInDump = regexp.MustCompile(`twinId\\\\*":\\\\*"([^"\\]+)`)

// crawler asks a server for everything that it finds.
type crawler struct {
	t      *testing.T
	h      *httpapi.Handler
	twins  []string
	ids    map[string][]string // by the path of their list
	shapes shapes
}

// crawl serves a store and asks for everything in it.
func crawl(t *testing.T, dump string) shapes {
	t.Helper()
	c := &crawler{t: t, h: storedServer(t, recordstest.Load(t, dump)), ids: make(map[string][]string), shapes: make(shapes)}
	for _, m := range twinInDump.FindAllStringSubmatch(dump, -1) {
		if !slices.Contains(c.twins, m[1]) {
			c.twins = append(c.twins, m[1])
		}
	}
	operations := c.h.Operations()
	slices.SortFunc(operations, func(a, b httpapi.Operation) int { return strings.Count(a.Path, "/") - strings.Count(b.Path, "/") })
	for _, o := range operations {
		if o.Method == "GET" && o.Path != "/openapi.json" {
			for _, path := range c.expand("", strings.Split(strings.Trim(o.Path, "/"), "/")) {
				c.ask(o.ID, path)
			}
		}
	}
	return c.shapes
}

// expand puts the ids that are known into a path.
func (c *crawler) expand(base string, rest []string) (paths []string) {
	if len(rest) == 0 {
		return []string{base}
	}
	if !strings.HasPrefix(rest[0], "{") {
		return c.expand(base+"/"+rest[0], rest[1:])
	}
	for _, id := range c.ids[base] {
		paths = append(paths, c.expand(base+"/"+url.PathEscape(id), rest[1:])...)
	}
	return paths
}

// ask gets a path, of each twin where it is a list of those.
func (c *crawler) ask(operation, path string) {
	targets := []string{path}
	for _, twin := range c.twins {
		targets = append(targets, path+"?twinId="+url.QueryEscape(twin), path+"?twinId="+url.QueryEscape(twin)+"&status=All")
	}
	caller := "anybody"
	if strings.HasPrefix(path, "/twins") || strings.HasPrefix(path, "/access-control") {
		caller = "admin"
	}
	for _, target := range targets {
		w := ask(c.h, "GET", target, "", "Authorization: Bearer "+caller)
		if w.Code != 200 || w.Body.Len() == 0 {
			continue
		}
		var body any
		if err := stdjson.Unmarshal(w.Body.Bytes(), &body); err != nil {
			continue // the bytes of a file
		}
		c.shapes.add(operation, body)
		c.learn(path, body)
	}
}

// learn notes the ids of a list.
func (c *crawler) learn(path string, body any) {
	object, _ := body.(map[string]any)
	for _, member := range object {
		list, _ := member.([]any)
		for _, item := range list {
			record, _ := item.(map[string]any)
			for _, name := range []string{"id", "name"} {
				if id, ok := record[name].(string); ok && !slices.Contains(c.ids[path], id) {
					c.ids[path] = append(c.ids[path], id)
					break
				}
			}
		}
	}
}

type everything struct{}

func (everything) Allowed(context.Context, twinplatform.Principal, string, twinplatform.Target) (bool, error) {
	return true, nil
}

func storedServer(t *testing.T, store storage.Store) *httpapi.Handler {
	t.Helper()
	n := 0
	env := twinplatform.Env{
		Now: func() time.Time { return moment }, NewID: func() string { n++; return fmt.Sprint("new-", n) },
		Authorizer: everything{},
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.BearerTokens(issued{
			"anybody": {ID: "anybody", Scopes: []string{twinplatform.ScopePlatform}},
			"admin": {
				ID: "admin", AccountID: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", Scopes: []string{twinplatform.ScopePlatform},
				AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
			},
		}),
		Schedules:   schedules.New(store, schedules.Config{Env: env}, scheduling.Feature, planfiles.Feature),
		Twins:       twinsarea.New(store, twinsarea.Config{Env: twinplatform.Env{Now: env.Now}}),
		Forms:       forms.New(store, forms.Config{Env: env}),
		RealityData: realitydata.New(store, realitydata.Config{Env: env}),
		Transform:   transform.New(store, transform.Config{Env: env}),
		Rate:        httpapi.Unlimited, BaseURL: "https://api.test", Env: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
