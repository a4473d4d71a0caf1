package platform_test

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// listsOf are the lists that a type of the world has, behind a prefix.
func listsOf[T any](prefix string) (names []string) {
	for f := range reflect.TypeFor[T]().Fields() {
		if kind := f.Type.Kind(); kind == reflect.Slice || kind == reflect.Pointer {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, prefix+name)
		}
	}
	return names
}

// worldKinds are the types of records of all areas, with the lists that are theirs.
func worldKinds() (kinds []entity.Stored, lists []string) {
	kinds = slices.Concat(
		twins.Kinds(), forms.Kinds(), realitydata.Kinds(), transform.Kinds(), webhooks.Kinds(), schedules.Kinds(),
	)
	lists = slices.Concat(
		listsOf[platform.World](""), listsOf[schedules.Contents](""), listsOf[platform.Model]("models."),
		[]string{"savedViews.extensions", "configurations.transformations"},
	)
	return kinds, lists
}

// TestEveryKindIsInTheWorldOrDeclaresWhyNot names each type of record that was added without
// declaring its exports and seeds.
func TestEveryKindIsInTheWorldOrDeclaresWhyNot(t *testing.T) {
	t.Parallel()
	kinds, lists := worldKinds()
	for _, problem := range entity.CheckWorld(kinds, lists) {
		t.Error(problem)
	}
	for scratch, want := range map[*entity.Stored]string{
		{Name: "risks"}: "risks: nothing says whether its records are in a world",
		{Name: "risks", World: entity.InList("risks")}:   "risks: the world has no list risks",
		{Name: "risks", World: entity.NotInWorld("")}:    "risks: it names neither a list of the world nor a reason",
		{Name: "risks", World: entity.InList("tasks")}:   "",
		{Name: "risks", World: entity.NotInWorld("why")}: "",
	} {
		got := strings.Join(entity.CheckWorld(append(slices.Clone(kinds), *scratch), lists), "\n")
		if got != want {
			t.Errorf("a type of record of which the world knows %v: %q, want %q", scratch.World, got, want)
		}
	}
	want := []string{"risks: the list of the world is of no type of record"}
	if got := entity.CheckWorld(kinds, append(lists, "risks")); !slices.Equal(got, want) {
		t.Errorf("a list of no type of record: %q", got)
	}
}

// TestEachMemberThatEndsInIdIsAReferenceOrSaysWhyNot names each row that says nothing of what its
// member refers to.
func TestEachMemberThatEndsInIdIsAReferenceOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	kinds, _ := worldKinds()
	names := []string{"twins"}
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	references := 0
	for _, f := range entity.Facts(kinds) {
		isRef := strings.HasSuffix(f.Member, "Id") || strings.HasSuffix(f.Member, "Ids")
		switch {
		case f.To != "" && !slices.Contains(names, f.To):
			t.Errorf("%s.%s refers to %s, which is no type of record", f.Kind, f.Member, f.To)
		case f.To != "":
			references++
		case isRef && f.NotRef == "":
			t.Errorf("%s.%s: its row says neither to what it refers nor why it refers to nothing", f.Kind, f.Member)
		case !isRef && f.NotRef != "":
			t.Errorf("%s.%s is taken for no reference, and says that it is none", f.Kind, f.Member)
		}
	}
	if references < 50 {
		t.Errorf("%d references", references)
	}
}

// secretive are members whose name is that of a secret.
var secretive = regexp.MustCompile(`(?i)secret|token|passw|credential|authentication|key$`)

func TestEachMemberThatIsNamedAsASecretIsOneOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	kinds, _ := worldKinds()
	secrets := 0
	for _, f := range entity.Facts(kinds) {
		switch {
		case f.Secret:
			secrets++
		case secretive.MatchString(f.Member) && f.NotSecret == "":
			t.Errorf("%s.%s: its row says neither that it is secret nor why it is not", f.Kind, f.Member)
		}
	}
	if secrets == 0 {
		t.Error("no member is secret")
	}
}

// Every list of the worlds that are seeded is exported again, with all that was in it.
func TestNoListOfAWorldIsLostOnTheWay(t *testing.T) {
	t.Parallel()
	for _, file := range []string{j30File, bridgeFile} {
		p := over(t, memory.New(), platform.Config{})
		w := worldFrom(t, file)
		seed(t, p, w)
		after, err := p.Export(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		had, has := lengths(t, w), lengths(t, after)
		for list, n := range had {
			if has[list] < n { // a twin of the account is made besides
				t.Errorf("%s: %d %s were seeded, and %d exported", file, n, list, has[list])
			}
		}
	}
}

// lengths are how many records each list of a world has, those of all schedules together.
func lengths(t *testing.T, w *platform.World) map[string]int {
	t.Helper()
	n := make(map[string]int)
	count := func(of any) {
		text, err := json.Marshal(of)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			t.Fatal(err)
		}
		for name, value := range members {
			var items []json.RawMessage
			if json.Unmarshal(value, &items) == nil {
				n[name] += len(items)
			}
		}
	}
	count(w)
	for _, plan := range w.Schedules {
		count(plan.Contents)
	}
	for _, m := range w.Models {
		count(m)
	}
	return n
}
