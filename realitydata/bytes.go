package realitydata

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Access is an address of the bytes of reality data.
type Access struct {
	// Type is AzureBlobSasUrl: the address carries the right to use it.
	Type string
	// Access is Read or Write.
	Access string
	// URL is the address of the container. A client adds the path of a file to
	// the path of the address.
	URL string
}

// ReadAccess returns an address at which the bytes of reality data can be read.
// The caller must see the data, through twinID where that is given; the address
// is not to be told to others.
//
// Errors: RealityDataNotFound; InsufficientPermissions for a caller who holds
// neither PermissionUse nor PermissionManage.
func (s *Service) ReadAccess(ctx context.Context, id, twinID string) (Access, error) {
	return s.access(ctx, id, "Read", func(c sight, d *RealityData) error { return c.readable(d, twinID) }, twinID)
}

// WriteAccess returns an address at which the bytes of reality data can be read
// and written. It needs PermissionManage on one of their twins, or to own them.
//
// Errors: RealityDataNotFound; InsufficientPermissions; RealityDataComplete once
// authoring was set to false.
func (s *Service) WriteAccess(ctx context.Context, id, twinID string) (Access, error) {
	return s.access(ctx, id, "Write", func(c sight, d *RealityData) error { return c.writable(d, twinID) }, twinID)
}

func (s *Service) access(ctx context.Context, id, right string, may func(sight, *RealityData) error, twinID string) (Access, error) {
	now := s.now()
	err := s.update(ctx, func(u *records.Update, c sight) error {
		rec, err := c.visibleAt(u, id, twinID)
		if err != nil {
			return err
		}
		if err := may(c, &rec.Value); err != nil {
			return err
		}
		rec, err = dataRecords.Modify(u, area, id, "", func(d *RealityData) error {
			d.LastAccessedDateTime = now
			return nil
		})
		if err != nil {
			return err
		}
		return copyToTwins(u, &rec.Value, rec.Value.TwinIDs)
	})
	if err != nil {
		return Access{}, err
	}
	a := Access{Type: "AzureBlobSasUrl", Access: right}
	if a.URL, err = s.containers.ContainerURL(ctx, id, right == "Write"); err != nil {
		return Access{}, err
	}
	return a, nil
}

// ContainerRight fails unless the caller may read, or write, the bytes of a
// container as things stand, and returns the account that they belong to. Whoever
// serves the addresses of containers asks it for each request, in the name of whom
// the address was given to: an address is no better than the right behind it.
//
// Errors: RealityDataNotFound, also for a container that is none;
// InsufficientPermissions; RealityDataComplete for writing what is complete.
func (s *Service) ContainerRight(ctx context.Context, containerID string, write bool) (accountID string, err error) {
	if strings.HasPrefix(containerID, buildPrefix) {
		return s.buildRight(ctx, containerID, write)
	}
	err = s.view(ctx, func(v *records.View, c sight) error {
		rec, err := c.visible(v, containerID)
		if err != nil {
			return err
		}
		accountID = rec.Value.AccountID
		if write {
			return c.writable(&rec.Value, "")
		}
		return c.readable(&rec.Value, "")
	})
	return accountID, err
}

// ContainerAccount returns the account that the bytes of a container belong to,
// and whether there is something that has them. It asks for no permission.
func (s *Service) ContainerAccount(ctx context.Context, containerID string) (accountID string, ok bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		accountID, ok, err = containerAccount(v, containerID)
		return err
	})
	return accountID, ok, err
}

func containerAccount(tx records.Reading, containerID string) (accountID string, ok bool, err error) {
	if strings.HasPrefix(containerID, buildPrefix) {
		d, number, err := detectorOf(tx, containerID)
		if err != nil || d == nil || d.version(number) == nil {
			return "", false, err
		}
		return d.AccountID, true, nil
	}
	d, err := dataRecords.Value(tx, area, containerID)
	if errors.Is(err, records.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return d.AccountID, true, nil
}
