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
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
)

// filesPath is where the bytes of reality data are served, next to the REST API. Those of
// planner files, attachments, images and exports are in the same folder.
const filesPath = "/files"

// folders opens the store and the folder for the bytes of reality data. Addresses
// of files are relative to the REST API, which makes them follow -base-url or the
// host that a request names.
func (s *server) folders(ctx context.Context) (store storage.Store, err error) {
	if s.cfg.shared() {
		return s.shared(ctx)
	}
	store, dir := storage.Store(memory.New()), s.cfg.Files
	if s.cfg.inFile() {
		if store, err = buntdb.Open(s.cfg.DB,
			buntdb.Options{Logger: s.log, MemoryBytes: memoryForStore(os.ReadFile)}); err != nil {
			return nil, fmt.Errorf("opening the store %s: %w", s.cfg.DB, repairable(s.cfg.DB, err))
		}
		dir = cmp.Or(dir, s.cfg.DB+".files")
	}
	if c := (filestore.Config{
		BaseURL: filesPath, Key: s.cfg.FileKey, Origins: s.cfg.Origins,
		Logger: s.log,
	}); dir == "" {
		s.files, err = filestore.Temporary(c)
	} else {
		s.files, err = filestore.Open(dir, c)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the folder for files: %w", err), store.Close())
	}
	return store, nil
}

// shared opens a store that other processes may have open, and the folder that they all see,
// if there is one.
func (s *server) shared(ctx context.Context) (storage.Store, error) {
	store, err := s.cfg.openShared(ctx, s.log)
	if err != nil {
		return nil, fmt.Errorf("opening the store %s: %w", s.cfg.storeName(), err)
	}
	if s.cfg.Files == "" {
		return store, nil
	}
	s.files, err = filestore.OpenShared(s.cfg.Files,
		filestore.Config{BaseURL: filesPath, Key: s.cfg.FileKey, Origins: s.cfg.Origins, Logger: s.log})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the folder for files: %w", err), store.Close())
	}
	return store, nil
}

// closeFolders closes what folders has opened.
func (s *server) closeFolders() error {
	if s.files == nil {
		return s.store.Close()
	}
	return errors.Join(s.files.Close(), s.store.Close())
}

// openAll wires the areas over the store, and applies the seed and then the grants of the
// tokens. Without a tokens file, the bearer of the demo token may do everything.
func (s *server) openAll(ctx context.Context, token string) error {
	events, err := s.cfg.Vocabulary.Deliveries()
	if err != nil {
		return fmt.Errorf("-vocabulary: %s: %w", s.cfg.VocabularyFile, err)
	}
	if s.cfg.shared() && s.cfg.Callers == nil && token != demoToken {
		return errNoTokens
	}
	store, err := s.folders(ctx)
	if err != nil {
		return err
	}
	s.store = store
	env := twinplatform.Env{
		Now: s.controls.Now, Logger: s.log, Background: s.cfg.Background, Lease: s.cfg.Lease,
		Retain: s.cfg.Retain, Principals: &s.who,
	}
	var reality realitydata.Config
	if s.files != nil {
		env.Bytes, reality.Containers = s.files, s.files
	}
	if s.cfg.TestControls {
		env.Gate, env.Elapsed = s.controls.Gate(), s.controls.Elapsed
	}
	if s.demo = s.cfg.Callers == nil; s.demo {
		s.cfg.Callers, env.Authorizer = demoCallers(token), everything{}
	}
	if s.cfg.TokensFile != "" {
		s.who.uses.file = useFile(cmp.Or(s.cfg.TokenUses, tokenFile(s.cfg.TokensFile).uses()))
		s.warnOfOthers(s.cfg.TokensFile)
	}
	if err := s.who.become(s.cfg.Callers); err != nil {
		return errors.Join(err, s.closeFolders())
	}
	s.cfg.Webhooks.Applications, s.cfg.Webhooks.Visitors, s.cfg.Webhooks.Envelope = &s.who, &s.who, events.Write
	if s.cfg.Webhooks.Inbox == nil && s.showsPages() && !s.cfg.shared() {
		s.cfg.Webhooks.Inbox = inbox.New(inbox.Config{Now: s.controls.Now})
	}
	s.Platform, err = platform.New(store, platform.Config{
		Env: env, Twins: twins.Config{InvitationTime: s.cfg.InvitationTime}, RealityData: reality,
		Webhooks: s.cfg.Webhooks,
		Budget:   s.cfg.budget(),
	})
	if err != nil {
		return errors.Join(err, s.closeFolders())
	}
	if err := s.ClaimFormat(ctx, admin.BuildVersion().Version); err != nil {
		return fmt.Errorf("opening the store %s: %w", s.cfg.storeName(), err)
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
	if s.cfg.inFile() && s.cfg.World == nil {
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
