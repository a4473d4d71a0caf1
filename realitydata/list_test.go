package realitydata_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

func names(t *testing.T, page twinplatform.Page[realitydata.RealityData]) []string {
	t.Helper()
	out := []string{}
	for d, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, d.DisplayName)
	}
	return out
}

func box(west, south, east, north float64) *realitydata.Extent {
	return &realitydata.Extent{
		SouthWest: &realitydata.Coordinate{Latitude: &south, Longitude: &west},
		NorthEast: &realitydata.Coordinate{Latitude: &north, Longitude: &east},
	}
}

// covers: operations realityData.list
func TestFiltersListWhatMatchesAllOfThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	day := func(n int) twinplatform.DateTime { return twinplatform.At(noon.AddDate(0, 0, n)) }
	for i, n := range []realitydata.NewRealityData{
		{DisplayName: "a", Type: "LAS", Tags: []string{"Red"}, OwnerID: "ann", Extent: box(0, 0, 10, 10), Acquisition: &realitydata.Acquisition{StartDateTime: day(1), EndDateTime: day(3)}},
		{DisplayName: "b", Type: "3MX", Description: "the BIG one", Extent: box(170, -10, -170, 10), Acquisition: &realitydata.Acquisition{StartDateTime: day(5)}},
		{DisplayName: "c", Type: "OBJ", Dataset: "big", OwnerID: "ann", Tags: []string{"red", "green"}},
		{DisplayName: "d", Type: "LAS", Attribution: "x", TwinID: "road", OwnerID: "bob"},
	} {
		w.now = noon.AddDate(0, 0, i)
		w.create(n)
	}
	w.now = noon
	times := func(from, to int) string {
		return fmt.Sprintf("%s/%s", noon.AddDate(0, 0, from).Format(time.RFC3339), noon.AddDate(0, 0, to).Format(time.RFC3339))
	}
	for name, test := range map[string]struct {
		q    realitydata.RealityDataQuery
		want []string
	}{
		"all":                      {realitydata.RealityDataQuery{}, []string{"a", "b", "c", "d"}},
		"twin":                     {realitydata.RealityDataQuery{TwinID: "road"}, []string{"d"}},
		"twin that is not there":   {realitydata.RealityDataQuery{TwinID: twinplatform.NewGUID()}, []string{}},
		"types":                    {realitydata.RealityDataQuery{Types: []string{"LAS", "OBJ"}}, []string{"a", "c", "d"}},
		"search in any case":       {realitydata.RealityDataQuery{Search: "BiG"}, []string{"b", "c"}},
		"search in tags":           {realitydata.RealityDataQuery{Search: "GREE"}, []string{"c"}},
		"tag":                      {realitydata.RealityDataQuery{Tag: "red"}, []string{"a", "c"}},
		"part of a tag":            {realitydata.RealityDataQuery{Tag: "re"}, []string{}},
		"owner":                    {realitydata.RealityDataQuery{OwnerID: "ann"}, []string{"a", "c"}},
		"owner and twin":           {realitydata.RealityDataQuery{OwnerID: "bob", TwinID: "road"}, []string{"d"}},
		"data center":              {realitydata.RealityDataQuery{DataCenter: "East US"}, []string{"a", "b", "c", "d"}},
		"another data center":      {realitydata.RealityDataQuery{DataCenter: "West Europe"}, []string{}},
		"extent":                   {realitydata.RealityDataQuery{Extent: "5,5,6,6"}, []string{"a"}},
		"extent that touches":      {realitydata.RealityDataQuery{Extent: "10,10,20,20"}, []string{"a"}},
		"extent elsewhere":         {realitydata.RealityDataQuery{Extent: "20,0,30,10"}, []string{}},
		"extent at the meridian":   {realitydata.RealityDataQuery{Extent: "-175,0,-171,1"}, []string{"b"}},
		"extent over the meridian": {realitydata.RealityDataQuery{Extent: "175,0,-175,1"}, []string{"b"}},
		"acquired around":          {realitydata.RealityDataQuery{AcquisitionDateTime: times(2, 2)}, []string{"a"}},
		"acquired from":            {realitydata.RealityDataQuery{AcquisitionDateTime: noon.AddDate(0, 0, 3).Format(time.RFC3339) + "/"}, []string{"a", "b"}},
		"acquired until":           {realitydata.RealityDataQuery{AcquisitionDateTime: "/" + noon.AddDate(0, 0, 4).Format(time.RFC3339)}, []string{"a"}},
		"created":                  {realitydata.RealityDataQuery{CreatedDateTime: times(1, 2)}, []string{"b", "c"}},
		"modified":                 {realitydata.RealityDataQuery{ModifiedDateTime: times(2, 9)}, []string{"c", "d"}},
		"accessed":                 {realitydata.RealityDataQuery{LastAccessedDateTime: times(3, 3)}, []string{"d"}},
		"two at once":              {realitydata.RealityDataQuery{Types: []string{"LAS"}, Tag: "red"}, []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := w.RealityDataList(t.Context(), test.q)
			if err != nil {
				t.Fatal(err)
			}
			got := names(t, page)
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for target, q := range map[string]realitydata.RealityDataQuery{
		"extent": {Extent: "1,2,3"}, "acquisitionDateTime": {AcquisitionDateTime: "yesterday"}, "createdDateTime": {CreatedDateTime: "/"},
		"modifiedDateTime": {ModifiedDateTime: "a/b/c"}, "lastAccessedDateTime": {LastAccessedDateTime: "2026-13-01/"}, "orderBy": {OrderBy: "colour"},
		"continuation": {ListOptions: twinplatform.ListOptions{Continuation: "x"}}, "top": {ListOptions: twinplatform.ListOptions{Top: -1}},
	} {
		_, err := w.RealityDataList(t.Context(), q)
		if got := problemtest.Brief(err); len(got) < 2 || got[0] != "InvalidRealityDataRequest" || got[1] != "InvalidValue "+target {
			t.Errorf("%s: got %v", target, err)
		}
	}
	for _, extent := range []string{"0,10,10,0", "-181,0,0,0", "0,-91,0,0", "a,b,c,d", "0,0,0,91", "NaN,0,0,0"} {
		if _, err := w.RealityDataList(t.Context(), realitydata.RealityDataQuery{Extent: extent}); !errors.Is(err, twinplatform.Unprocessable) {
			t.Errorf("%s: got %v", extent, err)
		}
	}
}

func TestListsOrderTextsWithoutCaseThenByBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for _, name := range []string{"b", "A", "a", "B"} {
		w.create(realitydata.NewRealityData{DisplayName: name, Description: twinplatform.NullString(name)})
	}
	for _, order := range []string{"displayName", "description"} {
		var got []string
		for d, err := range twinplatform.All(t.Context(), w.RealityDataList, realitydata.RealityDataQuery{TwinID: "bridge", OrderBy: order}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.DisplayName)
		}
		if diff := cmp.Diff([]string{"A", "a", "B", "b"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", order, diff)
		}
	}
}

func TestListPagesInTheOrderAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for i := range 7 {
		w.now = noon.Add(time.Duration(i*3%7) * time.Hour)
		w.create(realitydata.NewRealityData{DisplayName: fmt.Sprintf("n%d", i*5%7)})
	}
	two := 2
	for order, want := range map[string][]string{
		"displayName":          {"n0", "n1", "n2", "n3", "n4", "n5", "n6"},
		"displayName asc":      {"n0", "n1", "n2", "n3", "n4", "n5", "n6"},
		"displayName desc":     {"n6", "n5", "n4", "n3", "n2", "n1", "n0"},
		"createdDateTime desc": {"n3", "n6", "n2", "n5", "n1", "n4", "n0"},
	} {
		q := realitydata.RealityDataQuery{TwinID: "bridge", OrderBy: order, ListOptions: twinplatform.ListOptions{Top: two}}
		var got []string
		for d, err := range twinplatform.All(t.Context(), w.RealityDataList, q) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, d.DisplayName)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", order, diff)
		}
	}
}

func TestListShowsCallersWhatIsTheirs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.create(realitydata.NewRealityData{DisplayName: "a", OwnerID: "ann"})
	w.create(realitydata.NewRealityData{DisplayName: "b", OwnerID: "bob", TwinID: "road"})
	w.create(realitydata.NewRealityData{DisplayName: "m", OwnerID: "ann", TwinID: "mine"})
	list := func(who string, q realitydata.RealityDataQuery, permissions ...string) []string {
		ctx := w.as(who, permissions...)
		if who == "admin" {
			ctx = w.admin("acme")
		}
		page, err := w.RealityDataList(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got := names(t, page)
		slices.Sort(got)
		return got
	}
	if diff := cmp.Diff([]string{"a"}, list("ann", realitydata.RealityDataQuery{})); diff != "" {
		t.Errorf("the owner: %s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, list("admin", realitydata.RealityDataQuery{})); diff != "" {
		t.Errorf("the administrator: %s", diff)
	}
	_, err := w.RealityDataList(w.as("stranger"), realitydata.RealityDataQuery{TwinID: "road"})
	wantFault(t, err, "InvalidRealityDataRequest", "InvalidValue twinId")
	if diff := cmp.Diff([]string{"b"}, list("user", realitydata.RealityDataQuery{TwinID: "road"}, "realitydata_use", "road")); diff != "" {
		t.Errorf("a user: %s", diff)
	}
}
