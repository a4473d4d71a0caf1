package transform

import (
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// uses reports what configurations name of the registry.
type uses struct{ s *Service }

var _ area.Uses = uses{}

var (
	errModelInUse = problem.Conflict("ModelInUse", "modelId",
		"A transformation configuration names the model. Delete that first.")
	errSavedViewInUse = problem.Conflict("SavedViewInUse", "savedViewId",
		"A transformation configuration filters by the saved view. Delete that first.")
)

// NeedsOfModel implements area.Uses.
func (uses) NeedsOfModel(modelKey string) []records.Need {
	return append(configurationRecords.NeedsIndexed(area.AllAccounts, "sourceModel", modelKey),
		configurationRecords.NeedsIndexed(area.AllAccounts, "targetModel", modelKey)...)
}

// ModelUnused implements area.Uses.
func (uses) ModelUnused(tx records.Reading, modelKey string) error {
	for _, index := range []string{"sourceModel", "targetModel"} {
		for range configurationRecords.IDs(tx, area.AllAccounts, index, modelKey) {
			return errModelInUse
		}
	}
	return nil
}

// ViewUnused implements area.Uses.
func (of uses) ViewUnused(j *judge.Judge, tx records.Reading, modelKey, savedViewID string) error {
	c := of.s.callerOf(j, tx)
	var by problem.Uses
	for conf, err := range configurationRecords.Find(tx, area.AllAccounts, "sourceModel", modelKey) {
		if err == nil {
			err = records.Interrupted(tx)
		}
		if err != nil {
			return err
		}
		r := &conf.References
		if r.SavedViewID != savedViewID {
			continue
		}
		switch seen, err := c.seesTarget(conf.AccountID, r.TargetProjectID, r.TargetModelID); {
		case err != nil:
			return err
		case !seen:
			by.Unseen = "Configurations that the caller may not see filter by it."
		case !by.Name(conf.ID, "The configuration '"+conf.TransformName+"' filters by it."):
			return by.Refuse(errSavedViewInUse)
		}
	}
	return by.Refuse(errSavedViewInUse)
}
