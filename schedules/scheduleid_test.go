package schedules_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var twoIDs = refusal{kind: twinplatform.Conflict, code: "AmbiguousId", target: "scheduleId"}

// sharedWith lets callers of other accounts see and change what is at a twin.
type sharedWith map[string]string // id of the principal to twin

func (g sharedWith) Allowed(_ context.Context, p twinplatform.Principal, _ string, at twinplatform.Target) (bool, error) {
	return g[p.ID] == at.TwinID || g[p.ID] == "every", nil
}

// perTwin is a directory in which each twin is of the account of its first
// letter.
type perTwin struct{}

func (perTwin) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	return twinID[:1], true, nil
}

// bossOf is an administrator of an account.
func bossOf(accountID string) context.Context {
	return twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{
		ID: "boss of " + accountID, AccountID: accountID, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	})
}

func principalOf(accountID, id string) context.Context {
	return twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{ID: id, AccountID: accountID})
}

func makeSchedule(t *testing.T, ctx context.Context, svc *schedules.Service, id, name, twinID string) {
	t.Helper()
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: id, Name: name, TwinID: twinID}); err != nil {
		t.Fatal(err)
	}
}

func nameOf(t *testing.T, ctx context.Context, svc *schedules.Service, id string) string {
	t.Helper()
	rec, err := svc.Schedule(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return rec.Value.Name
}

func TestIDOfAScheduleIsUniqueWithinItsAccount(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]twinplatform.Env{
		"the program's own authorizer": {Authorizer: sharedWith{}}, "no authorizer": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			svc := newService(memory.New(), schedules.Config{Twins: perTwin{}, Env: env})
			a, b := bossOf("a"), bossOf("b")
			makeSchedule(t, a, svc, "tower", "of a", "a1")
			makeSchedule(t, b, svc, "tower", "of b", "b1")
			_, err := svc.CreateSchedule(b, schedules.NewSchedule{ID: "tower", Name: "again", TwinID: "b2"})
			idTaken.check(t, err)
			if got := nameOf(t, a, svc, "tower") + ", " + nameOf(t, b, svc, "tower"); got != "of a, of b" {
				t.Errorf("the schedules are %s", got)
			}
			if _, err := svc.CreateTask(b, "tower", schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work}); err != nil {
				t.Fatal(err)
			}
			_, err = svc.In("tower").Task(a, "dig")
			noTask.check(t, err)
			if err := svc.DeleteSchedule(a, "tower"); err != nil {
				t.Fatal(err)
			}
			_, err = svc.Schedule(a, "tower")
			noSchedule.check(t, err)
			if got := nameOf(t, b, svc, "tower"); got != "of b" {
				t.Errorf("the schedule of b is %s", got)
			}
			makeSchedule(t, a, svc, "tower", "again", "a1")
			if got := nameOf(t, a, svc, "tower"); got != "again" {
				t.Errorf("the schedule made again is %s", got)
			}
		})
	}
}

func TestCallerReachesSchedulesOfOtherAccountsThatItMaySee(t *testing.T) {
	t.Parallel()
	shared := sharedWith{"guest": "a1", "owner": "b1", "everywhere": "every"}
	svc := newService(memory.New(), schedules.Config{Twins: perTwin{}, Env: twinplatform.Env{Authorizer: shared}})
	system := context.Background()
	for _, account := range []string{"a", "b", "c"} {
		makeSchedule(t, system, svc, "tower", "of "+account, account+"1")
	}
	makeSchedule(t, system, svc, "hut", "hut of a", "a1")
	for who, want := range map[string]context.Context{
		"of b":  principalOf("b", "owner"),      // its own
		"of c":  principalOf("c", "everywhere"), // its own goes before those of others
		"of a ": principalOf("d", "guest"),
	} {
		if got := nameOf(t, want, svc, "tower"); got != who[:4] {
			t.Errorf("means the schedule %s, want %s", got, who)
		}
	}
	for _, ctx := range []context.Context{system, principalOf("d", "everywhere")} {
		_, err := svc.Schedule(ctx, "tower")
		twoIDs.check(t, err)
		_, err = svc.CreateTask(ctx, "tower", schedules.NewTask{Name: "n", Type: schedules.Work})
		twoIDs.check(t, err)
		if got := nameOf(t, ctx, svc, "hut"); got != "hut of a" {
			t.Errorf("means %s", got)
		}
	}
	_, err := svc.Schedule(principalOf("d", "stranger"), "tower")
	noSchedule.check(t, err)
	_, err = svc.Schedule(principalOf("b", "guest"), "tower") // its own account's is hidden from it
	noSchedule.check(t, err)
	// An id with a slash in it is none, and reaches nothing.
	_, err = svc.Schedule(principalOf("a", "everywhere"), "a/tower")
	noSchedule.check(t, err)
}

// An id that the account of a caller had leads nowhere until it is forgotten, however many
// other accounts use it.
func TestDeletedScheduleIsNotReplacedByThatOfAnotherAccount(t *testing.T) {
	t.Parallel()
	env := twinplatform.Env{Authorizer: sharedWith{"ann": "every", "bob": "every", "cyd": "every"}, Retain: -1}
	svc := newService(memory.New(), schedules.Config{Twins: perTwin{}, Env: env})
	ann, bob, cyd := principalOf("a", "ann"), principalOf("b", "bob"), principalOf("c", "cyd")
	for who, ctx := range map[string]context.Context{"a": ann, "b": bob} {
		makeSchedule(t, ctx, svc, "tower", "of "+who, who+"1")
	}
	if err := svc.DeleteSchedule(ann, "tower"); err != nil {
		t.Fatal(err)
	}
	refused := func() {
		t.Helper()
		_, err := svc.Schedule(ann, "tower")
		noSchedule.check(t, err)
		_, err = svc.CreateTask(ann, "tower", schedules.NewTask{Name: "n", Type: schedules.Work})
		noSchedule.check(t, err)
	}
	refused()
	if got := nameOf(t, bob, svc, "tower") + ", " + nameOf(t, cyd, svc, "tower"); got != "of b, of b" {
		t.Errorf("the others mean %s", got)
	}
	makeSchedule(t, cyd, svc, "tower", "of c", "c1")
	refused()
	makeSchedule(t, ann, svc, "tower", "again", "a1")
	if got := nameOf(t, ann, svc, "tower"); got != "again" {
		t.Errorf("the schedule made again is %s", got)
	}
}

// TestWithoutADirectoryATwinIsOfTheCallersAccount shows what a service without a
// directory of twins is.
func TestWithoutADirectoryATwinIsOfTheCallersAccount(t *testing.T) {
	t.Parallel()
	svc := newService(memory.New(), schedules.Config{})
	a, b := bossOf("a"), bossOf("b")
	makeSchedule(t, a, svc, "of a", "A", "tower")
	makeSchedule(t, b, svc, "of b", "B", "tower")
	makeSchedule(t, t.Context(), svc, "of none", "N", "tower")
	list := func(ctx context.Context) (ids []string) {
		page, err := svc.Schedules(ctx, schedules.ScheduleQuery{TwinID: "tower"})
		if err != nil {
			t.Fatal(err)
		}
		for sc := range page.OnPage() {
			ids = append(ids, sc.ID)
		}
		return ids
	}
	for want, ctx := range map[string]context.Context{"of a": a, "of b": b} {
		if got := list(ctx); !slices.Equal(got, []string{want}) {
			t.Errorf("listed %q, want %q alone", got, want)
		}
		if rec, err := svc.Schedule(ctx, want); err != nil || "of "+rec.Value.AccountID != want {
			t.Errorf("got %+v, %v", rec.Value, err)
		}
	}
	if got := list(t.Context()); len(got) != 3 {
		t.Errorf("the system lists %q", got)
	}
	_, err := svc.Schedule(b, "of a")
	noSchedule.check(t, err)
	_, err = svc.Schedule(b, "of none")
	noSchedule.check(t, err)
	_, err = svc.CreateSchedule(principalOf("a", "clerk"), schedules.NewSchedule{Name: "n", TwinID: "tower"})
	invalid("InvalidValue twinId").check(t, err)
}
