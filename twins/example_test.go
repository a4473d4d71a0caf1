package twins_test

import (
	"context"
	"fmt"
	"log"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// A program makes the twins area first, and passes it to the others as their authorizer
// and directory of twins. They report to it what they hold of a twin, so that none is
// deleted while it has content.
func Example() {
	store := memory.New()
	defer store.Close()

	directory := twins.New(store, twins.Config{})
	plans := schedules.New(store, schedules.Config{Env: twinplatform.Env{Authorizer: directory}, Twins: directory})
	directory.AddHolder(twinplatform.TwinHolderFunc(func(ctx context.Context, twinID string) (string, error) {
		page, err := plans.Schedules(ctx, schedules.ScheduleQuery{TwinID: twinID})
		if err != nil || page.Len() == 0 {
			return "", err
		}
		return "schedules", nil
	}))

	// An administrator makes a twin, and someone a planner of it.
	admin := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{
		ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	})
	tower, err := directory.CreateTwin(admin, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
	if err != nil {
		log.Fatal(err)
	}
	id := tower.Value().ID
	planner, err := directory.CreateRole(admin, id, twins.NewRole{
		DisplayName: "Planner", Permissions: []string{twinplatform.PermissionSchedulesRead, twinplatform.PermissionSchedulesModify},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := directory.CreateMember(admin, id, twins.NewMember{ID: "bob", RoleIDs: []string{planner.Value().ID}}); err != nil {
		log.Fatal(err)
	}

	// The planner plans, and can do nothing else.
	bob := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{ID: "bob", AccountID: "acme", Kind: twinplatform.User})
	if _, err := plans.CreateSchedule(bob, schedules.NewSchedule{Name: "Shell", TwinID: id}); err != nil {
		log.Fatal(err)
	}
	_, err = directory.UpdateTwin(bob, id, twins.TwinPatch{DisplayName: twinplatform.Set("Bob's tower")})
	fmt.Println(err)
	fmt.Println(directory.DeleteTwin(admin, id))
	// Output:
	// InsufficientPermissions: The caller does not have the permissions that this operation needs.: MissingPermission The permission 'twins_modify' is missing.
	// TwinNotEmpty: The twin is not empty. What it holds must be deleted or moved first.: TwinInUse (schedules) The twin has schedules.
}

// Twins are found by what their names contain.
func ExampleService_Twins() {
	svc := twins.New(memory.New(), twins.Config{})
	admin := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{
		ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	})
	for _, name := range []string{"Tower", "Bridge", "Water tower"} {
		if _, err := svc.CreateTwin(admin, twins.NewTwin{Class: twins.Thing, DisplayName: name}); err != nil {
			log.Fatal(err)
		}
	}
	for twin, err := range twinplatform.All(admin, svc.Twins, twins.TwinQuery{Search: "tower"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(twin.DisplayName, twin.Status)
	}
	// Unordered output:
	// Tower Active
	// Water tower Active
}

// A user who is invited becomes a member once the invitation is accepted.
func ExampleService_AcceptInvitation() {
	svc := twins.New(memory.New(), twins.Config{})
	admin := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{
		ID: "ada", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	})
	tower, err := svc.CreateTwin(admin, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
	if err != nil {
		log.Fatal(err)
	}
	id := tower.Value().ID
	viewer, err := svc.CreateRole(admin, id, twins.NewRole{DisplayName: "Viewer", Permissions: []string{twinplatform.PermissionTwinsRead}})
	if err != nil {
		log.Fatal(err)
	}
	invited, err := svc.CreateInvitation(admin, id, twins.NewInvitation{Email: "bob@example.com", RoleIDs: []string{viewer.Value().ID}})
	if err != nil {
		log.Fatal(err)
	}

	bob := twinplatform.WithPrincipal(context.Background(), twinplatform.Principal{ID: "bob", AccountID: "partner", Kind: twinplatform.User})
	_, err = svc.Twin(bob, id)
	fmt.Println(err)
	// The program that checked the mail address accepts, as the system.
	if _, err := svc.AcceptInvitation(context.Background(), id, invited.Value().ID, twins.NewMember{ID: "bob", AccountID: "partner"}); err != nil {
		log.Fatal(err)
	}
	seen, err := svc.Twin(bob, id)
	fmt.Println(seen.Value.DisplayName, err)
	// Output:
	// twinNotFound (twinId): The requested twin is not available.
	// Tower <nil>
}
