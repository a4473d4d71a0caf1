package twins_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/twins"
)

var storedFormat = recordstest.Stored{
	World: storedWorld, Read: readEverything, Kinds: twins.Kinds(),
	Random: func(key string) bool { return strings.Contains(key, "/epoch") || strings.Contains(key, "/shares/r/") },
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, nil)
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}

func storedService(store storage.Store) *twins.Service {
	n := 0
	id := func() string { n++; return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }
	return twins.New(store, twins.Config{Env: twinplatform.Env{
		Now: func() time.Time { return time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC) }, NewID: id, NewGUID: id,
	}})
}

// storedWorld fills a store with every type of record, changed and deleted ones
// among them.
func storedWorld(t *testing.T, store storage.Store) {
	t.Helper()
	must := recordstest.Must(t)
	must(records.New(store).Update(t.Context(), func(u *records.Update) error { return u.Listen() }))
	w, ctx := &world{Service: storedService(store)}, admin(t)
	tower := w.twin(t, ctx, twins.NewTwin{
		DisplayName: recordstest.Name, Number: "T-1", GeographicLocation: "Linz", Latitude: new(48.3), Longitude: new(14.25),
		IANATimeZone: twinplatform.Set("Europe/Vienna"), Type: "Building",
	})
	w.twin(t, ctx, twins.NewTwin{DisplayName: "Part", Number: "T-2", Class: twins.Thing, SubClass: twins.Asset, ParentID: tower.ID})
	gone := w.twin(t, ctx, twins.NewTwin{DisplayName: "gone", Number: "T-3"})
	_, err := w.UpdateTwin(ctx, tower.ID, twins.TwinPatch{Status: twinplatform.Set(twins.Trial)})
	must(err)
	role, err := w.CreateRole(ctx, tower.ID, twins.NewRole{DisplayName: recordstest.Name, Description: "all", Permissions: []string{twins.PermissionModify}})
	must(err)
	_, err = w.CreateMember(ctx, tower.ID, twins.NewMember{ID: user("bob", acme).ID, MemberType: twinplatform.User, DisplayName: "Bob", Email: "bob@example.com", RoleIDs: []string{role.Value().ID}})
	must(err)
	_, err = w.CreateInvitation(ctx, tower.ID, twins.NewInvitation{Email: "ann@example.com", RoleIDs: []string{role.Value().ID}})
	must(err)
	_, err = w.CreateExport(ctx, twins.ExportRequest{OutputFormat: twins.CSV})
	must(err)
	_, err = w.SetTwinImage(ctx, tower.ID, strings.NewReader(picture(4, 2)))
	must(err)
	repository, err := w.CreateRepository(ctx, tower.ID, soil)
	must(err)
	ann := user("ann", acme)
	ann.Email, ann.DisplayName = "ann@acme.example", "Ann"
	must(w.Know(t.Context(), ann))
	must(w.AddFavorite(ctx, tower.ID))
	must(w.AddRecent(ctx, gone.ID))
	must(w.AddRecent(ctx, tower.ID))
	must(w.DeleteTwin(ctx, gone.ID))
	_, err = w.CreateMember(t.Context(), tower.ID, twins.NewMember{ID: "zoe", AccountID: other, RoleIDs: []string{role.Value().ID}})
	must(err)
	_, err = w.CreateMember(ctx, tower.ID, twins.NewMember{ID: "eve", RoleIDs: []string{role.Value().ID}})
	must(err)
	must(w.DeleteMember(ctx, tower.ID, "eve"))
	_, err = w.CreateShare(ctx, tower.ID, twins.NewShare{})
	must(err)
	crew, err := w.CreateGroup(ctx, tower.ID, twins.NewGroup{Name: recordstest.Name, Description: "all", Members: []string{"ann@acme.example", "robot"}})
	must(err)
	_, err = w.AddGroupMembers(ctx, tower.ID, []twins.NewGroupMember{{GroupID: crew.Value().ID, RoleIDs: []string{role.Value().ID}}})
	must(err)
	_, err = w.CreateRepositoryResource(ctx, tower.ID, repository.Value().ID, clay)
	must(err)
}

// readEverything returns all that is in a store.
func readEverything(t *testing.T, store storage.Store) (stored []string) {
	t.Helper()
	svc, ctx := storedService(store), admin(t)
	page, err := svc.Twins(ctx, twins.TwinQuery{})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]func(context.Context, twins.TwinQuery) (twinplatform.Page[twins.Twin], error){"favorites": svc.Favorites, "recents": svc.Recents}
	for _, name := range []string{"favorites", "recents"} {
		shelf, err := all[name](ctx, twins.TwinQuery{})
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, fmt.Sprintf("%s %s", name, shelf.JSON()))
	}
	for twin, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		rec, err := svc.Twin(ctx, twin.ID)
		roles, err2 := svc.Roles(ctx, twin.ID, twins.RoleQuery{})
		members, err3 := svc.Members(ctx, twin.ID, twins.MemberQuery{})
		invitations, err4 := svc.Invitations(ctx, twin.ID, twins.InvitationQuery{})
		repositories, err5 := svc.Repositories(ctx, twin.ID, twins.RepositoryQuery{})
		for _, err := range []error{err, err2, err3, err4, err5} {
			if err != nil {
				t.Fatal(err)
			}
		}
		stored = append(stored,
			fmt.Sprintf("%s %s", rec.ETag, rec.JSON), fmt.Sprintf("roles %s", roles.JSON()),
			fmt.Sprintf("members %s", members.JSON()), fmt.Sprintf("invitations %s", invitations.JSON()))
		if rec.Value.Image != "" {
			image, err := svc.TwinImage(ctx, twin.ID)
			if err != nil {
				t.Fatal(err)
			}
			f, err := svc.OpenImage(ctx, image.Value.SmallImageName)
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(f)
			stored = append(stored, fmt.Sprintf("image %s %x %v", image.JSON, content, err))
		}
		groups, err := svc.Groups(ctx, twin.ID, twins.GroupQuery{})
		groupMembers, err2 := svc.GroupMembers(ctx, twin.ID, twins.GroupQuery{})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if groups.Len()+groupMembers.Len() > 0 {
			stored = append(stored, fmt.Sprintf("groups %s with roles %s", groups.JSON(), groupMembers.JSON()))
		}
		if repositories.Len() > 0 {
			asStored, err := repositories.Map(func(rec twinplatform.Record[twins.Repository]) (_ twinplatform.Record[twins.Repository], err error) {
				rec.Value.Capabilities = nil // which are not
				rec.JSON, err = wire.Marshal(&rec.Value)
				return rec, err
			})
			if err != nil {
				t.Fatal(err)
			}
			stored = append(stored, fmt.Sprintf("repositories %s", asStored.JSON()))
			for r, err := range repositories.OnPage() {
				if err != nil {
					t.Fatal(err)
				}
				resources, err := svc.RepositoryResources(ctx, twin.ID, r.ID, twins.RepositoryResourceQuery{})
				if err != nil {
					t.Fatal(err)
				}
				if resources.Len() > 0 {
					stored = append(stored, fmt.Sprintf("resources %s", resources.JSON()))
				}
			}
		}
	}
	return stored
}
