package transform

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// An id is unique within the account of its project: no account learns from a refusal
// which ids another has, or takes ids away from it. The id of a record holds the
// account therefore. Records from before have ids that are unique over all accounts,
// and no account in them.

// key is the id of the record of what an account calls id.
func key(accountID, id string) string {
	if accountID == "" {
		return id
	}
	return records.Join(accountID, id)
}

// calledIndex finds what every account calls by an id.
const calledIndex = "called"

// called is what a record is found by in calledIndex; those from before are found by
// their id.
func called(accountID, id string) string {
	if accountID == "" {
		return ""
	}
	return id
}

// valueOr is a record, or nil where there is none.
func valueOr[T any](tx records.Reading, c *records.Collection[T], recordID string) (*T, error) {
	v, err := c.Value(tx, area, recordID)
	if errors.Is(err, records.ErrNotFound) {
		return nil, nil
	}
	return v, err
}

// among returns, of all that is called by an id, what the caller means: what it sees of
// its own account, else the only one that it sees. accountOf tells the account of one,
// sees whether the caller sees it.
func among[T any](c sight, of *records.Collection[T], id string, accountOf func(*T) (string, error), sees func(*T) (bool, error)) (found *T, err error) {
	var all []*T
	old, err := valueOr(c.tx, of, id)
	if err != nil {
		return nil, err
	}
	if old != nil {
		all = append(all, old)
	}
	for v, err := range of.Find(c.tx, area, calledIndex, id) {
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	p, principal := c.Caller()
	several := false
	for _, v := range all {
		accountID, err := accountOf(v)
		if err != nil {
			return nil, err
		}
		seen, err := sees(v)
		if err != nil {
			return nil, err
		}
		switch {
		case !seen:
		case principal && accountID == p.AccountID && accountID != "":
			return v, nil
		case found != nil:
			several = true
		default:
			found = v
		}
	}
	if several {
		return nil, errAmbiguous
	}
	return found, nil
}

var errAmbiguous = &twinplatform.Error{
	Kind: twinplatform.Conflict, Code: "AmbiguousId",
	Message: "Several accounts use this id. Ask as a principal of one of them.",
}

// accountOfTwin is the account of a project.
func (c sight) accountOfTwin(twinID string) (string, error) {
	target, _, err := c.Twin(twinID)
	return target.AccountID, err
}

// model returns the registered model that the caller means by an id, or ModelNotFound
// when it sees none. sees reports whether it sees one.
func (c sight) model(id string, sees func(*Model) (bool, error)) (*Model, error) {
	m, err := among(c, &modelRecords, id, func(m *Model) (string, error) { return c.accountOfTwin(m.TwinID) }, sees)
	if err == nil && m == nil {
		err = noModel("modelId").Err()
	}
	return m, err
}

// readableModel is model by the permission to read.
func (c sight) readableModel(id string) (*Model, error) {
	return c.model(id, func(m *Model) (bool, error) { return c.readable(m.TwinID) })
}

// modelOf returns the registered model of a project that has an id, or nil.
func (c sight) modelOf(project twinplatform.Target, id string) (*Model, error) {
	for _, recordID := range []string{key(project.AccountID, id), id} {
		m, err := valueOr(c.tx, &modelRecords, recordID)
		if err != nil || m != nil && m.TwinID == project.TwinID {
			return m, err
		}
	}
	return nil, nil
}

type modelCalled string

// lookupModel returns the model of a project that has an id, or nil, whoever knows it.
func (c sight) lookupModel(project twinplatform.Target, id string) (*Model, error) {
	if c.s.models == nil {
		return c.modelOf(project, id)
	}
	m, err := c.foreignModel(id)
	if err != nil || m == nil || m.TwinID != project.TwinID {
		return nil, err
	}
	return m, nil
}

func (c sight) foreignModel(id string) (*Model, error) {
	return judge.Ask(c.Judge, c.s.models, modelCalled(id), func(ctx context.Context) (*Model, error) {
		m, ok, err := c.s.models.LookupModel(ctx, id)
		if !ok || err != nil {
			return nil, err
		}
		return &m, nil
	})
}

type viewCalled string

// lookupView returns the saved view of a model that has an id, or nil, whoever knows
// it.
func (c sight) lookupView(accountID string, m *Model, id string) (*SavedView, error) {
	if c.s.models != nil {
		v, err := judge.Ask(c.Judge, c.s.models, viewCalled(id), func(ctx context.Context) (*SavedView, error) {
			v, ok, err := c.s.models.LookupSavedView(ctx, id)
			if !ok || err != nil {
				return nil, err
			}
			return &v, nil
		})
		if err != nil || v == nil || v.ModelID != m.ID {
			return nil, err
		}
		return v, nil
	}
	for _, recordID := range []string{key(accountID, id), id} {
		v, err := valueOr(c.tx, &savedViewRecords, recordID)
		if err != nil || v != nil && v.modelKey() == m.key() {
			return v, err
		}
	}
	return nil, nil
}

// modelIsFree fails where a project's account has a model with the id.
func (c sight) modelIsFree(project twinplatform.Target, id string) error {
	for _, recordID := range []string{key(project.AccountID, id), id} {
		m, err := valueOr(c.tx, &modelRecords, recordID)
		if err != nil || m == nil {
			if err != nil {
				return err
			}
			continue
		}
		accountID, err := c.accountOfTwin(m.TwinID)
		if err != nil {
			return err
		}
		if accountID == project.AccountID {
			return errModelExists
		}
	}
	return nil
}

// viewIsFree fails where an account has a saved view with the id.
func (c sight) viewIsFree(accountID, id string) error {
	for _, recordID := range []string{key(accountID, id), id} {
		v, err := valueOr(c.tx, &savedViewRecords, recordID)
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		other, err := c.accountOfView(v)
		if err != nil {
			return err
		}
		if other == accountID {
			return errViewExists
		}
	}
	return nil
}

// accountOfView is the account of a saved view.
func (c sight) accountOfView(v *SavedView) (string, error) {
	if v.AccountID != "" {
		return v.AccountID, nil
	}
	m, err := valueOr(c.tx, &modelRecords, v.modelKey())
	if err != nil || m == nil {
		return "", err
	}
	return c.accountOfTwin(m.TwinID)
}

var (
	errModelExists = &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "ModelExists", Target: "id", Message: "A model with this id exists already.",
	}
	errViewExists = &twinplatform.Error{
		Kind: twinplatform.Conflict, Code: "SavedViewExists", Target: "id", Message: "A saved view with this id exists already.",
	}
)
