package twins

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// renewal is what the journal keeps of giving the members, the groups and the invitations that show
// a role a new version: they are no longer what they were.
type renewal struct {
	TwinID string `json:"twinId"`
	RoleID string `json:"roleId"`
	// After is the record up to which all are renewed, of the members, or of the
	// invitations when those are renewed.
	After       string `json:"after"`
	Invitations bool   `json:"invitations"`
	Groups      bool   `json:"groups,omitempty"` // groups are renewed, which come last
}

// renewHolders does one step of a renewal.
func renewHolders(u *records.Update, w *jobs.Work[renewal, Role]) (jobs.Progress, error) {
	step, r := records.NewStep(u), &w.Payload
	t, err := found(twinRecords.Value(u, allAccounts, r.TwinID))
	if t == nil || err != nil {
		return jobs.Done, err
	}
	if !r.Invitations {
		whole, err := renew(u, t.scope(), step, &memberRecords, r,
			func(m *Member) ([]string, *int) { return m.RoleIDs, &m.renewed })
		if !whole || err != nil {
			return jobs.Progress{}, err
		}
		r.Invitations, r.After = true, ""
	}
	if !r.Groups {
		whole, err := renew(u, t.scope(), step, &invitationRecords, r,
			func(i *Invitation) ([]string, *int) { return i.RoleIDs, &i.renewed })
		if !whole || err != nil {
			return jobs.Progress{Percent: 50}, err
		}
		r.Groups, r.After = true, ""
	}
	whole, err := renew(u, t.scope(), step, &groupMemberRecords, r,
		func(m *GroupMember) ([]string, *int) { return m.RoleIDs, &m.renewed })
	if !whole || err != nil {
		return jobs.Progress{Percent: 75}, err
	}
	return jobs.Done, nil
}

// renew writes those records of a twin again that show a role, and reports whether the
// step had room for all. shows says which roles a record shows, and how often it was
// renewed.
func renew[T any](u *records.Update, in records.Scope, step *records.Step, of *records.Collection[T], r *renewal,
	shows func(*T) (roleIDs []string, renewed *int),
) (whole bool, err error) {
	for _, id := range slices.Collect(of.IDsFrom(u, allAccounts, indexTwin, r.TwinID, r.After)) {
		if more, err := step.Next(0); !more || err != nil {
			return false, err
		}
		_, err := of.Modify(u, in, id, "", func(v *T) error {
			if roleIDs, renewed := shows(v); slices.Contains(roleIDs, r.RoleID) {
				*renewed++
			}
			return nil
		})
		if err != nil {
			return false, err
		}
		r.After = id
	}
	return true, nil
}
