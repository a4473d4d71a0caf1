package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// filesPath is where the bytes of reality data are served, beside the REST API. Those of
// planner files, attachments, images and exports lie in the same folder.
const filesPath = "/files"

// folders opens the store and the folder for the bytes of reality data. Addresses
// of files are relative to the REST API, which makes them follow -base-url or the
// host that a request names.
func (s *server) folders() (store storage.Store, err error) {
	store, dir := storage.Store(memory.New()), s.cfg.Files
	if s.cfg.DB != inMemory {
		if store, err = buntdb.Open(s.cfg.DB, buntdb.Options{Logger: s.log, MemoryBytes: memoryForStore(os.ReadFile)}); err != nil {
			return nil, fmt.Errorf("opening the store %s: %w", s.cfg.DB, repairable(s.cfg.DB, err))
		}
		dir = cmp.Or(dir, s.cfg.DB+".files")
	}
	if c := (filestore.Config{BaseURL: filesPath, Key: s.cfg.FileKey, Logger: s.log}); dir == "" {
		s.files, err = filestore.Temporary(c)
	} else {
		s.files, err = filestore.Open(dir, c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the folder for files: %w", err), store.Close())
	}
	return store, nil
}

// openAll ties the areas over the store, and applies the seed and then what the
// tokens grant. Without a tokens file, who has the demo token may do everything.
func (s *server) openAll(ctx context.Context, demoToken string) error {
	events, err := s.cfg.Vocabulary.Deliveries()
	if err != nil {
		return fmt.Errorf("-vocabulary: %s: %w", s.cfg.VocabularyFile, err)
	}
	store, err := s.folders()
	if err != nil {
		return err
	}
	s.store = store
	env := twinplatform.Env{Now: s.controls.Now, Logger: s.log, Background: s.cfg.Background, Retain: s.cfg.Retain, Bytes: s.files, Principals: &s.who}
	if s.cfg.TestControls {
		env.Gate = s.controls.Gate()
	}
	if s.demo = s.cfg.Callers == nil; s.demo {
		s.cfg.Callers, env.Authorizer = demoCallers(demoToken), everything{}
	}
	if err := s.who.become(s.cfg.Callers); err != nil {
		return errors.Join(err, s.files.Close(), store.Close())
	}
	s.cfg.Webhooks.Applications, s.cfg.Webhooks.Envelope = &s.who, events.Write
	s.Platform, err = platform.New(store, platform.Config{
		Env: env, Twins: twins.Config{InvitationTime: s.cfg.InvitationTime}, RealityData: realitydata.Config{Containers: s.files}, Webhooks: s.cfg.Webhooks,
		Budget: s.cfg.budget(),
	})
	if err != nil {
		return errors.Join(err, s.files.Close(), store.Close())
	}
	if err := s.ClaimFormat(ctx, admin.BuildVersion().Version); err != nil {
		return fmt.Errorf("opening the store %s: %w", s.cfg.DB, err)
	}
	if err := s.Seed(ctx, s.cfg.World, platform.SeedOptions{Owner: s.cfg.Callers[0].Principal}); err != nil {
		return err
	}
	if err := s.importFiles(ctx); err != nil {
		return err
	}
	return s.grant(ctx)
}

// writeExport writes what the store holds, after the seed where there is one, as a
// seed that is for its owner alone: it says who may do what.
func (s *server) writeExport(ctx context.Context, stdout io.Writer) error {
	if s.cfg.DB != inMemory && s.cfg.World == nil {
		if _, err := os.Stat(s.cfg.DB); err != nil { // which opening would make
			return fmt.Errorf("-export: %w", err)
		}
	}
	if err := s.openAll(ctx, demoToken); err != nil {
		return err
	}
	w, err := s.Export(ctx)
	if err != nil {
		return err
	}
	if s.cfg.export == toStdout {
		return w.Write(stdout)
	}
	if err := w.WriteFile(s.cfg.export); err != nil {
		return fmt.Errorf("-export: %w", err)
	}
	return nil
}
