package realitydata

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// AccessType is how an address is used.
type AccessType string

// BlobURL addresses carry the right to use them.
const BlobURL AccessType = "AzureBlobSasUrl"

// AccessRight is what may be done at an address.
type AccessRight string

// The rights of addresses.
const (
	ReadRight  AccessRight = "Read"
	WriteRight AccessRight = "Write" // and read
)

// Access is an address of the bytes of reality data.
type Access struct {
	// Type is BlobURL: the address carries the right to use it.
	Type   AccessType
	Access AccessRight
	// URL is the address of the container. A client adds the path of a file to
	// the path of the address.
	URL string
}

// ReadAccess returns an address at which the bytes of reality data can be read. The
// caller must see the data, through twinID where that is given; the address is a secret. It is
// also given where the store takes no writes: LastAccessedDateTime stays as it was then.
//
// Errors: RealityDataNotFound; InsufficientPermissions for a caller who holds
// neither PermissionUse nor PermissionManage.
func (s *Service) ReadAccess(ctx context.Context, id, twinID string) (Access, error) {
	return s.access(ctx, id, twinID, false)
}

// WriteAccess returns an address at which the bytes of reality data can be read
// and written. It needs PermissionManage on one of their twins, or to own them.
//
// Errors: RealityDataNotFound; InsufficientPermissions; RealityDataComplete once
// authoring was set to false.
func (s *Service) WriteAccess(ctx context.Context, id, twinID string) (Access, error) {
	return s.access(ctx, id, twinID, true)
}

func (s *Service) access(ctx context.Context, id, twinID string, write bool) (Access, error) {
	accessible := func(c caller) (*RealityData, error) {
		rec, err := c.visible(id, twinID)
		if err != nil {
			return nil, err
		}
		return &rec.Value, c.mayAccess(&rec.Value, twinID, write)
	}
	err := s.update(ctx, func(u *records.Update, c caller) error {
		data, err := accessible(c)
		if err != nil {
			return err
		}
		_, err = c.put(u, data, "", func(d *RealityData) error {
			d.LastAccessedDateTime = s.now()
			return nil
		})
		return err
	})
	if takesNoNote(err) {
		_, err = read(ctx, s, accessible)
	}
	if err != nil {
		return Access{}, err
	}
	a := Access{Type: BlobURL, Access: ReadRight}
	if write {
		a.Access = WriteRight
	}
	if a.URL, err = s.containers.ContainerURL(ctx, id, write); err != nil {
		return Access{}, err
	}
	return a, nil
}

// takesNoNote reports whether an access was refused for no other reason than that it is noted:
// the store takes no writes, or has no room. Where it cannot be read either, reading says so.
func takesNoNote(err error) bool {
	if err == nil {
		return false
	}
	switch e := twinplatform.AsError(err); e.Code {
	case "AccountStorageFull", "StorageFull":
		return true
	default:
		return e.Kind == twinplatform.Unavailable
	}
}

// ContainerRight fails unless the caller may read, or write, the bytes of a container at
// this moment, and returns the account that they belong to. A caller that serves the
// addresses of containers asks it for each request, for the principal that the address
// was given to: an address is no better than the right behind it. The caller is judged as
// Env.Principals knows it at present.
//
// Errors: RealityDataNotFound, also for a container that is none, and for a caller who
// may not call any more;
// InsufficientPermissions; RealityDataComplete for writing what is complete.
func (s *Service) ContainerRight(ctx context.Context, containerID string, write bool) (accountID string, err error) {
	if p, named := twinplatform.PrincipalFrom(ctx); named {
		now, ok, err := s.env.Present(ctx, p)
		if err != nil || !ok {
			return "", dataKind.Missing.Unless(false, err)
		}
		ctx = twinplatform.WithPrincipal(ctx, now)
	}
	return read(ctx, s, func(c caller) (string, error) {
		if strings.HasPrefix(containerID, versionPrefix) {
			return c.versionRight(containerID, write)
		}
		rec, err := c.visible(containerID, "")
		if err != nil {
			return "", err
		}
		return rec.Value.AccountID, c.mayAccess(&rec.Value, "", write)
	})
}

// ContainerAccount returns the account that the bytes of a container belong to,
// and whether there is something that has them. It asks for no permission.
func (s *Service) ContainerAccount(ctx context.Context, containerID string) (accountID string, ok bool, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		accountID, ok = "", false
		if strings.HasPrefix(containerID, versionPrefix) {
			d, version, err := detectorOf(v, containerID)
			if version != nil {
				accountID, ok = d.AccountID, true
			}
			return err
		}
		d, err := dataRecords.Lookup(v, allAccounts, containerID)
		if d != nil {
			accountID, ok = d.AccountID, true
		}
		return err
	})
	return accountID, ok, err
}
