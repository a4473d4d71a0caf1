package realitydata

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// versionPrefix begins the ids of the containers of detector versions.
const versionPrefix = "detector-"

// build is the container of a version.
func (d *Detector) container(number string) string {
	return versionPrefix + base64.RawURLEncoding.EncodeToString([]byte(d.key())) + "-" + number
}

// detectorOf returns the detector and the version that a container belongs to, or nil.
func detectorOf(tx records.Reading, containerID string) (*Detector, *DetectorVersion, error) {
	rest := strings.TrimPrefix(containerID, versionPrefix)
	i := strings.LastIndexByte(rest, '-')
	key, err := base64.RawURLEncoding.DecodeString(rest[:max(i, 0)])
	if err != nil || len(key) == 0 {
		return nil, nil, nil
	}
	d, err := detectorRecords.Lookup(tx, allAccounts, string(key))
	if err != nil || d == nil {
		return nil, nil, err
	}
	return d, d.version(rest[i+1:]), nil
}

// versionRight is ContainerRight for the container of a detector version. It is
// written until the version is Ready, and read from then on.
func (c caller) versionRight(containerID string, write bool) (accountID string, err error) {
	d, version, err := detectorOf(c.tx, containerID)
	if err != nil {
		return "", err
	}
	if version == nil || !c.seesDetector(d) {
		return "", versionMissing.Err()
	}
	switch changes := c.mayChange(d); {
	case !changes && !c.memberOf(d) && !version.Published:
		err = versionMissing.Err()
	case write && !changes:
		err = errDetectorOwners
	case write && version.Status == VersionReady:
		err = errVersionReady
	case !changes && version.Status != VersionReady:
		err = versionMissing.Err()
	}
	return d.AccountID, err
}

// errVersionReady refuses to write the bytes of a version that is Ready.
var errVersionReady = problem.Conflict("DetectorVersionReady", "versionNumber",
	"The version is complete. Its data cannot be written any more.")

var versionMissing = problem.NotFound("DetectorVersionNotFound", "versionNumber", "detector version")

// DownloadURL returns an address at which the bytes of a Ready version can be
// read; it is empty where the platform keeps none.
//
// Errors: DetectorNotFound; DetectorVersionNotFound, also for a version that is
// not Ready.
func (s *Service) DownloadURL(ctx context.Context, name, number string) (string, error) {
	rec, err := s.Detector(ctx, name)
	if err != nil {
		return "", err
	}
	if v := rec.Value.version(number); v == nil || v.Status != VersionReady {
		return "", versionMissing.Err()
	}
	return s.versionURL(ctx, rec.Value.container(number), false)
}

// versionURL is the address of a container. A platform that keeps no bytes still keeps
// the books, and has none.
func (s *Service) versionURL(ctx context.Context, container string, write bool) (string, error) {
	u, err := s.containers.ContainerURL(ctx, container, write)
	if errors.Is(err, errNowhere) {
		return "", nil
	}
	return u, err
}
