package animation

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// AppearanceProfile is how the 3D objects that a task works on look before, during and
// after it. Animation bindings name profiles. They are made in v10 schedules only; those
// of a v6.5 schedule come with a seed.
type AppearanceProfile struct {
	// Action is null when none was given.
	Action           twinplatform.NullString `json:"action"`
	ActiveAppearance *ActiveAppearance       `json:"activeAppearance"` // during the task; null when there is none
	CreatedOn        twinplatform.DateTime   `json:"createdOn"`        // set by the platform
	Deleted          bool                    `json:"deleted"`          // true in deltas alone
	EndAppearance    *StillAppearance        `json:"endAppearance"`    // after the task; null when there is none
	ID               string                  `json:"id"`               // unique in the schedule; never changes
	Name             string                  `json:"name"`             // 1 to MaxText characters
	ParentID         twinplatform.NullString `json:"parentId"`         // the profile above it; null at the top
	StartAppearance  *StillAppearance        `json:"startAppearance"`  // before the task; null when there is none
}

var profileRecords = records.Collection[AppearanceProfile]{
	Name:        "appearance-profiles",
	ID:          func(v *AppearanceProfile) string { return v.ID },
	MarkDeleted: func(v *AppearanceProfile) { v.Deleted = true },
	Indexes:     []records.Index[AppearanceProfile]{{Name: "parent", Value: (*AppearanceProfile).parent}},
}

var profileMissing = problem.NotFound("AppearanceProfileNotFound", "appearanceProfileId", "appearance profile")

var profileKind = entity.Kind[AppearanceProfile, NewAppearanceProfile, AppearanceProfilePatch]{
	Records: &profileRecords, One: "appearanceProfile", Many: "appearanceProfiles", Resource: "appearance profile",
	Missing: profileMissing, Bad: &model.InvalidRequest,
	Members: func(v *AppearanceProfile, n *NewAppearanceProfile, p *AppearanceProfilePatch) []entity.Member {
		return []entity.Member{
			entity.Fixed("deleted", &n.Deleted, &p.Deleted, false),
			entity.Fixed("createdOn", &n.CreatedOn, nil),
			entity.ID(&v.ID, &n.ID, &p.ID),
			entity.Text("name", &v.Name, &n.Name, &p.Name).Max(model.MaxText).Required(),
			entity.Ref("parentId", &v.ParentID, &n.ParentID, &p.ParentID, &profileRecords).Deep(model.MaxDepth).Owns(),
			entity.Text("action", &v.Action, &n.Action, &p.Action).Valid(checkAction, schema.Words(appearanceActions)),
			entity.Part("startAppearance", &v.StartAppearance, &n.StartAppearance, &p.StartAppearance, checkStill),
			entity.Part("activeAppearance", &v.ActiveAppearance, &n.ActiveAppearance, &p.ActiveAppearance, checkActive),
			entity.Part("endAppearance", &v.EndAppearance, &n.EndAppearance, &p.EndAppearance, checkStill),
		}
	},
	AfterCreate: func(v *AppearanceProfile, _ *NewAppearanceProfile, _ *problem.Checks) {
		v.ActiveAppearance = v.ActiveAppearance.withDefaults()
	},
	AfterUpdate: func(v, stored *AppearanceProfile, p *AppearanceProfilePatch, c *problem.Checks) {
		model.AsIsDate(c, "createdOn", p.CreatedOn, stored.CreatedOn)
		v.ActiveAppearance = v.ActiveAppearance.withDefaults()
	},
}

func (v *AppearanceProfile) parent() string { return string(v.ParentID) }

func checkAction(c *problem.Checks, name, action string) {
	if action != "" {
		problem.OneOf(c, name, AppearanceAction(action), appearanceActions)
	}
}

func profilesOf(area model.Area) *model.Family[AppearanceProfile, NewAppearanceProfile, AppearanceProfilePatch] {
	f := model.FamilyOf(area, &profileKind).Accepted()
	f.One = model.DefineChange(area, "appearanceProfile.create",
		func(u *records.Update, e *model.Edit[NewAppearanceProfile, AppearanceProfile]) error {
			v := profileKind.New(&e.Request)
			v.CreatedOn = twinplatform.At(area.Env.Now())
			rec, err := profileKind.Insert(u, e.Scope, v, &problem.Checks{})
			e.Wrote(rec)
			return err
		}, "appearanceProfiles.create")
	return f.ChangedIn(model.V10Only).Seeded()
}

// AppearanceProfile returns an appearance profile. Errors: AppearanceProfileNotFound,
// also for a schedule that is missing or not for the caller to see.
func (p Plan) AppearanceProfile(ctx context.Context, profileID string) (twinplatform.Record[AppearanceProfile], error) {
	return callsOf(p).profiles.Get(ctx, p.id, profileID)
}

// AppearanceProfileQuery selects the appearance profiles to list.
type AppearanceProfileQuery struct {
	twinplatform.ListOptions
	// Name lists the profiles whose name equals or contains it, in upper or lower case.
	Name string
}

// AppearanceProfiles lists the appearance profiles of a schedule by id.
//
// Errors: ScheduleNotFound; InvalidSchedulesRequest with InvalidValue (top,
// continuation, delta).
func (p Plan) AppearanceProfiles(ctx context.Context, q AppearanceProfileQuery) (twinplatform.Page[AppearanceProfile],
	error,
) {
	query := records.Query[AppearanceProfile]{ListOptions: q.ListOptions}
	model.NarrowName(&query, q.Name, func(v *AppearanceProfile) string { return v.Name })
	return callsOf(p).profiles.List(ctx, p.id, query)
}
