package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// importTwin is the twin whose plans are those that -import names.
const importTwin = "1b7c2d3e-4f50-4617-8829-3a4b5c6d7e8f"

// importedPlan is a schedule that a planner file was imported into.
type importedPlan struct {
	schedule, file  string
	tasks, warnings int
}

// notInID is what ids have none of.
var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// importFiles makes a schedule of each planner file, or brings it up to the file where an
// earlier start has made it.
func (s *server) importFiles(ctx context.Context) error {
	if len(s.cfg.Imports) == 0 {
		return nil
	}
	world := &platform.World{Twins: []platform.Twin{{ID: importTwin}}}
	known := make(map[string]bool)
	for _, file := range s.cfg.Imports {
		base := filepath.Base(file)
		id := strings.Trim(notInID.ReplaceAllString(strings.ToLower(base), "-"), "-")
		if id == "" || known[id] {
			id = strings.Trim(fmt.Sprint(id, "-", len(known)+1), "-")
		}
		known[id] = true
		world.Schedules = append(world.Schedules, platform.Schedule{NewSchedule: schedules.NewSchedule{ID: id, Name: base, TwinID: importTwin}})
		s.plans = append(s.plans, importedPlan{schedule: id, file: file})
	}
	if err := s.dryRun(ctx); err != nil {
		return err
	}
	if err := s.Seed(ctx, world, platform.SeedOptions{Owner: s.cfg.Callers[0].Principal}); err != nil {
		return fmt.Errorf("-import: %w", err)
	}
	if s.cfg.Background { // someone has to do the work that follows
		working, stop := context.WithCancel(ctx)
		var work sync.WaitGroup
		work.Go(func() {
			if err := s.Schedules.Run(working); err != nil {
				s.log.ErrorContext(ctx, "imports failed", "error", err)
			}
		})
		defer work.Wait()
		defer stop()
	}
	for i := range s.plans {
		if err := importFile(ctx, s.Schedules, &s.plans[i]); err != nil {
			return fmt.Errorf("-import: %s: %w", s.plans[i].file, err)
		}
	}
	return nil
}

// dryRun imports all files into a scratch store first, so that nothing of a refused file
// remains, even after a crash.
func (s *server) dryRun(ctx context.Context) error {
	for _, p := range s.plans {
		if err := dryRunFile(ctx, p); err != nil {
			return fmt.Errorf("-import: %s: %w", p.file, err)
		}
	}
	return nil
}

func dryRunFile(ctx context.Context, p importedPlan) (err error) {
	store := memory.New()
	defer func() { err = errors.Join(err, store.Close()) }()
	svc := schedules.New(store, schedules.Config{})
	if _, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: p.schedule, Name: p.schedule, TwinID: importTwin}); err != nil {
		return err
	}
	return importFile(ctx, svc, &p)
}

// importFile uploads a file and imports it, as a client would over HTTP. A file that is
// refused is deleted again.
func importFile(ctx context.Context, svc *schedules.Service, p *importedPlan) (err error) {
	file, err := os.Open(p.file)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	plan := svc.In(p.schedule)
	uploaded, err := files.In(plan).CreateFile(ctx, files.NewFile{Length: info.Size()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.In(plan).DeleteFile(ctx, uploaded.Value.ID)) }()
	if _, err = files.In(plan).AppendFile(ctx, uploaded.Value.ID, 0, file); err != nil {
		return err
	}
	from := schedules.PlannerFile{FileID: uploaded.Value.ID, FilePath: p.file, SynchronizerID: "import"}
	var res twinplatform.Result[schedules.Synchronizer]
	if _, err = plan.Synchronizer(ctx, from.SynchronizerID); errors.Is(err, twinplatform.NotFound) {
		res, err = plan.ImportPlanner(ctx, schedules.PlannerImport{PlannerFile: from})
	} else if err == nil {
		res, err = plan.SynchronizePlanner(ctx, schedules.PlannerSynchronization{PlannerFile: from})
	}
	if err == nil {
		_, err = res.Wait(ctx)
	}
	if err != nil {
		return err
	}
	synchronizer, err := plan.Synchronizer(ctx, from.SynchronizerID)
	p.warnings = len(synchronizer.Value.SynchronizationDetails.Warnings)
	for _, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{}) {
		if err != nil {
			return err
		}
		p.tasks++
	}
	return err
}

// printPlans prints where the plans of planner files are.
func (s *server) printPlans(w io.Writer, base string) {
	for _, p := range s.plans {
		at := base + s.cfg.Vocabulary.Address("/schedules/"+p.schedule)
		fmt.Fprintf(w, "  plan      %s (%d tasks of %s)\n", at, p.tasks, p.file)
		fmt.Fprintf(w, "            %s (what the import did, and %d warnings)\n", base+s.cfg.Vocabulary.Address("/schedules/"+p.schedule+"/imports/planner/synchronizers/import"), p.warnings)
	}
}
