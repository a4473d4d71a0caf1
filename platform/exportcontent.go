package platform

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func (e *exporter) twins(ctx context.Context) {
	e.list(&e.world.Twins, func(o options) (wirePage, error) {
		return wire(e.Twins.Twins(ctx, twins.TwinQuery{ListOptions: o, IncludeInactive: true}))
	})
	for i := range e.world.Twins {
		t := &e.world.Twins[i]
		t.Image, t.ImageName = nil, nil
	}
}

// rolesAndMembers collects the roles of a twin but the automatic one, and the
// members with their roles. The ids of roles are new in every store; their names
// are not.
func (e *exporter) rolesAndMembers(ctx context.Context, twinID string) {
	roles, err := e.roles(ctx, twinID)
	if e.failed(err) {
		return
	}
	slices.SortFunc(roles, func(a, b twins.Role) int { return cmp.Compare(a.DisplayName, b.DisplayName) })
	account, _, err := e.Twins.TwinAccount(ctx, twinID)
	if e.failed(err) {
		return
	}
	names := namesOf(roles)
	for _, r := range roles {
		if !r.Owner {
			e.world.Roles = append(e.world.Roles, Role{TwinID: twinID, NewRole: twins.NewRole{
				DisplayName: r.DisplayName, Description: r.Description, Permissions: r.Permissions,
			}})
		}
	}
	var members []struct { // which have more of their roles than names
		CreatedDateTime twinplatform.DateTime `json:"createdDateTime"`
		twins.NewMember
	}
	e.list(&members, func(o options) (wirePage, error) {
		return wire(e.Twins.Members(ctx, twinID, twins.MemberQuery{ListOptions: o}))
	})
	for _, member := range members {
		m := Member{CreatedDateTime: dated(member.CreatedDateTime), NewMember: member.NewMember}
		rec, err := e.Twins.Member(ctx, twinID, m.ID)
		if e.failed(err) {
			return
		}
		if rec.Value.AccountID != account {
			m.AccountID = rec.Value.AccountID
		}
		for _, id := range m.RoleIDs {
			m.Roles = append(m.Roles, names[id])
		}
		slices.Sort(m.Roles)
		m.TwinID, m.RoleIDs = twinID, nil
		e.world.Members = append(e.world.Members, m)
	}
	e.groups(ctx, twinID, names)
}

// groups collects the groups of a twin, and those that have roles at it.
func (e *exporter) groups(ctx context.Context, twinID string, names map[string]string) {
	var groups []Group
	e.list(&groups, func(o options) (wirePage, error) {
		return wire(e.Twins.Groups(ctx, twinID, twins.GroupQuery{ListOptions: o}))
	})
	for _, g := range groups {
		g.TwinID = twinID
		e.world.Groups = append(e.world.Groups, g)
	}
	for _, member := range values(e,
		twinplatform.All(ctx, func(ctx context.Context, q twins.GroupQuery) (twinplatform.Page[twins.GroupMember],
			error,
		) {
			return e.Twins.GroupMembers(ctx, twinID, q)
		}, twins.GroupQuery{})) {
		m := GroupMember{TwinID: twinID, GroupID: member.ID, CreatedDateTime: dated(member.CreatedDateTime)}
		for _, id := range member.RoleIDs {
			m.Roles = append(m.Roles, names[id])
		}
		slices.Sort(m.Roles)
		e.world.GroupMembers = append(e.world.GroupMembers, m)
	}
}

func (e *exporter) repositories(ctx context.Context, twinID string) {
	var all []Repository
	e.list(&all, func(o options) (wirePage, error) {
		return wire(e.Twins.Repositories(ctx, twinID, twins.RepositoryQuery{ListOptions: o}))
	})
	for _, r := range all {
		r.TwinID = twinID
		e.world.Repositories = append(e.world.Repositories, r)
		e.repositoryResources(ctx, twinID, r.ID)
	}
}

func (e *exporter) repositoryResources(ctx context.Context, twinID, repositoryID string) {
	var all []RepositoryResource
	e.list(&all, func(o options) (wirePage, error) {
		return wire(e.Twins.RepositoryResources(ctx, twinID, repositoryID,
			twins.RepositoryResourceQuery{ListOptions: o}))
	})
	for _, r := range all {
		r.TwinID, r.RepositoryID = twinID, repositoryID
		e.world.RepositoryResources = append(e.world.RepositoryResources, r)
	}
}

// namesOf are the display names of roles by their ids.
func namesOf(roles []twins.Role) map[string]string {
	names := make(map[string]string, len(roles))
	for _, r := range roles {
		names[r.ID] = r.DisplayName
	}
	return names
}

// definitions collects the definitions, and the security that each has in the
// twins where it can be used.
func (e *exporter) definitions(ctx context.Context) {
	secured := make(map[string][]FormSecurity)
	for _, t := range e.world.Twins {
		if !problem.IsGUID(t.ID) {
			continue // nor are there forms of it
		}
		for _, d := range values(e, twinplatform.All(ctx, e.Forms.FormDefinitions,
			forms.FormDefinitionQuery{TwinID: t.ID, Status: forms.AnyStatus})) {
			security, err := e.Forms.Security(ctx, d.ID, t.ID)
			if e.failed(err); security != nil {
				secured[d.ID] = append(secured[d.ID], FormSecurity{TwinID: t.ID, Security: *security})
			}
			if d.TwinID == t.ID {
				e.world.FormDefinitions = append(e.world.FormDefinitions,
					FormDefinition{ID: d.ID, NewFormDefinition: forms.NewFormDefinition{
						DisplayName: d.DisplayName, Discipline: d.Discipline, IDPrefix: d.IDPrefix,
						ShareType: d.ShareType, Status: d.Status,
						TwinID: d.TwinID, Type: d.Type,
					}})
			}
		}
	}
	for i := range e.world.FormDefinitions {
		d := &e.world.FormDefinitions[i]
		d.Security = secured[d.ID]
	}
}

// forms collects the forms of a twin. The twin of an account has the account's id, which need
// not be a GUID; forms are of twins with one alone.
func (e *exporter) forms(ctx context.Context, twinID string) {
	if !problem.IsGUID(twinID) {
		return
	}
	for _, f := range values(e, twinplatform.All(ctx, e.Forms.Forms, forms.FormQuery{TwinID: twinID})) {
		n := Form{CreatedByID: f.CreatedByID, LastModifiedByID: f.LastModifiedByID}
		e.recast(f, &n)
		n.TwinID = twinID
		e.world.Forms = append(e.world.Forms, n)
	}
}

func (e *exporter) realityData(ctx context.Context) {
	for _, d := range values(e, twinplatform.All(ctx, e.RealityData.RealityDataList, realitydata.RealityDataQuery{})) {
		n := RealityData{TwinIDs: d.TwinIDs, AccountID: d.AccountID}
		e.recast(d, &n)
		e.world.RealityData = append(e.world.RealityData, n)
	}
}

func (e *exporter) detectors(ctx context.Context) {
	for _, d := range values(e, twinplatform.All(ctx, e.RealityData.Detectors, realitydata.DetectorQuery{})) {
		within := ctx // the system means the detector of no account
		if d.AccountID != "" {
			within = asSystemClient(ctx, d.AccountID)
		}
		rec, err := e.RealityData.Detector(within, d.Name)
		if e.failed(err) {
			return
		}
		n := Detector{OwnerID: rec.Value.OwnerID, AccountID: rec.Value.AccountID}
		e.recast(d, &n.NewDetector)
		e.recast(rec.Value.Versions, &n.Versions)
		e.world.Detectors = append(e.world.Detectors, n)
	}
}
