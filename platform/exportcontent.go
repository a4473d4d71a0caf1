package platform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func (e *exporter) twins(ctx context.Context) (err error) {
	e.world.Twins, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[twins.Twin], error) {
		return e.Twins.Twins(ctx, twins.TwinQuery{ListOptions: o, IncludeInactive: true})
	}, func(t twins.Twin, wire []byte) (n Twin, err error) {
		if err = json.Unmarshal(wire, &n); err != nil {
			return n, err
		}
		n.CreatedBy, n.Image, n.ImageName, n.LastModifiedBy, n.LastModifiedDateTime = nil, nil, nil, nil, nil
		n.TwinAccountID = twinplatform.Set(string(t.TwinAccountID))
		if t.TwinAccountID == "" {
			n.TwinAccountID = twinplatform.Null[string]()
		}
		return n, nil
	})
	return err
}

func (e *exporter) rolesAndMembers(ctx context.Context) error {
	for _, t := range e.world.Twins {
		names, err := e.rolesOf(ctx, t.ID)
		if err != nil {
			return err
		}
		members, err := every(func(o twinplatform.ListOptions) (twinplatform.Page[twins.Member], error) {
			return e.Twins.Members(ctx, t.ID, twins.MemberQuery{ListOptions: o})
		}, func(m twins.Member, wire []byte) (n Member, err error) {
			err = json.Unmarshal(wire, &n)
			n.TwinID, n.RoleIDs = t.ID, nil
			for _, id := range m.RoleIDs {
				n.Roles = append(n.Roles, names[id])
			}
			slices.Sort(n.Roles)
			return n, err
		})
		if err != nil {
			return err
		}
		e.world.Members = append(e.world.Members, members...)
	}
	return nil
}

// rolesOf collects the roles of a twin but the automatic one, and returns the
// names of all by their ids.
func (e *exporter) rolesOf(ctx context.Context, twinID string) (names map[string]string, err error) {
	roles, err := e.roles(ctx, twinID)
	if err != nil {
		return nil, err
	}
	// Their ids are new in every store; their names are not.
	slices.SortFunc(roles, func(a, b twins.Role) int { return strings.Compare(a.DisplayName, b.DisplayName) })
	names = make(map[string]string)
	for _, r := range roles {
		names[r.ID] = r.DisplayName
		if !r.Owner {
			e.world.Roles = append(e.world.Roles, Role{TwinID: twinID, NewRole: twins.NewRole{
				DisplayName: r.DisplayName, Description: r.Description, Permissions: r.Permissions,
			}})
		}
	}
	return names, nil
}

func (e *exporter) models(ctx context.Context) error {
	for _, t := range e.world.Twins {
		ctx, _ := e.within(ctx, t.ID)
		models, err := asked[transform.Model, Model](func(o twinplatform.ListOptions) (twinplatform.Page[transform.Model], error) {
			return e.Transform.Models(ctx, transform.ModelQuery{ListOptions: o, TwinID: t.ID})
		})
		if err != nil {
			return err
		}
		e.world.Models = append(e.world.Models, models...)
		for _, m := range models {
			views, err := asked[transform.SavedView, SavedView](func(o twinplatform.ListOptions) (twinplatform.Page[transform.SavedView], error) {
				return e.Transform.SavedViews(ctx, transform.SavedViewQuery{ListOptions: o, ModelID: m.ID})
			})
			if err != nil {
				return err
			}
			for i := range views {
				views[i].TwinID = t.ID
			}
			e.world.SavedViews = append(e.world.SavedViews, views...)
		}
	}
	return nil
}

// definitions collects the definitions, and the security that each has in the
// twins where it can be used.
func (e *exporter) definitions(ctx context.Context) error {
	secured := make(map[string][]FormSecurity)
	for _, t := range e.world.Twins {
		usable, err := values(func(o twinplatform.ListOptions) (twinplatform.Page[forms.FormDefinition], error) {
			return e.Forms.Definitions(ctx, forms.DefinitionQuery{ListOptions: o, TwinID: t.ID, Status: forms.AnyStatus})
		})
		if err != nil {
			return err
		}
		for _, d := range usable {
			security, err := e.Forms.Security(ctx, d.ID, t.ID)
			if err != nil {
				return err
			}
			if security != nil {
				secured[d.ID] = append(secured[d.ID], FormSecurity{TwinID: t.ID, Security: *security})
			}
			if d.TwinID == t.ID {
				e.world.FormDefinitions = append(e.world.FormDefinitions, askedDefinition(d))
			}
		}
	}
	for i := range e.world.FormDefinitions {
		d := &e.world.FormDefinitions[i]
		d.Security = secured[d.ID]
	}
	return nil
}

func askedDefinition(d forms.FormDefinition) FormDefinition {
	return FormDefinition{ID: d.ID, NewDefinition: forms.NewDefinition{
		DisplayName: d.DisplayName, Discipline: d.Discipline, IDPrefix: d.IDPrefix, ShareType: d.ShareType, Status: d.Status,
		TwinID: d.TwinID, Type: d.Type,
	}}
}

func (e *exporter) forms(ctx context.Context) error {
	for _, t := range e.world.Twins {
		all, err := every(func(o twinplatform.ListOptions) (twinplatform.Page[forms.Form], error) {
			return e.Forms.Forms(ctx, forms.FormQuery{ListOptions: o, TwinID: t.ID})
		}, func(f forms.Form, wire []byte) (n Form, err error) {
			err = json.Unmarshal(wire, &n)
			n.TwinID = f.TwinID
			return n, err
		})
		if err != nil {
			return err
		}
		e.world.Forms = append(e.world.Forms, all...)
	}
	return nil
}

func (e *exporter) realityData(ctx context.Context) (err error) {
	e.world.RealityData, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[realitydata.RealityData], error) {
		return e.RealityData.List(ctx, realitydata.Query{ListOptions: o})
	}, func(d realitydata.RealityData, wire []byte) (n RealityData, err error) {
		err = json.Unmarshal(wire, &n)
		n.TwinIDs, n.AccountID = d.TwinIDs, d.AccountID
		return n, err
	})
	return err
}

func (e *exporter) detectors(ctx context.Context) (err error) {
	e.world.Detectors, err = every(func(o twinplatform.ListOptions) (twinplatform.Page[realitydata.Detector], error) {
		return e.RealityData.Detectors(ctx, realitydata.DetectorQuery{ListOptions: o})
	}, func(listed realitydata.Detector, wire []byte) (n Detector, err error) {
		rec, err := e.RealityData.Detector(insider(ctx, listed.AccountID), listed.Name)
		if err != nil {
			return n, err
		}
		err = json.Unmarshal(wire, &n)
		d := rec.Value
		n.OwnerID, n.AccountID = d.OwnerID, d.AccountID
		for _, v := range d.Versions {
			n.Versions = append(n.Versions, DetectorVersion{
				NewDetectorVersion: realitydata.NewDetectorVersion{VersionNumber: v.VersionNumber, Capabilities: v.Capabilities},
				Published:          v.Published, Status: v.Status, CreationDate: v.CreationDate, CreatorID: v.CreatorID,
			})
		}
		return n, err
	})
	return err
}
