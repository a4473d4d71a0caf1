package site_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/console/internal/site"
)

func TestASiteIsBoundedAndSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	b := site.Builder{Zone: time.UTC}
	for i := range site.MaxObjects {
		b.Timeline(&site.Timeline{AnimatedEntityID: fmt.Sprint(i)})
	}
	if b.Full() || b.Site("all", time.Time{}).Left != "" {
		t.Error("a site that has as many objects as it may is said to have too many")
	}
	b.Timeline(&site.Timeline{AnimatedEntityID: "one more"})
	if s := b.Site("all", time.Time{}); !b.Full() || s.Left == "" || len(s.Objects) != site.MaxObjects {
		t.Errorf("a site has %d objects and says %q", len(s.Objects), s.Left)
	}
}

func TestAFullSiteStillTakesTheElementsOfItsObjects(t *testing.T) {
	t.Parallel()
	low := strings.NewReader(`{"low": {"x": 1, "y": 2, "z": 3}, "high": {"x": 4, "y": 5, "z": 6}}`)
	e := site.Element{Code: "W", Category: "Walls"}
	if err := json.NewDecoder(low).Decode(&e.BoundingBox); err != nil {
		t.Fatal(err)
	}
	for _, bound := range []int{0, 1, 200, site.MaxObjects, site.MaxObjects + 1} {
		b := site.Builder{Zone: time.UTC}
		for i := range bound {
			b.Timeline(&site.Timeline{AnimatedEntityID: fmt.Sprint("bound", i)})
		}
		taken := 0
		element := func(id string) bool {
			taken++
			b.Element(id, &e)
			return !b.Done()
		}
		for i := 0; i < site.MaxObjects+1 && element(fmt.Sprint("free", i)); i++ {
		}
		for i := 0; i < bound && element(fmt.Sprint("bound", i)); i++ {
		}
		boxes := 0
		for _, o := range b.Site("all", time.Time{}).Objects {
			if o.Box != nil && o.Name == "W" {
				boxes++
			}
		}
		if boxes != site.MaxObjects || !b.Full() {
			t.Errorf("of %d bound objects and more that are not, %d have a box", bound, boxes)
		}
		if want := site.MaxObjects + 1 + min(bound, site.MaxObjects); taken != want {
			t.Errorf("with %d bound objects %d elements are read, want %d", bound, taken, want)
		}
	}
}

func TestElementsThatShowNoTaskAreThereWhereTheyAreSomethingToLookAt(t *testing.T) {
	t.Parallel()
	b := site.Builder{Zone: time.UTC}
	b.Timeline(&site.Timeline{AnimatedEntityID: "bound"})
	for _, text := range []string{
		`{"id": "bound", "code": "W-1", "category": null, "properties": {"Name": "Wall"}, "boundingBox": null}`,
		`{"id": "other", "code": "W-2", "category": "Walls", "properties": {"name": "W-2"}, "geometryHash": "a",
			"boundingBox": {"low": {"x": 1, "y": 2, "z": 3}, "high": {"x": 4, "y": 5, "z": 6}}}`,
		`{"id": "group", "category": null, "boundingBox": {"low": {"x": 1, "y": 2, "z": 3}, "high": {"x": 4, "y": 5, "z": 6}}}`,
		`{"id": "flat", "category": "Walls", "boundingBox": null}`,
	} {
		var e site.Element
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		b.Element(e.ID, &e)
	}
	s := b.Site("all", time.Time{})
	want := []site.Object{{ID: "bound", Name: "W-1 Wall"}, {ID: "other", Name: "W-2", Box: []float64{1, 2, 3, 4, 5, 6}}}
	if diff := cmp.Diff(want, s.Objects); diff != "" || !s.Shaped {
		t.Errorf("the site has shapes (%v) and other objects (-want +got)\n%s", s.Shaped, diff)
	}
}
