package realitydata

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// A name is unique within the account of its detector: no account learns from a
// refusal what another keeps to itself, or takes names away from it. Published
// detectors are visible to all, and their names are unique among them.

// key is the id of a detector's record. Keys sort by name; no name has the control
// character.
func (d *Detector) key() string { return detectorKey(d.Name, d.AccountID) }

func detectorKey(name, accountID string) string { return name + "\x00" + accountID }

// visibleDetector returns the detector that the caller means by a name: that of its
// own account, else the published one; the system means the one of no account, else the
// only one.
func (c caller) visibleDetector(name string) (*Detector, error) {
	if strings.Contains(name, "\x00") {
		return nil, detectorKind.Missing.Err()
	}
	p, principal := c.Caller()
	index := "name"
	if principal {
		index = "published"
		own, err := detectorRecords.Lookup(c.tx, inAccount(p.AccountID), detectorKey(name, p.AccountID))
		if err != nil || own != nil && c.memberOf(own) {
			return own, err
		}
	}
	found, err := detectorsCalled(c.tx, index, name)
	if err != nil {
		return nil, err
	}
	var seen []*Detector
	for _, d := range found {
		switch {
		case principal && c.memberOf(d), !principal && d.AccountID == "":
			return d, nil
		case c.seesDetector(d):
			seen = append(seen, d)
		}
	}
	if len(seen) > 1 {
		return nil, errAmbiguous
	}
	if len(seen) == 0 {
		return nil, detectorKind.Missing.Err()
	}
	return seen[0], nil
}

// detectorsCalled returns the detectors with a name in an index.
func detectorsCalled(tx records.Reading, index, name string) (found []*Detector, err error) {
	for d, err := range detectorRecords.Find(tx, allAccounts, index, name) {
		if err != nil {
			return nil, err
		}
		found = append(found, d)
	}
	return found, nil
}

// nameIsFree fails where the account has a detector with the name of another, or
// where one with this name is published.
func nameIsFree(tx records.Reading, d *Detector) error {
	has, err := detectorRecords.Has(tx, inAccount(d.AccountID), detectorKey(d.Name, d.AccountID))
	if err != nil {
		return err
	}
	if has {
		return errDetectorExists
	}
	found, err := detectorsCalled(tx, "published", d.Name)
	if err != nil {
		return err
	}
	for _, other := range found {
		if other.AccountID == d.AccountID || other.published() {
			return errDetectorExists
		}
	}
	return nil
}

// publishable fails where another account has published a detector with this name.
func (d *Detector) publishable(tx records.Reading) error {
	found, err := detectorsCalled(tx, "published", d.Name)
	if err != nil {
		return err
	}
	for _, other := range found {
		if other.key() != d.key() && other.published() {
			return errNamePublished
		}
	}
	return nil
}

var (
	errDetectorExists = problem.Conflict("DetectorExists", "detector.name", "A detector with this name exists already.")
	errNamePublished  = problem.Conflict("DetectorExists", "detectorName",
		"Another account has published a detector with this name.")
	errAmbiguous = problem.Conflict("AmbiguousId", "detectorName",
		"Several accounts have a detector with this name. Ask as a principal of one of them.")
)
