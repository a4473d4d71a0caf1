package twins_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestPatchChangesWhatItNamesAndNothingElse(t *testing.T) {
	t.Parallel()
	full := twins.NewTwin{
		Class: twins.Thing, SubClass: twins.Portfolio, Type: "Bridges", Number: "B-1", DisplayName: "Bridges",
		GeographicLocation: "Porto", Latitude: new(41.15), Longitude: new(-8.61), IANATimeZone: twinplatform.Set("Europe/Lisbon"),
		DataCenterLocation: twins.WestEurope, Status: twins.Trial,
	}
	tests := map[string]struct {
		patch twins.TwinPatch
		want  func(*twins.Twin)
	}{
		"class and subClass": {
			twins.TwinPatch{Class: twinplatform.Set(twins.Endeavor), SubClass: twinplatform.Set(twins.Program)},
			func(t *twins.Twin) { t.Class, t.SubClass = twins.Endeavor, twins.Program },
		},
		"subClass cleared takes the default": {
			twins.TwinPatch{SubClass: twinplatform.Null[twins.SubClass]()},
			func(t *twins.Twin) { t.SubClass = twins.Asset },
		},
		"type":                          {twins.TwinPatch{Type: twinplatform.Set("Tower")}, func(t *twins.Twin) { t.Type = "Tower" }},
		"type cleared":                  {twins.TwinPatch{Type: twinplatform.Null[string]()}, func(t *twins.Twin) { t.Type = "" }},
		"number":                        {twins.TwinPatch{Number: twinplatform.Set("T-1")}, func(t *twins.Twin) { t.Number = "T-1" }},
		"number cleared becomes the id": {twins.TwinPatch{Number: twinplatform.Null[string]()}, func(t *twins.Twin) { t.Number = t.ID }},
		"displayName":                   {twins.TwinPatch{DisplayName: twinplatform.Set("Towers")}, func(t *twins.Twin) { t.DisplayName = "Towers" }},
		"geographicLocation":            {twins.TwinPatch{GeographicLocation: twinplatform.Set("Pisa")}, func(t *twins.Twin) { t.GeographicLocation = "Pisa" }},
		"geographicLocation cleared":    {twins.TwinPatch{GeographicLocation: twinplatform.Null[string]()}, func(t *twins.Twin) { t.GeographicLocation = "" }},
		"latitude":                      {twins.TwinPatch{Latitude: twinplatform.Set(0.0)}, func(t *twins.Twin) { t.Latitude = new(0.0) }},
		"latitude cleared":              {twins.TwinPatch{Latitude: twinplatform.Null[float64]()}, func(t *twins.Twin) { t.Latitude = nil }},
		"longitude":                     {twins.TwinPatch{Longitude: twinplatform.Set(10.4)}, func(t *twins.Twin) { t.Longitude = new(10.4) }},
		"longitude cleared":             {twins.TwinPatch{Longitude: twinplatform.Null[float64]()}, func(t *twins.Twin) { t.Longitude = nil }},
		"ianaTimeZone":                  {twins.TwinPatch{IANATimeZone: twinplatform.Set("Europe/Rome")}, func(t *twins.Twin) { t.IANATimeZone = "Europe/Rome" }},
		"ianaTimeZone cleared":          {twins.TwinPatch{IANATimeZone: twinplatform.Null[string]()}, func(t *twins.Twin) { t.IANATimeZone = "" }},
		"dataCenterLocation":            {twins.TwinPatch{DataCenterLocation: twinplatform.Set(twins.UKSouth)}, func(t *twins.Twin) { t.DataCenterLocation = twins.UKSouth }},
		"dataCenterLocation cleared":    {twins.TwinPatch{DataCenterLocation: twinplatform.Null[twins.DataCenterLocation]()}, func(t *twins.Twin) { t.DataCenterLocation = twins.EastUS }},
		"status":                        {twins.TwinPatch{Status: twinplatform.Set(twins.Inactive)}, func(t *twins.Twin) { t.Status = twins.Inactive }},
		"status cleared becomes Active": {twins.TwinPatch{Status: twinplatform.Null[twins.Status]()}, func(t *twins.Twin) { t.Status = twins.Active }},
		"everything to what it is":      {twins.TwinPatch{Number: twinplatform.Set("B-1"), Latitude: twinplatform.Set(41.15), ParentID: twinplatform.Null[string]()}, nil},
		"nothing":                       {twins.TwinPatch{}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			before := w.twin(t, admin(t), full)
			if _, err := w.CreateMember(t.Context(), before.ID, twins.NewMember{ID: "editor", RoleIDs: []string{w.grant(t, before.ID, "x", twins.PermissionModify).ID}}); err != nil {
				t.Fatal(err)
			}
			w.now = w.now.Add(time.Hour)
			editor := as(t, user("editor", acme))
			old, err := w.Twin(editor, before.ID)
			if err != nil {
				t.Fatal(err)
			}
			w.events(t)
			res, err := w.UpdateTwin(editor, before.ID, test.patch, twinplatform.IfMatch(old.ETag))
			if err != nil {
				t.Fatal(err)
			}
			want := before
			if test.want != nil {
				test.want(&want)
				want.LastModifiedBy, want.LastModifiedDateTime = "editor", twinplatform.At(w.now)
			}
			if diff := cmp.Diff(want, res.Value()); diff != "" {
				t.Errorf("patched twin (-want +got):\n%s", diff)
			}
			if same := res.Records[0].ETag == old.ETag; same != (test.want == nil) {
				t.Errorf("ETag before %s, after %s", old.ETag, res.Records[0].ETag)
			}
			if n := len(w.events(t)); (n == 0) != (test.want == nil) {
				t.Errorf("%d events", n)
			}
		})
	}
}

func TestPatchIsRefusedForEveryWrongProperty(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	long := strings.Repeat("x", 256)
	tests := map[string]struct {
		patch twins.TwinPatch
		want  string
	}{
		"class cleared":           {twins.TwinPatch{Class: twinplatform.Null[twins.Class]()}, "MissingRequiredProperty class"},
		"displayName cleared":     {twins.TwinPatch{DisplayName: twinplatform.Null[string]()}, "MissingRequiredProperty displayName"},
		"class without subClass":  {twins.TwinPatch{Class: twinplatform.Set(twins.Thing)}, "InvalidValue subClass"},
		"subClass of another":     {twins.TwinPatch{SubClass: twinplatform.Set(twins.Asset)}, "InvalidValue subClass"},
		"becoming an account":     {twins.TwinPatch{Class: twinplatform.Set(twins.Account), SubClass: twinplatform.Set(twins.AccountTwin)}, "InvalidValue class"},
		"the empty time zone":     {twins.TwinPatch{IANATimeZone: twinplatform.Set("")}, "InvalidValue ianaTimeZone"},
		"an empty parent":         {twins.TwinPatch{ParentID: twinplatform.Set("")}, "InvalidValue parentId"},
		"unknown status":          {twins.TwinPatch{Status: twinplatform.Set(twins.Status("On"))}, "InvalidValue status"},
		"unknown data center":     {twins.TwinPatch{DataCenterLocation: twinplatform.Set(twins.DataCenterLocation("Mars"))}, "InvalidValue dataCenterLocation"},
		"too long, too far north": {twins.TwinPatch{Type: twinplatform.Set(long), Number: twinplatform.Set(long), Latitude: twinplatform.Set(90.1)}, "InvalidValue latitude, InvalidValue number, InvalidValue type"},
		"too far east, nowhere":   {twins.TwinPatch{GeographicLocation: twinplatform.Set(long), Longitude: twinplatform.Set(180.1)}, "InvalidValue geographicLocation, InvalidValue longitude"},
	}
	project := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Project"})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := w.UpdateTwin(admin(t), project.ID, test.patch)
			wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : "+test.want)
		})
	}
}

func TestPatchMeetsConflicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "A", Number: "1"})
	b := w.twin(t, admin(t), twins.NewTwin{DisplayName: "B", Number: "2"})
	_, err := w.UpdateTwin(admin(t), b.ID, twins.TwinPatch{Number: twinplatform.Set("1"), DisplayName: twinplatform.Set("A")})
	wantProblem(t, err, twinplatform.Conflict, "twinExists : InvalidValue displayName, InvalidValue number")
	_, err = w.UpdateTwin(admin(t), b.ID, twins.TwinPatch{Type: twinplatform.Set("T")}, twinplatform.IfMatch(`"old"`))
	wantProblem(t, err, twinplatform.Conflict, "VersionMismatch ifMatch:")
	_, err = w.UpdateTwin(admin(t), nada, twins.TwinPatch{})
	wantProblem(t, err, twinplatform.NotFound, "twinNotFound twinId:")
}

func TestPatchMovesATwinWithinItsAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	a := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	b := w.twin(t, admin(t), twins.NewTwin{DisplayName: "B", ParentID: a.ID})
	c := w.twin(t, admin(t), twins.NewTwin{DisplayName: "C", ParentID: b.ID})
	w.grant(t, a.ID, "reader", twins.PermissionRead)
	reader := user("reader", acme)
	sees := func(want bool) {
		t.Helper()
		got, err := w.Allowed(t.Context(), reader, twins.PermissionRead, twinplatform.Target{TwinID: c.ID})
		if got != want || err != nil {
			t.Errorf("the reader of A sees C: %t, %v", got, err)
		}
	}
	move := func(ctx context.Context, id, to string) error {
		p := twinplatform.Set(to)
		if to == "" {
			p = twinplatform.Null[string]()
		}
		_, err := w.UpdateTwin(ctx, id, twins.TwinPatch{ParentID: p})
		return err
	}
	sees(true)
	if err := move(admin(t), b.ID, ""); err != nil {
		t.Fatal(err)
	}
	sees(false) // rights follow the twin to its new place
	wantProblem(t, move(admin(t), b.ID, c.ID), twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")
	wantProblem(t, move(admin(t), b.ID, b.ID), twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")
	wantProblem(t, move(admin(t), b.ID, nada), twinplatform.NotFound, "ResourceNotFound parentId: OperationNotFound parentId")
	wantProblem(t, move(admin(t), acme, a.ID), twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")
	foreign := w.twin(t, as(t, user("boss", other, "Account Administrator")), twins.NewTwin{DisplayName: "F"})
	wantProblem(t, move(t.Context(), b.ID, foreign.ID), twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")

	w.grant(t, b.ID, "editor", twins.PermissionModify)
	w.grant(t, a.ID, "editor", twins.PermissionRead)
	editor := as(t, user("editor", acme))
	wantProblem(t, move(editor, b.ID, a.ID), twinplatform.Forbidden, "InsufficientPermissions :")
	w.grant(t, c.ID, "editor", twins.PermissionModify)
	wantProblem(t, move(editor, c.ID, ""), twinplatform.Forbidden, "InsufficientPermissions :")
	if err := move(admin(t), b.ID, a.ID); err != nil {
		t.Fatal(err)
	}
	sees(true)
}

func TestHierarchyHasABound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	at := w.twin(t, admin(t), twins.NewTwin{DisplayName: "1"})
	for depth := 2; depth < twins.MaxDepth; depth++ {
		at = w.twin(t, admin(t), twins.NewTwin{DisplayName: strings.Repeat("1", depth), ParentID: at.ID})
	}
	_, err := w.CreateTwin(admin(t), twins.NewTwin{Class: twins.Thing, DisplayName: "too deep", ParentID: at.ID})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")
}
