package realitydata

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// removal is a container whose record is deleted and whose bytes are still to be
// removed. It is recorded in the transaction that deletes the record, so that no
// bytes outlive their record by more than a crash.
type removal struct {
	ContainerID string `json:"containerId"`
}

var removals = records.Collection[removal]{
	Name: "removals", Unversioned: true,
	ID: func(r *removal) string { return r.ContainerID },
}

// removeLater records that the bytes of a container are to be removed.
func (s *Service) removeLater(u *records.Update, containerID string) error {
	if s.containers == (nowhere{}) {
		return nil
	}
	_, err := removals.Put(u, allAccounts, &removal{containerID})
	return err
}

// notPending fails with errPending while bytes of a container that was deleted are
// there.
func notPending(tx records.Reading, containerID string) error {
	is, err := removals.Has(tx, allAccounts, containerID)
	if err == nil && is {
		err = errPending
	}
	return err
}

// errPending reports that a record cannot be made yet, because its container still has
// the bytes of one that was deleted.
var errPending = errors.New("realitydata: the container still has bytes of what was deleted")

// removed removes the bytes because of which a change has failed with errPending, and reports
// whether the change is to be made again. Any other failure stays what it is.
func (s *Service) removed(ctx context.Context, containerID string, failure error) (again bool, err error) {
	if !errors.Is(failure, errPending) {
		return false, failure
	}
	err = s.remove(ctx, containerID)
	return err == nil, err
}

// deleting runs fn, which deletes records and returns their containers, in a
// transaction, and removes the bytes afterwards.
func (s *Service) deleting(ctx context.Context,
	fn func(*records.Update, caller) (containers []string, err error),
) error {
	var containers []string
	err := s.update(ctx, func(u *records.Update, c caller) (err error) {
		containers, err = fn(u, c)
		for _, id := range containers {
			if err == nil {
				err = s.removeLater(u, id)
			}
		}
		return err
	})
	if err == nil {
		s.removeNow(ctx, containers...)
	}
	return err
}

// removeNow removes the bytes of containers whose records are deleted. What cannot be
// removed now is removed by FinishRemovals.
func (s *Service) removeNow(ctx context.Context, containerIDs ...string) {
	ctx = context.WithoutCancel(ctx)
	for _, id := range containerIDs {
		if err := s.remove(ctx, id); err != nil {
			s.env.Logger.WarnContext(ctx, "bytes of deleted reality data could not be removed", "container", id,
				"error", err)
		}
	}
}

// remove removes the bytes of one container if that is still pending: a container that
// is in use again is left alone.
func (s *Service) remove(ctx context.Context, containerID string) error {
	defer s.removing.lock(containerID)()
	err := s.db.View(ctx, func(v *records.View) error { return notPending(v, containerID) })
	if !errors.Is(err, errPending) {
		return err
	}
	if err := s.containers.RemoveContainer(ctx, containerID); err != nil {
		return err
	}
	return s.db.Update(ctx, func(u *records.Update) error { return removals.Erase(u, allAccounts, containerID) })
}

// FinishRemovals removes the bytes of deleted containers that a crash or a failure
// left. It is called before addresses are served.
func (s *Service) FinishRemovals(ctx context.Context) error {
	ids, err := read(ctx, s, func(c caller) (ids []string, err error) {
		for r, err := range removals.All(c.tx, allAccounts, "") {
			if err != nil {
				return nil, err
			}
			ids = append(ids, r.ContainerID)
		}
		return ids, nil
	})
	for _, id := range ids {
		if err == nil {
			err = s.remove(ctx, id)
		}
	}
	return err
}
