package twins_test

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// covers: Create twin as requested: rule image and imageName are null without an image
// covers: Twin
// covers: operations twins.create
func TestTwinHasEveryFieldOfTheRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	program := w.twin(t, admin(t), twins.NewTwin{Class: twins.Endeavor, SubClass: twins.Program, DisplayName: "Program"})
	res, err := w.CreateTwin(admin(t), twins.NewTwin{
		Class: twins.Thing, SubClass: twins.Portfolio, Type: "Bridges", Number: "B-1", DisplayName: "Bridges of <Porto>",
		GeographicLocation: "Porto", Latitude: new(41.15), Longitude: new(-8.61), IANATimeZone: twinplatform.Set("Europe/Lisbon"),
		DataCenterLocation: twins.WestEurope, Status: twins.Trial, ParentID: program.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Twin(admin(t), res.Value().ID)
	if err != nil {
		t.Fatal(err)
	}
	want := twins.Twin{
		Class: twins.Thing, SubClass: twins.Portfolio, Type: "Bridges", Number: "B-1", DisplayName: "Bridges of <Porto>",
		GeographicLocation: "Porto", Latitude: new(41.15), Longitude: new(-8.61), IANATimeZone: "Europe/Lisbon",
		DataCenterLocation: twins.WestEurope, Status: twins.Trial, ParentID: twinplatform.NullString(program.ID), TwinAccountID: acme,
		ID: res.Value().ID, CreatedBy: "admin", CreatedByType: twinplatform.User, CreatedDateTime: twinplatform.At(w.now),
		LastModifiedBy: "admin", LastModifiedDateTime: twinplatform.At(w.now),
	}
	if diff := cmp.Diff(want, got.Value); diff != "" {
		t.Errorf("twin (-want +got):\n%s", diff)
	}
	const wire = `{"class":"Thing","createdBy":"admin","createdDateTime":"2026-01-31T09:00:00Z","dataCenterLocation":"West Europe",` +
		`"displayName":"Bridges of <Porto>","geographicLocation":"Porto","ianaTimeZone":"Europe/Lisbon","id":"ID","image":null,` +
		`"imageName":null,"lastModifiedBy":"admin","lastModifiedDateTime":"2026-01-31T09:00:00Z","latitude":41.15,"longitude":-8.61,` +
		`"number":"B-1","parentId":"PARENT","status":"Trial","subClass":"Portfolio","twinAccountId":"` + acme + `","type":"Bridges"}`
	if diff := cmp.Diff(strings.NewReplacer("ID", want.ID, "PARENT", program.ID).Replace(wire), string(got.JSON)); diff != "" {
		t.Errorf("wire form (-want +got):\n%s", diff)
	}
	if got.ETag == "" || got.ETag != res.Records[0].ETag {
		t.Errorf("ETag %s, the creation gave %s", got.ETag, res.Records[0].ETag)
	}
}

// covers: Twin
// covers: Create twin as requested
func TestTwinDefaults(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	for class, sub := range map[twins.Class]twins.SubClass{twins.Endeavor: twins.Project, twins.Thing: twins.Asset} {
		got := w.twin(t, admin(t), twins.NewTwin{Class: class, DisplayName: string(class)})
		want := twins.Twin{
			Class: class, SubClass: sub, Number: got.ID, DisplayName: string(class), DataCenterLocation: twins.EastUS, Status: twins.Active,
			ParentID: acme, TwinAccountID: acme, ID: got.ID, CreatedBy: "admin", CreatedByType: twinplatform.User,
			CreatedDateTime: twinplatform.At(w.now), LastModifiedBy: "admin", LastModifiedDateTime: twinplatform.At(w.now),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("twin (-want +got):\n%s", diff)
		}
		if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(got.ID) {
			t.Errorf("id %q is no GUID", got.ID)
		}
	}
}

// covers: Values of twins
func TestTwinTakesEveryDocumentedValue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	sub := map[twins.SubClass]twins.Class{
		twins.Portfolio: twins.Thing, twins.Asset: twins.Thing,
		twins.Program: twins.Endeavor, twins.Project: twins.Endeavor, twins.WorkPackage: twins.Endeavor,
	}
	for s, class := range sub {
		w.twin(t, admin(t), twins.NewTwin{Class: class, SubClass: s, DisplayName: "of " + string(s)})
	}
	for _, d := range []twins.DataCenterLocation{
		"East US", "North Europe", "West Europe", "Southeast Asia", "Australia East", "UK South", "Canada Central", "Central India", "Japan East",
	} {
		w.twin(t, admin(t), twins.NewTwin{DisplayName: "in " + string(d), DataCenterLocation: d})
	}
	for _, s := range []twins.Status{"Active", "Inactive", "Trial"} {
		w.twin(t, admin(t), twins.NewTwin{DisplayName: "is " + string(s), Status: s})
	}
	for _, z := range []string{"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Asia/Kolkata"} {
		w.twin(t, admin(t), twins.NewTwin{DisplayName: "at " + z, IANATimeZone: twinplatform.Set(z)})
	}
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "no zone", IANATimeZone: twinplatform.Null[string]()})
	// At their bounds.
	w.twin(t, admin(t), twins.NewTwin{
		DisplayName: strings.Repeat("ü", 255), Number: strings.Repeat("n", 255), GeographicLocation: twinplatform.NullString(strings.Repeat("g", 255)),
		Type: twinplatform.NullString(strings.Repeat("t", 100)), Latitude: new(-90.0), Longitude: new(180.0),
	})
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "the other bounds", Latitude: new(90.0), Longitude: new(-180.0)})
}

// covers: Create twin as requested: rule class is required
// covers: Create twin as requested: rule displayName is required
// covers: Create twin as requested: rule ianaTimeZone is a zone that exists
// covers: Limits of twins
// covers: Errors and permissions of create twin
func TestTwinIsRefusedForEveryWrongProperty(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 256)
	tests := map[string]struct {
		n    twins.NewTwin
		want string
	}{
		"without a class":                       {twins.NewTwin{DisplayName: "A"}, "MissingRequiredProperty class"},
		"without a displayName":                 {twins.NewTwin{Class: "Thing"}, "MissingRequiredProperty displayName"},
		"with a blank displayName":              {twins.NewTwin{Class: "Thing", DisplayName: " \t"}, "MissingRequiredProperty displayName"},
		"with nothing":                          {twins.NewTwin{}, "MissingRequiredProperty class, MissingRequiredProperty displayName"},
		"with an unknown class":                 {twins.NewTwin{Class: "thing", DisplayName: "A"}, "InvalidValue class"},
		"with an unknown subClass":              {twins.NewTwin{Class: "Thing", SubClass: "Bridge", DisplayName: "A"}, "InvalidValue subClass"},
		"with a subClass of another class":      {twins.NewTwin{Class: "Thing", SubClass: "Project", DisplayName: "A"}, "InvalidValue subClass"},
		"with an unknown status":                {twins.NewTwin{Class: "Thing", DisplayName: "A", Status: "Dormant"}, "InvalidValue status"},
		"with an unknown data center":           {twins.NewTwin{Class: "Thing", DisplayName: "A", DataCenterLocation: "Mars"}, "InvalidValue dataCenterLocation"},
		"with a displayName of 256":             {twins.NewTwin{Class: "Thing", DisplayName: long}, "InvalidValue displayName"},
		"with a number of 256":                  {twins.NewTwin{Class: "Thing", DisplayName: "A", Number: long}, "InvalidValue number"},
		"with a blank number":                   {twins.NewTwin{Class: "Thing", DisplayName: "A", Number: " "}, "InvalidValue number"},
		"with a geographicLocation of 256":      {twins.NewTwin{Class: "Thing", DisplayName: "A", GeographicLocation: twinplatform.NullString(long)}, "InvalidValue geographicLocation"},
		"with a type of 101":                    {twins.NewTwin{Class: "Thing", DisplayName: "A", Type: twinplatform.NullString(long[:101])}, "InvalidValue type"},
		"with a latitude above 90":              {twins.NewTwin{Class: "Thing", DisplayName: "A", Latitude: new(90.01)}, "InvalidValue latitude"},
		"with a latitude below -90":             {twins.NewTwin{Class: "Thing", DisplayName: "A", Latitude: new(-90.01)}, "InvalidValue latitude"},
		"with a latitude that is no number":     {twins.NewTwin{Class: "Thing", DisplayName: "A", Latitude: new(math.NaN())}, "InvalidValue latitude"},
		"with a longitude above 180":            {twins.NewTwin{Class: "Thing", DisplayName: "A", Longitude: new(180.01)}, "InvalidValue longitude"},
		"with a longitude below -180":           {twins.NewTwin{Class: "Thing", DisplayName: "A", Longitude: new(-180.01)}, "InvalidValue longitude"},
		"with the empty time zone":              {twins.NewTwin{Class: "Thing", DisplayName: "A", IANATimeZone: twinplatform.Set("")}, "InvalidValue ianaTimeZone"},
		"with the machine's time zone":          {twins.NewTwin{Class: "Thing", DisplayName: "A", IANATimeZone: twinplatform.Set("Local")}, "InvalidValue ianaTimeZone"},
		"with an invented time zone":            {twins.NewTwin{Class: "Thing", DisplayName: "A", IANATimeZone: twinplatform.Set("Europe/Atlantis")}, "InvalidValue ianaTimeZone"},
		"with a path as time zone":              {twins.NewTwin{Class: "Thing", DisplayName: "A", IANATimeZone: twinplatform.Set("../zoneinfo/UTC")}, "InvalidValue ianaTimeZone"},
		"with a time zone of leap seconds":      {twins.NewTwin{Class: "Thing", DisplayName: "A", IANATimeZone: twinplatform.Set("right/Europe/Berlin")}, "InvalidValue ianaTimeZone"},
		"with an id that is the platform's own": {twins.NewTwin{Class: "Thing", DisplayName: "A", ID: nada}, "InvalidValue id"},
		"with five wrong properties, all at once": {
			twins.NewTwin{Class: "Thing", DisplayName: long, Status: "Dormant", DataCenterLocation: "Mars", Latitude: new(91.0), IANATimeZone: twinplatform.Set("Local")},
			"InvalidValue dataCenterLocation, InvalidValue displayName, InvalidValue ianaTimeZone, InvalidValue latitude, InvalidValue status",
		},
		"with everything wrong, all at once": {
			twins.NewTwin{
				Class: "c", SubClass: "s", Type: twinplatform.NullString(long), Number: long, DisplayName: long, GeographicLocation: twinplatform.NullString(long),
				Latitude: new(91.0), Longitude: new(181.0), IANATimeZone: twinplatform.Set("z"), DataCenterLocation: "d", Status: "s",
			},
			"InvalidValue class, InvalidValue dataCenterLocation, InvalidValue displayName, InvalidValue geographicLocation, InvalidValue ianaTimeZone, " +
				"InvalidValue latitude, InvalidValue longitude, InvalidValue number, InvalidValue status, InvalidValue subClass, InvalidValue type",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, twins.Config{})
			_, err := w.CreateTwin(admin(t), test.n)
			wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : "+test.want)
		})
	}
}

func TestTwinNeedsAParentThatIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	secret := w.twin(t, as(t, user("boss", other, "Account Administrator")), twins.NewTwin{DisplayName: "Secret"})
	for name, parent := range map[string]string{"missing": nada, "of others": secret.ID} {
		_, err := w.CreateTwin(admin(t), twins.NewTwin{Class: twins.Thing, DisplayName: name, ParentID: parent})
		wantProblem(t, err, twinplatform.NotFound, "ResourceNotFound parentId: OperationNotFound parentId")
	}
}

// covers: Errors and permissions of create twin: permission twins_create on the parent
func TestTwinIsMadeBelowItsParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	w.grant(t, parent.ID, "maker", twins.PermissionCreate)
	w.grant(t, parent.ID, "reader", twins.PermissionRead)

	child := w.twin(t, as(t, user("maker", acme)), twins.NewTwin{DisplayName: "Child", ParentID: parent.ID})
	if string(child.ParentID) != parent.ID || child.TwinAccountID != acme || child.CreatedBy != "maker" {
		t.Errorf("child %+v", child)
	}
	// A member from elsewhere makes twins in the account of the parent.
	w.grantTo(t, parent.ID, other, "guest", twins.PermissionCreate)
	guest := w.twin(t, as(t, user("guest", other)), twins.NewTwin{DisplayName: "Guest", ParentID: parent.ID})
	if guest.TwinAccountID != acme {
		t.Errorf("guest's twin is in the account %s", guest.TwinAccountID)
	}
	_, err := w.CreateTwin(as(t, user("reader", acme)), twins.NewTwin{Class: twins.Thing, DisplayName: "No", ParentID: parent.ID})
	wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
}

// covers: Errors and permissions of create twin: error InsufficientPermissions
// covers: Errors and permissions of create twin: permission twins_create on the account
func TestTwinWithoutAParentNeedsThePermissionAtTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	n := twins.NewTwin{Class: twins.Thing, DisplayName: "A"}
	for name, ctx := range map[string]twinplatform.Principal{"member of the account": user("somebody", acme), "caller without an account": user("nobody", "")} {
		_, err := w.CreateTwin(as(t, ctx), n)
		if wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :"); t.Failed() {
			t.Log(name)
		}
	}
	account, err := w.PrimaryAccount(as(t, user("somebody", acme)))
	if err != nil {
		t.Fatal(err)
	}
	w.grant(t, account.Value.ID, "somebody", twins.PermissionCreate)
	got := w.twin(t, as(t, user("somebody", acme)), n)
	if got.ParentID != acme {
		t.Errorf("the twin is below %s", got.ParentID)
	}
}

func TestAccountsAreMadeByTheSystemAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	n := twins.NewTwin{Class: twins.Account, DisplayName: "Acme", ID: acme, Number: "ACME"}
	got := w.twin(t, t.Context(), n)
	if got.SubClass != twins.AccountTwin || got.ParentID != "" || got.TwinAccountID != "" || got.ID != acme {
		t.Errorf("account %+v", got)
	}
	mine, err := w.PrimaryAccount(as(t, user("somebody", acme)))
	if err != nil || mine.Value.DisplayName != "Acme" {
		t.Errorf("my account is %+v, %v", mine.Value, err)
	}
	n.ID = ""
	_, err = w.CreateTwin(admin(t), n)
	wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions class:")
	if !strings.Contains(err.Error(), "no permission grants it") {
		t.Errorf("the error does not say what would help: %v", err)
	}
	_, err = w.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Account, DisplayName: "B", ParentID: acme})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue parentId")
}

func TestSystemChoosesIDsAndAccounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	const id = "6F3A2C1E-7D4B-4A58-9C0D-2B1E5F8A7C90"
	got := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Seeded", ID: id, AccountID: acme})
	if got.ID != strings.ToLower(id) || got.TwinAccountID != acme || got.ParentID != acme || got.CreatedBy != "" {
		t.Errorf("seeded twin %+v", got)
	}
	if account, ok, err := w.TwinAccount(t.Context(), got.ID); account != acme || !ok || err != nil {
		t.Errorf("TwinAccount = %q, %t, %v", account, ok, err)
	}
	if _, ok, err := w.TwinAccount(t.Context(), nada); ok || err != nil {
		t.Errorf("TwinAccount of a missing twin: %t, %v", ok, err)
	}
	alone := w.twin(t, t.Context(), twins.NewTwin{DisplayName: "Alone"})
	if alone.TwinAccountID != "" || alone.ParentID != "" {
		t.Errorf("twin without an account %+v", alone)
	}
	_, err := w.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Thing, DisplayName: "Again", ID: id, AccountID: acme})
	wantProblem(t, err, twinplatform.Conflict, "twinExists : InvalidValue id")
	_, err = w.CreateTwin(t.Context(), twins.NewTwin{Class: twins.Thing, DisplayName: "B", ID: "b"})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue id")
}

// covers: Errors and permissions of create twin: error twinExists
// covers: Errors and permissions of create twin: rule details name number and displayName
func TestNumberAndNameAreUniqueWithinTheAccount(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A", Number: "1"})
	tests := map[string]struct {
		n    twins.NewTwin
		want string
	}{
		"the same number":                {twins.NewTwin{DisplayName: "B", Number: "1"}, "twinExists : InvalidValue number"},
		"the same name":                  {twins.NewTwin{DisplayName: "A", Number: "2"}, "twinExists : InvalidValue displayName"},
		"both":                           {twins.NewTwin{DisplayName: "A", Number: "1"}, "twinExists : InvalidValue displayName, InvalidValue number"},
		"the same number, further below": {twins.NewTwin{DisplayName: "B", Number: "1", ParentID: parent.ID, SubClass: twins.WorkPackage}, "twinExists : InvalidValue number"},
		"the number of the account":      {twins.NewTwin{DisplayName: "B", Number: acme}, "twinExists : InvalidValue number"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.n.Class = twins.Endeavor
			_, err := w.CreateTwin(admin(t), test.n)
			wantProblem(t, err, twinplatform.Conflict, test.want)
		})
	}
	w.twin(t, admin(t), twins.NewTwin{DisplayName: "a", Number: "1/2"})
	w.twin(t, as(t, user("boss", other, "Account Administrator")), twins.NewTwin{DisplayName: "A", Number: "1"})
}

// covers: Errors and permissions of create twin: rule two creations with one number yield one twin
func TestTwoCreationsWithOneNumberYieldOneTwin(t *testing.T) {
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		svc := twins.New(store, twins.Config{})
		for round := range 20 {
			number := string(rune('a' + round))
			var wg sync.WaitGroup
			errs := make([]error, 8)
			for i := range errs {
				wg.Go(func() {
					_, errs[i] = svc.CreateTwin(admin(t), twins.NewTwin{Class: twins.Thing, DisplayName: number + string(rune('0'+i)), Number: number})
				})
			}
			wg.Wait()
			made := 0
			for _, err := range errs {
				if err == nil {
					made++
					continue
				}
				wantProblem(t, err, twinplatform.Conflict, "twinExists : InvalidValue number")
			}
			page, err := svc.Twins(admin(t), twins.TwinQuery{Number: number})
			if got := names(t, page, err); made != 1 || len(got) != 1 {
				t.Fatalf("%d creations of number %s succeeded, and the list has %v", made, number, got)
			}
		}
	})
}

// covers: Create twin as requested: rule the creator becomes owner
// covers: Create twin as requested: rule the owner role can be removed and granted
func TestCreatorOwnsTheTwin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	parent := w.twin(t, admin(t), twins.NewTwin{DisplayName: "Parent"})
	w.grant(t, parent.ID, "maker", twins.PermissionCreate)
	maker := as(t, user("maker", acme))
	mine := w.twin(t, maker, twins.NewTwin{DisplayName: "Mine", ParentID: parent.ID})

	if _, err := w.UpdateTwin(maker, mine.ID, twins.TwinPatch{Type: twinplatform.Set("Tower")}); err != nil {
		t.Errorf("the owner cannot change the twin: %v", err)
	}
	child := w.twin(t, maker, twins.NewTwin{DisplayName: "Child", ParentID: mine.ID})
	for _, permission := range append(twins.Permissions(), "invented_permission") {
		for _, id := range []string{mine.ID, child.ID} {
			if ok, err := w.Allowed(t.Context(), user("maker", acme), permission, twinplatform.Target{TwinID: id}); !ok || err != nil {
				t.Errorf("the owner has %s at %s: %t, %v", permission, id, ok, err)
			}
		}
	}
	if _, err := w.UpdateTwin(maker, parent.ID, twins.TwinPatch{}); problem(err) != "InsufficientPermissions :" {
		t.Errorf("the owner of a twin changed its parent: %v", err)
	}

	// The role can be given to others, and taken from the creator.
	roles, err := w.Roles(maker, mine.ID, twins.RoleQuery{})
	if err != nil {
		t.Fatal(err)
	}
	owner, err := roles.Values()
	if err != nil || len(owner) != 1 || !owner[0].Owner || !json.Valid(roles.JSON()[0]) {
		t.Fatalf("roles %+v, %v", owner, err)
	}
	if _, err := w.CreateMember(maker, mine.ID, twins.NewMember{ID: "heir", RoleIDs: []string{owner[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteMember(as(t, user("heir", acme)), mine.ID, "maker"); err != nil {
		t.Fatal(err)
	}
	_, err = w.UpdateTwin(maker, mine.ID, twins.TwinPatch{Type: twinplatform.Set("Ruin")})
	wantProblem(t, err, twinplatform.Forbidden, "InsufficientPermissions :")
}
