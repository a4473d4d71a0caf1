package twins_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestFavoritesAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	all := hierarchy(t, w)
	w.grant(t, all["North"].ID, "reader", twins.PermissionRead)
	reader := as(t, user("reader", acme))
	for _, name := range []string{"North", "Bearings", "North ruin", "North"} {
		if err := w.AddFavorite(reader, all[name].ID); err != nil {
			t.Fatal(err)
		}
	}
	wantProblem(t, w.AddFavorite(reader, all["South"].ID), twinplatform.NotFound, "twinNotFound twinId:")
	wantProblem(t, w.AddFavorite(reader, nada), twinplatform.NotFound, "twinNotFound twinId:")
	wantProblem(t, w.RemoveFavorite(reader, nada), twinplatform.NotFound, "twinNotFound twinId:")
	if err := w.RemoveFavorite(reader, all["North bridge"].ID); err != nil {
		t.Error("a twin that is no favorite cannot be taken from them:", err)
	}
	page, err := w.Favorites(reader, twins.TwinQuery{IncludeInactive: true})
	if got := names(t, page, err); !slices.Equal(got, []string{"North ruin", "Bearings", "North"}) {
		t.Errorf("favorites %q", got)
	}
	page, err = w.Favorites(reader, twins.TwinQuery{})
	if got := names(t, page, err); !slices.Equal(got, []string{"Bearings", "North"}) {
		t.Errorf("favorites in use %q", got)
	}
	page, err = w.Favorites(reader, twins.TwinQuery{IncludeInactive: true, Skip: 1, ListOptions: twinplatform.ListOptions{Top: 1}})
	if got := names(t, page, err); !slices.Equal(got, []string{"Bearings"}) || page.Next != "2" {
		t.Errorf("second page %q, next %q", got, page.Next)
	}
	page, err = w.Favorites(admin(t), twins.TwinQuery{})
	wantNames(t, names(t, page, err))

	if err := w.RemoveFavorite(reader, all["North ruin"].ID); err != nil {
		t.Fatal(err)
	}
	if err := w.DeleteTwin(admin(t), all["Bearings"].ID); err != nil {
		t.Fatal(err)
	}
	page, err = w.Favorites(reader, twins.TwinQuery{})
	wantNames(t, names(t, page, err), "North")
	if err := w.DeleteMember(admin(t), all["North"].ID, "reader"); err != nil {
		t.Fatal(err)
	}
	page, err = w.Favorites(reader, twins.TwinQuery{})
	wantNames(t, names(t, page, err))
	_, err = w.Favorites(reader, twins.TwinQuery{Skip: -1, ListOptions: twinplatform.ListOptions{Top: 1001}})
	wantProblem(t, err, twinplatform.Unprocessable, "InvalidTwinsRequest : InvalidValue skip, InvalidValue top")
}

func TestRecentsAreTheLastTwentyFive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	ids := make([]string, 27)
	for i := range ids {
		ids[i] = w.twin(t, admin(t), twins.NewTwin{DisplayName: fmt.Sprint(i)}).ID
	}
	for _, id := range append(ids, ids[5]) { // the last one again moves to the front
		if err := w.AddRecent(admin(t), id); err != nil {
			t.Fatal(err)
		}
	}
	page, err := w.Recents(admin(t), twins.TwinQuery{})
	want := []string{"5"}
	for i := 26; len(want) < 25; i-- {
		if i != 5 {
			want = append(want, fmt.Sprint(i))
		}
	}
	if got := names(t, page, err); !slices.Equal(got, want) {
		t.Errorf("recents %q\nwant %q", got, want)
	}
	wantProblem(t, w.AddRecent(admin(t), nada), twinplatform.NotFound, "twinNotFound twinId:")
	wantProblem(t, w.AddRecent(as(t, user("stranger", acme)), ids[0]), twinplatform.NotFound, "twinNotFound twinId:")
	page, err = w.Recents(as(t, user("stranger", acme)), twins.TwinQuery{})
	wantNames(t, names(t, page, err))
}

func TestFavoritesAreLimited(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	w := newWorld(t, twins.Config{})
	var first string
	for i := range twins.MaxFavorites {
		twin := w.twin(t, t.Context(), twins.NewTwin{DisplayName: fmt.Sprint(i), AccountID: acme})
		if err := w.AddFavorite(admin(t), twin.ID); err != nil {
			t.Fatal(i, err)
		}
		if i == 0 {
			first = twin.ID
		}
	}
	one := w.twin(t, admin(t), twins.NewTwin{DisplayName: "one more"})
	wantProblem(t, w.AddFavorite(admin(t), one.ID), twinplatform.Conflict, "LimitExceeded :")
	if err := w.DeleteTwin(admin(t), first); err != nil {
		t.Fatal(err)
	}
	if err := w.AddFavorite(admin(t), one.ID); err != nil {
		t.Error("what was deleted still counts:", err)
	}
}
