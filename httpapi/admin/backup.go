package admin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// backup sends everything in the store. A client that gets it whole knows it by the end
// of the answer, and by the checksums in it: storage.Restore takes no other.
func (a *admin) backup(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition",
		`attachment; filename="twinplatform-`+began.UTC().Format("20060102T150405Z")+`.backup"`)
	w.Header().Set("Cache-Control", "no-store")
	if err := storage.Backup(r.Context(), a.Store, w); err != nil {
		a.Log.ErrorContext(r.Context(), "backup failed", "error", err)
		panic(http.ErrAbortHandler) // so that part of it is not taken for all
	}
	a.Log.InfoContext(r.Context(), "backed up", "took", time.Since(began))
}

// restore replaces everything in the store, and says what is to be known.
func (a *admin) restore(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	err := platform.Restore(r.Context(), a.Store, r.Body)
	if _, later := errors.AsType[*platform.FormatError](err); later || errors.Is(err, storage.ErrBadBackup) {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err == nil && a.Restored != nil {
		// The client may be gone: what follows belongs to what has been done.
		err = a.Restored(context.WithoutCancel(r.Context()))
	}
	if err != nil {
		a.Log.ErrorContext(r.Context(), "restoring failed", "error", err)
		http.Error(w, "restoring failed; the server's log has the reason", http.StatusInternalServerError)
		return
	}
	a.Log.WarnContext(r.Context(), "restored: clients have to list again", "took", time.Since(began))
	fmt.Fprintln(w, "restored: clients are asked to list again")
}
