package filestore

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

var (
	errAddress = &twinplatform.Error{
		Kind: twinplatform.Forbidden, Code: "AddressNotValid",
		Message: "The address does not permit this, or has expired. Ask for a new one.",
	}
	errNoFile = problem.NotFound("FileNotFound", "", "file")
	errName   = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidFileName",
		Message: "A file cannot have this name: it is reserved, or too long. Names have at most 1,024 bytes and 32 " +
			"folders.",
	}
	errUncleanName = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidFileName",
		Message: "The name of a file is UTF-8, and no part of it between slashes is empty, \".\" or \"..\".",
	}
	errFolderName = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "InvalidFileName",
		Message: "A name that ends in a slash is that of a folder, which has no bytes.",
	}
	errInTheWay      = problem.Conflict("FileConflict", "", "Another file or a folder is in the way.")
	errFileThere     = problem.Conflict("FileAlreadyExists", "", "A file with this name is there already.")
	errContainerFull = problem.Conflict("ContainerFull", "", "The reality data would be larger than is allowed.")
	errAccountFull   = problem.Conflict("AccountStorageFull", "", "The account would have more bytes than is allowed.")
	errDiskFull      = &twinplatform.Error{
		Kind: twinplatform.Unavailable, Code: "StorageFull", Message: "The platform takes no more bytes at present.",
		RetryAfter: time.Minute,
	}
	errNotServed = &twinplatform.Error{
		Kind: twinplatform.Unavailable, Code: "StorageUnavailable",
		Message: "The bytes of reality data are not served at present.", RetryAfter: time.Second,
	}
	errBusy = &twinplatform.Error{
		Kind: twinplatform.RateLimited, Code: "RateLimitExceeded",
		Message: "The client sends or reads too many files at once.", RetryAfter: time.Second,
	}
	errBroken = &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "InvalidRequestBody", Message: "The file could not be read to its end.",
	}
)

// refusal is a failure that only HTTP has, and so no kind stands for.
type refusal struct {
	status int
	error
}

func (f refusal) Unwrap() error { return f.error }

var (
	errTooLarge = refusal{http.StatusRequestEntityTooLarge, &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "RequestTooLarge", Message: "The file is larger than is allowed.",
	}}
	errSlow = refusal{http.StatusRequestTimeout, &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "RequestTimeout", Message: "The client sent the file too slowly.",
	}}
	errMethod = refusal{http.StatusMethodNotAllowed, &twinplatform.Error{
		Kind: twinplatform.Invalid, Code: "MethodNotAllowed",
		Message: "A file is read with GET or HEAD, written with PUT and removed with DELETE.",
	}}
)

// asRefusal gives what a backend says its place among the platform's errors.
func asRefusal(err error) error {
	if _, ok := errors.AsType[*twinplatform.Error](err); ok || err == nil {
		return err
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errSlow
	case errors.Is(err, syscall.ENOSPC):
		return errDiskFull.Because(err)
	case errors.Is(err, fs.ErrNotExist):
		return errNoFile.Err()
	case errors.Is(err, fs.ErrInvalid):
		return errName
	case errors.Is(err, fs.ErrExist):
		return errInTheWay
	}
	return err
}

// fail answers a failure with the documented body, or that of the blob protocol.
func (s *Store) fail(w http.ResponseWriter, r *http.Request, err error) {
	err = asRefusal(err)
	e := twinplatform.AsError(err)
	code := httperror.Status(e.Kind)
	header := w.Header()
	if f, ok := errors.AsType[refusal](err); ok {
		code = f.status
	}
	switch {
	case code == http.StatusMethodNotAllowed:
		header.Set("Allow", "DELETE, GET, HEAD, PUT")
	case code == http.StatusRequestTimeout:
		header.Set("Connection", "close")
	case e.RetryAfter > 0:
		httperror.SetRetryAfter(header, e.RetryAfter)
	}
	if code >= http.StatusInternalServerError && r.Context().Err() == nil {
		s.cfg.Logger.ErrorContext(r.Context(), "serving a file failed", "status", code, "cause",
			twinplatform.Cause(err))
	}
	if speaksBlob(r) {
		failBlob(w, r, e, code)
		return
	}
	header.Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(httperror.Body(e))
}
