package problem

import "github.com/seed-933f9a09/twinplatform"

// MaxUses is how many of the records that need another one the refusal to delete that names.
const MaxUses = 20

// Uses are the reasons not to delete a record: those that need it.
type Uses struct {
	named []twinplatform.Detail
	more  bool // than are named
	// Unseen reports of those that the caller may not see that there are some; empty
	// where there are none.
	Unseen string
}

// Name adds a record by its id, and reports whether another one would be named, too.
func (u *Uses) Name(id, message string) bool {
	if len(u.named) == MaxUses {
		u.more = true
		return false
	}
	u.named = append(u.named, twinplatform.Detail{Message: message, Target: id})
	return true
}

// Refuse is the refusal with a detail of its code for each record, or nil where there is
// none.
func (u *Uses) Refuse(refusal *twinplatform.Error) error {
	details := u.named
	if u.more {
		details = append(details, twinplatform.Detail{Message: "So do others that are not named here."})
	}
	if u.Unseen != "" {
		details = append(details, twinplatform.Detail{Message: u.Unseen})
	}
	if len(details) == 0 {
		return nil
	}
	for i := range details {
		details[i].Code = refusal.Code
	}
	return With(*refusal, details...)
}
