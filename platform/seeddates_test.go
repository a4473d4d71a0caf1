package platform_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// datesOfRecords are the members that say when a record was made, changed or accessed.
var datesOfRecords = regexp.MustCompile(`^(created|modified|lastModified|lastAccessed|record|creation)(On|Date|DateTime)$`)

// A world may leave each record without a date, in all of its lists: the records show null,
// and are exported as they were seeded.
func TestNullDatesOfAWorldStayNull(t *testing.T) {
	t.Parallel()
	found := make(map[string]bool)
	for seed := range uint64(2) {
		store := memory.New()
		g := &gardener{Platform: over(t, store, platform.Config{}), t: t, r: rand.New(rand.NewPCG(seed, 7)), done: make(map[string]int)}
		g.grow(700)
		var world map[string]any
		if err := json.Unmarshal([]byte(exported(t, g.Platform)), &world); err != nil {
			t.Fatal(err)
		}
		withoutDates("", world, found)
		text, err := json.Marshal(world)
		if err != nil {
			t.Fatal(err)
		}
		w, err := platform.ReadWorld(strings.NewReader(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		second := memory.New()
		p := over(t, second, platform.Config{})
		if err := p.Seed(t.Context(), w, platform.SeedOptions{Owner: twinplatform.Principal{ID: "owner", AccountID: account}}); err != nil {
			t.Fatal(err)
		}
		var again map[string]any
		if err := json.Unmarshal([]byte(exported(t, p)), &again); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(world, again); diff != "" {
			t.Errorf("world %d is exported otherwise (-seeded +exported):\n%s", seed, diff)
		}
		for list, records := range shown(t, second) {
			for _, record := range records {
				var members map[string]any
				if json.Unmarshal([]byte(record), &members) != nil {
					continue // lines of the test's own
				}
				for name, value := range members {
					if datesOfRecords.MatchString(name) && value != nil {
						t.Errorf("%s: %s is %v", list, name, value)
					}
				}
			}
		}
	}
	for _, path := range datesIn(reflect.TypeFor[platform.World](), "") {
		if !found[path] {
			t.Errorf("no record tried %s", path)
		}
	}
}

// withoutDates makes the dates of records null, and who made and changed them.
func withoutDates(path string, v any, found map[string]bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			withoutDates(path, e, found)
		}
	case map[string]any:
		for name, member := range v {
			at := path + "." + name
			switch {
			case datesOfRecords.MatchString(name):
				v[name], found[at] = nil, true
			case path == ".twins" && (name == "createdBy" || name == "lastModifiedBy"):
				v[name] = nil
			default:
				withoutDates(at, member, found)
			}
		}
	}
}

// datesIn are the paths of the dates of records within a type of the world.
func datesIn(t reflect.Type, path string) (paths []string) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[twinplatform.DateTime]() {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := path + "." + name
		switch {
		case f.Anonymous || name == "" || name == "-" || !f.IsExported():
		case datesOfRecords.MatchString(name):
			paths = append(paths, at)
		case f.Type.Kind() == reflect.Slice:
			paths = append(paths, datesIn(f.Type, at)...)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Who changed a record, and when, is as the world says.
func TestWhoChangedARecordIsAsInTheWorld(t *testing.T) {
	t.Parallel()
	const scan = "c0000000-0000-4000-8000-000000000001"
	const world = `{
		"twins": [{"id": "` + tower + `", "createdBy": "ada", "createdDateTime": "2019-04-01T08:00:00Z",
			"lastModifiedBy": "bob", "lastModifiedDateTime": "2021-05-02T09:30:00Z"}],
		"formDefinitions": [{"id": "rfi", "displayName": "RFI", "type": "RFI", "status": "Approved", "twinId": "` + tower + `"}],
		"forms": [{"id": "f", "formId": "rfi", "createdBy": "Ada", "createdById": "ada", "createdDateTime": "2020-04-01T08:00:00Z",
			"subject": null, "lastModifiedBy": "Bob", "lastModifiedDateTime": "2021-06-02T09:30:00Z"}],
		"realityData": [{"id": "` + scan + `", "twinId": "` + tower + `", "displayName": "Scan", "type": "LAS",
			"createdDateTime": "2018-01-01T00:00:00Z", "modifiedDateTime": "2018-02-01T00:00:00Z", "lastAccessedDateTime": null}]
	}`
	w, err := platform.ReadWorld(strings.NewReader(world))
	if err != nil {
		t.Fatal(err)
	}
	p := opened(t, platform.Config{})
	if err := p.Seed(t.Context(), w, platform.SeedOptions{Owner: twinplatform.Principal{ID: "owner", AccountID: account}}); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]any)
	note := func(name string, wire []byte) {
		var members map[string]any
		if err := json.Unmarshal(wire, &members); err != nil {
			t.Fatal(err)
		}
		for _, of := range []string{"createdBy", "createdDateTime", "lastModifiedBy", "lastModifiedDateTime", "modifiedDateTime", "lastAccessedDateTime"} {
			if v, ok := members[of]; ok {
				got[name+"."+of] = v
			}
		}
	}
	note("twin", made[twinplatform.Record[twins.Twin]](t)(p.Twins.Twin(t.Context(), tower)).JSON)
	note("form", made[twinplatform.Record[forms.Form]](t)(p.Forms.Form(t.Context(), "f")).JSON)
	note("data", made[twinplatform.Record[realitydata.RealityData]](t)(p.RealityData.RealityData(t.Context(), scan, "")).JSON)
	want := map[string]any{
		"twin.createdBy": "ada", "twin.createdDateTime": "2019-04-01T08:00:00Z",
		"twin.lastModifiedBy": "bob", "twin.lastModifiedDateTime": "2021-05-02T09:30:00Z",
		"form.createdBy": "Ada", "form.createdDateTime": "2020-04-01T08:00:00Z",
		"form.lastModifiedBy": "Bob", "form.lastModifiedDateTime": "2021-06-02T09:30:00Z",
		"data.createdDateTime": "2018-01-01T00:00:00Z", "data.modifiedDateTime": "2018-02-01T00:00:00Z", "data.lastAccessedDateTime": nil,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
