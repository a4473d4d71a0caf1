package records_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// grownPart is a part with members that parts did not have before.
type grownPart struct {
	Color   string                  `json:"color"`
	Deleted bool                    `json:"deleted"`
	Group   string                  `json:"group"`
	ID      string                  `json:"id"`
	Maker   twinplatform.NullString `json:"maker"`
	Name    string                  `json:"name"`

	Hidden partHidden `json:"-"`
}

var grownParts = records.Collection[grownPart]{
	Name:        parts.Name,
	ID:          func(p *grownPart) string { return p.ID },
	Hidden:      func(p *grownPart) any { return &p.Hidden },
	MarkDeleted: func(p *grownPart) { p.Deleted = true },
	Indexes:     []records.Index[grownPart]{{Name: "group", Value: func(p *grownPart) string { return p.Group }}},
	Upgrades: []records.Upgrade{
		records.Added("color", `"grey"`),
		records.Added("maker", `null`),
		records.Rewritten[grownPart](),
	},
}

// Whichever way a record from before a member was added is read, it has exactly
// the members of today, and a change that changes nothing leaves it alone.
func TestAddedMemberIsInEveryRecordStoredBefore(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		begin := s.mustList(records.Query[part]{Op: "list"}).Delta
		s.put(part{ID: "a", Group: "g", Name: "Graben \"tief\" <Löcher>", Hidden: partHidden{Note: "kept"}})
		s.put(part{ID: "b", Group: "g"})
		s.put(part{ID: "c", Group: "g"})
		if err := s.delete("c"); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"color": "grey", "deleted": false, "group": "g", "id": "b", "maker": nil, "name": ""}
		check := func(how string, wire []byte) {
			t.Helper()
			var got map[string]any
			if err := json.Unmarshal(wire, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("%s: %s", how, diff)
			}
			if got["color"] != "grey" || got["maker"] != nil {
				t.Errorf("%s: %s", how, wire)
			}
		}
		err := s.update(func(u *records.Update) error {
			for how, q := range map[string]records.Query[grownPart]{
				"list":     {Op: "list"},
				"index":    {Op: "list", Index: "group", Equals: "g"},
				"filter":   {Op: "list", Filter: "x", Match: func(p *grownPart) bool { return p.Color == "grey" }},
				"order":    {Op: "list", Order: "x", Compare: func(a, b *grownPart) int { return len(a.Name) - len(b.Name) }},
				"delta":    {Op: "list", ListOptions: twinplatform.ListOptions{Delta: begin}},
				"by pages": {Op: "list", ListOptions: top(1)},
			} {
				page, err := grownParts.List(u, bin, q)
				if err != nil {
					return err
				}
				wants := map[string]int{"delta": 3, "by pages": 1}[how]
				if wants == 0 {
					wants = 2
				}
				if page.Len() != wants {
					t.Errorf("%s: %d records, want %d", how, page.Len(), wants)
				}
				for _, wire := range page.JSON() {
					check(how, wire)
				}
				if _, err := page.Values(); err != nil {
					return err
				}
			}
			rec, err := grownParts.Get(u, bin, "a")
			if err != nil {
				return err
			}
			check("get", rec.JSON)
			if rec.Value.Hidden.Note != "kept" || rec.Value.Color != "grey" {
				t.Errorf("get: %+v", rec.Value)
			}
			same, err := grownParts.Modify(u, bin, "a", twinplatform.Condition(rec.ETag), func(*grownPart) error { return nil })
			if err != nil {
				return err
			}
			if same.ETag != rec.ETag {
				t.Errorf("changing nothing made %s of %s", same.ETag, rec.ETag)
			}
			next, err := grownParts.Modify(u, bin, "a", twinplatform.Condition(rec.ETag), func(p *grownPart) error { p.Color = "red"; return nil })
			if err != nil {
				return err
			}
			if next.Value.Color != "red" || next.Value.Hidden.Note != "kept" || next.ETag == rec.ETag {
				t.Errorf("changed: %+v", next)
			}
			return grownParts.Delete(u, bin, "b")
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
