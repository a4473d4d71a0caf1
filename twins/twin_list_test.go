package twins_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// hierarchy is an account with two projects and what lies below them, and
// another account.
func hierarchy(t *testing.T, w *world) map[string]twins.Twin {
	t.Helper()
	all := make(map[string]twins.Twin)
	add := func(ctx context.Context, n twins.NewTwin, parent string) {
		n.ParentID = all[parent].ID
		all[n.DisplayName] = w.twin(t, ctx, n)
	}
	add(admin(t), twins.NewTwin{DisplayName: "North", Number: "N-1", Type: "Road"}, "")
	add(admin(t), twins.NewTwin{DisplayName: "South", Number: "S-1", Type: "Rail", SubClass: twins.Program, Status: twins.Trial}, "")
	add(admin(t), twins.NewTwin{DisplayName: "North bridge", Number: "N-2", Class: twins.Thing, Type: "Bridge"}, "North")
	add(admin(t), twins.NewTwin{DisplayName: "North ruin", Number: "N-3", Class: twins.Thing, Type: "Bridge", Status: twins.Inactive}, "North")
	add(admin(t), twins.NewTwin{DisplayName: "Bearings", Number: "N-4", SubClass: twins.WorkPackage}, "North bridge")
	add(admin(t), twins.NewTwin{DisplayName: "South station", Number: "S-2", Class: twins.Thing}, "South")
	add(as(t, user("boss", other, "Account Administrator")), twins.NewTwin{DisplayName: "Elsewhere", Number: "N-1", Type: "Road"}, "")
	return all
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	all := hierarchy(t, w)
	w.grant(t, all["North"].ID, "reader", twins.PermissionRead)
	w.grantTo(t, all["Elsewhere"].ID, acme, "reader", twinplatform.PermissionSchedulesRead)
	tests := map[string]struct {
		q twins.TwinQuery
		// What the administrator sees of the account, and what someone who reads North
		// and Elsewhere sees.
		admin, reader []string
	}{
		"all in use": {
			twins.TwinQuery{},
			[]string{acme, "North", "South", "North bridge", "Bearings", "South station"},
			[]string{"North", "North bridge", "Bearings", "Elsewhere"},
		},
		"all": {
			twins.TwinQuery{IncludeInactive: true},
			[]string{acme, "North", "South", "North bridge", "North ruin", "Bearings", "South station"},
			[]string{"North", "North bridge", "North ruin", "Bearings", "Elsewhere"},
		},
		"inactive":          {twins.TwinQuery{Status: twins.Inactive}, []string{"North ruin"}, []string{"North ruin"}},
		"trial":             {twins.TwinQuery{Status: twins.Trial}, []string{"South"}, nil},
		"active":            {twins.TwinQuery{Status: twins.Active}, []string{acme, "North", "North bridge", "Bearings", "South station"}, []string{"North", "North bridge", "Bearings", "Elsewhere"}},
		"one subClass":      {twins.TwinQuery{SubClasses: []twins.SubClass{twins.Asset}}, []string{"North bridge", "South station"}, []string{"North bridge"}},
		"several subClass":  {twins.TwinQuery{SubClasses: []twins.SubClass{twins.Project, twins.WorkPackage, twins.Project}}, []string{"North", "Bearings"}, []string{"North", "Bearings", "Elsewhere"}},
		"account":           {twins.TwinQuery{SubClasses: []twins.SubClass{twins.AccountTwin}}, []string{acme}, nil},
		"type":              {twins.TwinQuery{Type: "Bridge"}, []string{"North bridge"}, []string{"North bridge"}},
		"type and inactive": {twins.TwinQuery{Type: "Bridge", IncludeInactive: true}, []string{"North bridge", "North ruin"}, []string{"North bridge", "North ruin"}},
		"number":            {twins.TwinQuery{Number: "N-1"}, []string{"North"}, []string{"North", "Elsewhere"}},
		"number of another": {twins.TwinQuery{Number: "S-1"}, []string{"South"}, nil},
		"part of a number":  {twins.TwinQuery{Number: "N-"}, nil, nil},
		"number inactive":   {twins.TwinQuery{Number: "N-3"}, nil, nil},
		"displayName":       {twins.TwinQuery{DisplayName: "Bearings"}, []string{"Bearings"}, []string{"Bearings"}},
		"displayName case":  {twins.TwinQuery{DisplayName: "bearings"}, nil, nil},
		"both":              {twins.TwinQuery{DisplayName: "North", Number: "N-2"}, nil, nil},
		"parent":            {twins.TwinQuery{ParentID: all["North"].ID}, []string{"North bridge"}, []string{"North bridge"}},
		"parent and status": {twins.TwinQuery{ParentID: all["North"].ID, Status: twins.Inactive}, []string{"North ruin"}, []string{"North ruin"}},
		"parent account":    {twins.TwinQuery{ParentID: acme}, []string{"North", "South"}, []string{"North"}},
		"parent of others":  {twins.TwinQuery{ParentID: other}, nil, []string{"Elsewhere"}},
		"account of twins":  {twins.TwinQuery{TwinAccountID: acme}, []string{"North", "South", "North bridge", "Bearings", "South station"}, []string{"North", "North bridge", "Bearings"}},
		"another account":   {twins.TwinQuery{TwinAccountID: other}, nil, []string{"Elsewhere"}},
		"search name":       {twins.TwinQuery{Search: "nORTH"}, []string{"North", "North bridge"}, []string{"North", "North bridge"}},
		"search number":     {twins.TwinQuery{Search: "s-"}, []string{"South", "South station"}, nil},
		"search inactive":   {twins.TwinQuery{Search: "ruin", IncludeInactive: true}, []string{"North ruin"}, []string{"North ruin"}},
		"filter":            {twins.TwinQuery{Filter: "class eq 'Thing' and startswith(displayName, 'North')"}, []string{"North bridge"}, []string{"North bridge"}},
		"filter and more": {
			twins.TwinQuery{Filter: "type eq 'Bridge'", IncludeInactive: true, SubClasses: []twins.SubClass{twins.Asset}, Search: "ruin"},
			[]string{"North ruin"},
			[]string{"North ruin"},
		},
		"filter by status": {twins.TwinQuery{Filter: "status ne 'Active'"}, []string{"South", "North ruin"}, []string{"North ruin"}},
		"member": {
			twins.TwinQuery{Scope: twins.MemberOfTwin},
			[]string{"North", "South", "North bridge", "Bearings", "South station"}, // the maker of a project owns it
			[]string{"North", "North bridge", "Bearings", "Elsewhere"},
		},
		"member by number": {twins.TwinQuery{Scope: twins.MemberOfTwin, Number: "S-1"}, []string{"South"}, nil},
		"administrator": {
			twins.TwinQuery{Scope: twins.OrganizationAdmin},
			[]string{acme, "North", "South", "North bridge", "Bearings", "South station"},
			nil,
		},
		"administrator by number": {twins.TwinQuery{Scope: twins.OrganizationAdmin, Number: "N-1"}, []string{"North"}, nil},
		"administrator by parent": {twins.TwinQuery{Scope: twins.OrganizationAdmin, ParentID: all["North"].ID}, []string{"North bridge"}, nil},
		"by any right":            {twins.TwinQuery{Scope: twins.AllTwins, Type: "Road"}, []string{"North"}, []string{"North", "Elsewhere"}},
		"search and more":         {twins.TwinQuery{Search: "o", SubClasses: []twins.SubClass{twins.Asset}, ParentID: all["South"].ID}, []string{"South station"}, nil},
	}
	for _, name := range []string{acme, "North", "South", "North bridge", "North ruin", "Bearings", "South station"} {
		id := all[name].ID
		if name == acme {
			id = acme
		}
		for _, note := range []func(context.Context, string, ...twinplatform.Precondition) error{w.AddFavorite, w.AddRecent} {
			if err := note(admin(t), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, list := range []func(context.Context, twins.TwinQuery) (twinplatform.Page[twins.Twin], error){w.Twins, w.Favorites, w.Recents} {
				page, err := list(admin(t), test.q)
				got := names(t, page, err)
				slices.Sort(got)
				wantNames(t, got, slices.Sorted(slices.Values(test.admin))...)
			}
			page, err := w.Twins(admin(t), test.q)
			wantNames(t, names(t, page, err), test.admin...)
			page, err = w.Twins(as(t, user("reader", acme)), test.q)
			wantNames(t, names(t, page, err), test.reader...)
			page, err = w.Twins(as(t, user("stranger", acme)), test.q)
			wantNames(t, names(t, page, err))
			// The system sees what anybody sees.
			page, err = w.Twins(t.Context(), test.q)
			system := names(t, page, err)
			for _, seen := range slices.Concat(test.admin, test.reader) {
				if !slices.Contains(system, seen) {
					t.Errorf("the system does not see %q", seen)
				}
			}
		})
	}
}

func TestListIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	tests := map[string]struct {
		q    twins.TwinQuery
		want string
	}{
		"top far below":          {twins.TwinQuery{ListOptions: twinplatform.ListOptions{Top: -7}}, "InvalidValue top"},
		"top below":              {twins.TwinQuery{ListOptions: twinplatform.ListOptions{Top: -1}}, "InvalidValue top"},
		"top above":              {twins.TwinQuery{ListOptions: twinplatform.ListOptions{Top: 1001}}, "InvalidValue top"},
		"skip below":             {twins.TwinQuery{Skip: -1}, "InvalidValue skip"},
		"continuation":           {twins.TwinQuery{ListOptions: twinplatform.ListOptions{Continuation: "x"}}, "InvalidValue continuation"},
		"unknown subClass":       {twins.TwinQuery{SubClasses: []twins.SubClass{twins.Asset, "asset"}}, "InvalidValue subClass"},
		"unknown status":         {twins.TwinQuery{Status: "active"}, "InvalidValue status"},
		"status and inactive":    {twins.TwinQuery{Status: twins.Active, IncludeInactive: true}, "MutuallyExclusivePropertiesProvided includeInactive"},
		"search and number":      {twins.TwinQuery{Search: "a", Number: "1"}, "MutuallyExclusivePropertiesProvided search"},
		"search and displayName": {twins.TwinQuery{Search: "a", DisplayName: "1"}, "MutuallyExclusivePropertiesProvided search"},
		"filter with status":     {twins.TwinQuery{Filter: "type eq 'a'", Status: twins.Active}, "MutuallyExclusivePropertiesProvided filter"},
		"filter with all": {
			twins.TwinQuery{Filter: "id eq ''", Type: "a", Number: "a", DisplayName: "a", ParentID: nada, TwinAccountID: nada},
			strings.Join(slices.Repeat([]string{"MutuallyExclusivePropertiesProvided filter"}, 5), ", "),
		},
		"filter out of order":      {twins.TwinQuery{Filter: "eq type 'a'"}, "InvalidValue filter"},
		"unknown order":            {twins.TwinQuery{OrderBy: "colour"}, "InvalidValue orderBy"},
		"unknown member":           {twins.TwinQuery{Select: []string{"id", "colour"}}, "InvalidValue select"},
		"max return below":         {twins.TwinQuery{MaxReturn: -1}, "InvalidValue maxReturn"},
		"max return above":         {twins.TwinQuery{MaxReturn: 10_001}, "InvalidValue maxReturn"},
		"unknown scope":            {twins.TwinQuery{Scope: "mine"}, "InvalidValue scope"},
		"everything wrong at once": {twins.TwinQuery{Skip: -1, Status: "x", SubClasses: []twins.SubClass{""}}, "InvalidValue skip, InvalidValue status, InvalidValue subClass"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, list := range []func(context.Context, twins.TwinQuery) (twinplatform.Page[twins.Twin], error){w.Twins, w.Favorites, w.Recents} {
				_, err := list(admin(t), test.q)
				wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : "+test.want)
			}
		})
	}
	if page, err := w.Twins(admin(t), twins.TwinQuery{ListOptions: twinplatform.ListOptions{Top: 1000}}); err != nil || page.Top != 1000 {
		t.Errorf("top 1000: %d, %v", page.Top, err)
	}
}

func TestListPagesByNumber(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	project := w.twin(t, admin(t), twins.NewTwin{DisplayName: "P"})
	w.grantTo(t, project.ID, other, "reader", twins.PermissionRead)
	for i := range 249 {
		status := twins.Active
		if i%5 == 0 {
			status = twins.Inactive
		}
		w.twin(t, admin(t), twins.NewTwin{DisplayName: fmt.Sprint(i), ParentID: project.ID, Status: status})
	}
	for name, ctx := range map[string]context.Context{"administrator": admin(t), "reader": as(t, user("reader", other)), "system": t.Context()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := 0
			if name != "reader" {
				own = 1 // the account
			}
			page, err := w.Twins(ctx, twins.TwinQuery{})
			if err != nil || page.Len() != 100 || page.Top != 100 || page.Next != "100" || page.ETag != "" {
				t.Fatalf("first page of %d, top %d, next %q, ETag %q: %v", page.Len(), page.Top, page.Next, page.ETag, err)
			}
			for _, q := range []twins.TwinQuery{{}, {IncludeInactive: true}, {Status: twins.Inactive}, {ParentID: project.ID}} {
				q.Top = 20
				var seen []string
				for twin, err := range twinplatform.All(ctx, w.Twins, q) {
					if err != nil {
						t.Fatal(err)
					}
					seen = append(seen, twin.ID)
				}
				want := map[int]int{0: 200 + own, 1: 250 + own, 2: 50, 3: 199}[slices.IndexFunc([]bool{
					q.Status == "" && !q.IncludeInactive && q.ParentID == "", q.IncludeInactive, q.Status != "", q.ParentID != "",
				}, func(b bool) bool { return b })]
				if len(seen) != want || !slices.IsSorted(seen) || len(slices.Compact(seen)) != want {
					t.Errorf("%+v: %d twins in pages, want %d, sorted %t", q, len(seen), want, slices.IsSorted(seen))
				}
			}
			page, err = w.Twins(ctx, twins.TwinQuery{Skip: 190, ListOptions: twinplatform.ListOptions{Top: 50}})
			if err != nil || page.Len() != 10+own || page.Next != "" {
				t.Errorf("last page of %d, next %q: %v", page.Len(), page.Next, err)
			}
			page, err = w.Twins(ctx, twins.TwinQuery{Skip: 5000})
			if err != nil || page.Len() != 0 || page.Next != "" {
				t.Errorf("page behind the last of %d, next %q: %v", page.Len(), page.Next, err)
			}
		})
	}
}

func TestMinimalListCarriesSummaries(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A", Number: "1", GeographicLocation: "Rome"})
	page, err := w.Twins(admin(t), twins.TwinQuery{Number: "1", Minimal: true})
	if err != nil || page.Len() != 1 {
		t.Fatal(page.Len(), err)
	}
	want := strings.ReplaceAll(`{"class":"Endeavor","displayName":"A","id":"ID","number":"1","subClass":"Project","twinAccountId":"`+acme+`","type":null}`, "ID", twin.ID)
	if got := string(page.JSON()[0]); got != want {
		t.Errorf("minimal item %s\nwant %s", got, want)
	}
	values, err := page.Values()
	if diff := cmp.Diff([]twins.Twin{twin}, values); diff != "" || err != nil {
		t.Errorf("values (-want +got):\n%s%v", diff, err)
	}
	page, err = w.Twins(admin(t), twins.TwinQuery{Number: "1"})
	var whole map[string]any
	if err != nil || json.Unmarshal(page.JSON()[0], &whole) != nil || len(whole) != 20 {
		t.Errorf("representation has %d members: %v", len(whole), err)
	}
}

func TestAccountOfATwin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	all := hierarchy(t, w)
	w.grantTo(t, all["North"].ID, other, "reader", twins.PermissionRead)
	for _, ctx := range []context.Context{admin(t), as(t, user("reader", other)), t.Context()} {
		rec, err := w.Account(ctx, all["Bearings"].ID)
		if err != nil || rec.Value.ID != acme || rec.Value.SubClass != twins.AccountTwin {
			t.Errorf("account %+v, %v", rec.Value, err)
		}
	}
	rec, err := w.Account(admin(t), acme)
	if err != nil || rec.Value.ID != acme {
		t.Errorf("account of the account %+v, %v", rec.Value, err)
	}
	alone := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Alone"})
	_, err = w.Account(t.Context(), alone.ID)
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
}

func TestPrimaryAccountIsMadeWhenFirstNeeded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	anybody := as(t, user("anybody", acme))
	want := twins.Twin{
		Class: twins.Account, SubClass: twins.AccountTwin, ID: acme, Number: acme, DisplayName: acme, Status: twins.Active,
		DataCenterLocation: twins.EastUS, CreatedDateTime: twinplatform.At(w.now), LastModifiedDateTime: twinplatform.At(w.now),
		CreatedBy: "anybody", CreatedByType: twinplatform.User, LastModifiedBy: "anybody",
	}
	for range 2 {
		rec, err := w.PrimaryAccount(anybody)
		if diff := cmp.Diff(want, rec.Value); diff != "" || err != nil {
			t.Errorf("account (-want +got):\n%s%v", diff, err)
		}
	}
	_, err := w.PrimaryAccount(t.Context())
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
	_, err = w.PrimaryAccount(as(t, user("nobody", "")))
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
	if events := w.events(t); len(events) != 0 {
		t.Errorf("events %+v", events)
	}
	// To see it in lists, and what is below it, takes a role.
	page, err := w.Twins(anybody, twins.TwinQuery{})
	wantNames(t, names(t, page, err))
}

func TestListIsOrderedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	hierarchy(t, w)
	ask := twins.TwinQuery{OrderBy: "subClass desc, displayName", Filter: "subClass ne 'Account'", IncludeInactive: true, ListOptions: twinplatform.ListOptions{Top: 2}}
	var got []string
	for twin, err := range twinplatform.All(t.Context(), func(_ context.Context, q twins.TwinQuery) (twinplatform.Page[twins.Twin], error) {
		return w.Twins(admin(t), q)
	}, ask) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, twin.DisplayName)
	}
	want := []string{"Bearings", "North", "South", "North bridge", "North ruin", "South station"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("twins (-want +got):\n%s", diff)
	}
}

func TestMaxReturnBoundsAllPagesTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	hierarchy(t, w) // six in use, the account counted
	for _, order := range []string{"", "displayName"} {
		for bound, want := range map[int][]int{0: {2, 2, 2}, 1: {1}, 2: {2}, 3: {2, 1}, 5: {2, 2, 1}, 6: {2, 2, 2}, 7: {2, 2, 2}} {
			var sizes []int
			for token := ""; len(sizes) < 9; {
				page, err := w.Twins(admin(t), twins.TwinQuery{
					ListOptions: twinplatform.ListOptions{Top: 2, Continuation: token}, MaxReturn: bound, OrderBy: order,
				})
				if err != nil {
					t.Fatal(err)
				}
				sizes = append(sizes, page.Len())
				if token = page.Next; token == "" {
					break
				}
			}
			if diff := cmp.Diff(want, sizes); diff != "" {
				t.Errorf("at most %d, ordered by %q (-want +got):\n%s", bound, order, diff)
			}
		}
	}
	page, err := w.Twins(admin(t), twins.TwinQuery{Skip: 3, MaxReturn: 3})
	if err != nil || page.Len() != 0 || page.Next != "" {
		t.Errorf("behind the bound: %d twins, next %q, %v", page.Len(), page.Next, err)
	}
}

func TestSelectedMembersAloneAreOnTheWire(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	hierarchy(t, w)
	page, err := w.Twins(admin(t), twins.TwinQuery{Select: []string{"type", "displayName", "latitude"}, Number: "N-2", Minimal: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(slices.Concat(page.JSON()...)); got != `{"displayName":"North bridge","latitude":null,"type":"Bridge"}` {
		t.Errorf("got %s", got)
	}
	if values, err := page.Values(); err != nil || values[0].Number != "N-2" {
		t.Errorf("the value is not whole: %+v, %v", values, err)
	}
}

// Whatever is a member of a twin can be filtered and ordered by, and selected.
func TestEveryMemberOfATwinIsAProperty(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	hierarchy(t, w)
	whole, err := w.Twins(admin(t), twins.TwinQuery{Number: "N-1"})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(whole.JSON()[0], &members); err != nil {
		t.Fatal(err)
	}
	for name, want := range members {
		page, err := w.Twins(admin(t), twins.TwinQuery{Select: []string{name}, OrderBy: name, Filter: name + " ne null and number eq 'N-1' or " + name + " eq null and number eq 'N-1'"})
		if err != nil || page.Len() != 1 || string(page.JSON()[0]) != fmt.Sprintf(`{"%s":%s}`, name, want) {
			t.Errorf("%s: %s, %v", name, page.JSON(), err)
		}
	}
}
