package objectstore

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"

	"github.com/seed-933f9a09/twinplatform"
)

// errUnavailable is what callers get when the object store fails.
var errUnavailable = &twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: "StorageUnavailable",
	Message: "The bytes of reality data are not served at present.", RetryAfter: time.Second,
}

// Codes by which object stores say what is wrong with the name of a file.
var (
	inTheWay = []string{
		"XMinioParentIsObject", "XMinioObjectExistsAsDirectory", "ObjectParentIsFile",
		"ExistingObjectIsDirectory", "ObjectExistsAsDirectory",
	}
	badName = []string{"KeyTooLongError", "XMinioInvalidObjectName", "InvalidObjectName"}
)

// failure gives an error of the object store its place among those of a
// filestore.Backend.
func (b *Bucket) failure(err error) error {
	if err == nil {
		return nil
	}
	if isMissing(err) {
		return fs.ErrNotExist
	}
	if res, ok := errors.AsType[minio.ErrorResponse](err); ok {
		switch {
		case slices.Contains(inTheWay, res.Code):
			return fs.ErrExist
		case slices.Contains(badName, res.Code), tooLong(res):
			return fs.ErrInvalid
		case res.StatusCode == http.StatusBadRequest && res.Code == "InvalidRequest" && namesAFolder(res.Message):
			return fs.ErrExist
		case res.StatusCode == http.StatusBadRequest && slices.Contains(permanent, res.Code):
			return fs.ErrInvalid
		}
	}
	return errUnavailable.Because(errors.New(b.cause(err)))
}

// permanent are codes of a 400 that the same request gets again, whenever it is sent.
var permanent = []string{"InvalidRequest", "InvalidArgument", "InvalidURI"}

// namesAFolder is whether a server over folders says that a file is where a folder would be, or a folder where the
// file would be: rclone has no code of its own for that.
func namesAFolder(message string) bool {
	return strings.Contains(strings.ToLower(message), "directory")
}

// tooLong is whether a server over folders fails since its file system takes no name of such a length.
func tooLong(res minio.ErrorResponse) bool {
	return strings.Contains(res.Message, "file name too long")
}

// isMissing is whether an object is not there, rather than all of the bucket.
func isMissing(err error) bool {
	res, ok := errors.AsType[minio.ErrorResponse](err)
	return ok && (res.Code == minio.NoSuchKey ||
		res.StatusCode == http.StatusNotFound && res.Code != minio.NoSuchBucket && res.Code != minio.NoSuchUpload)
}

// cause is a failure for the log: what the object store calls it, or what is the matter
// with the network, without addresses, which carry signatures, and without secrets.
func (b *Bucket) cause(err error) string {
	if res, ok := errors.AsType[minio.ErrorResponse](err); ok && res.Code != "" {
		return b.redacted(fmt.Sprintf("the object store answers %d %.100s, request %.100s", res.StatusCode, res.Code,
			res.RequestID))
	}
	for {
		at, ok := errors.AsType[*url.Error](err)
		if !ok {
			return b.redacted(err.Error())
		}
		err = at.Err
	}
}

// redacted is a text without the credentials.
func (b *Bucket) redacted(text string) string {
	c, err := b.cfg.Credentials.GetWithContext(b.core.CredContext())
	if err != nil {
		return text
	}
	for _, secret := range []string{c.SecretAccessKey, c.SessionToken, c.AccessKeyID} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}
