package statuses

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// statusLook looks for what the history of resources has of statuses that are to be
// deleted, as far as a step reaches, and until as many are found as a refusal names. It
// says where it came to.
type statusLook struct {
	tx    records.Reading
	scope records.Scope
	step  *records.Step
	by    problem.Uses
	full  bool // more were found than a refusal names
}

// unusedStatus refuses to delete what has statuses of which the history of resources has
// records. look goes through the statuses that would be deleted.
func unusedStatus(
	missing *problem.Absent, look func(l *statusLook, id, at string) (last string, whole bool, err error),
) func(tx records.Reading, s records.Scope, id, at string, step *records.Step) (last string, whole bool, err error) {
	return func(tx records.Reading, s records.Scope, id, at string, step *records.Step) (last string, whole bool,
		err error,
	) {
		l := statusLook{tx: tx, scope: s, step: step}
		if last, whole, err = look(&l, id, at); err == nil {
			err = l.by.Refuse(problem.Conflict("ResourceStatusItemInUse", missing.Target,
				"The history of resources has statuses that would be deleted. Delete its records of them first."))
		}
		return last, whole, err
	}
}

// ofItem looks at one status item, in one go.
func (l *statusLook) ofItem(id, _ string) (last string, whole bool, err error) {
	for historyID := range historyRecords.IDs(l.tx, l.scope, "item", id) {
		h, err := historyRecords.Value(l.tx, l.scope, historyID)
		if err != nil {
			return "", false, err
		}
		if !l.by.Name(h.ID, "The resource '"+h.ResourceID+"' had the status '"+id+"'.") {
			l.full = true
			break
		}
	}
	return "", true, nil
}

// ofSet looks at the items of a set that come after one.
func (l *statusLook) ofSet(id, at string) (last string, whole bool, err error) {
	for item := range statusItemRecords.IDsFrom(l.tx, l.scope, "set", id, at) {
		if more, err := l.step.Next(0); !more || err != nil {
			return at, false, err
		}
		if _, _, err := l.ofItem(item, ""); err != nil || l.full {
			return "", l.full, err
		}
		at = item
	}
	return "", true, nil
}

// ofCategory looks at the items of the sets of a category. A place in it is the set and,
// behind a slash, the item that it came to.
func (l *statusLook) ofCategory(id, at string) (last string, whole bool, err error) {
	set, item, within := strings.Cut(at, "/")
	if within {
		if item, whole, err = l.ofSet(set, item); !whole || l.full || err != nil {
			return set + "/" + item, l.full, err
		}
	}
	for next := range statusSetRecords.IDsFrom(l.tx, l.scope, "category", id, set) {
		if more, err := l.step.Next(0); !more || err != nil {
			return set, false, err
		}
		if item, whole, err = l.ofSet(next, ""); !whole || l.full || err != nil {
			return next + "/" + item, l.full, err
		}
		set = next
	}
	return "", true, nil
}
