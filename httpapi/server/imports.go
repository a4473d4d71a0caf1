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
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// importTwin is the id of the twin that gets the plans of -import. It is fixed, so that a
// restart imports into the same twin.
const importTwin = "1b7c2d3e-4f50-4617-8829-3a4b5c6d7e8f"

// importedPlan is a schedule that a planner file was imported into.
type importedPlan struct {
	schedule, file  string
	tasks, warnings int
	preview         exchange.ImportPreview // where that is asked for
}

// notInID is what ids have none of.
var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// importFiles makes a schedule of each planner file, or brings it up to the file where an
// earlier start has made it.
func (s *server) importFiles(ctx context.Context) error {
	if s.cfg.preview && !s.cfg.bringing {
		return errors.New("-preview is for the command import")
	}
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
		world.Schedules = append(world.Schedules,
			platform.Schedule{NewSchedule: schedules.NewSchedule{ID: id, Name: base, TwinID: importTwin}})
		s.plans = append(s.plans, importedPlan{schedule: id, file: file})
	}
	if s.cfg.preview {
		return s.previewFiles(ctx)
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

func dryRunFile(ctx context.Context, p importedPlan) error {
	return inScratch(ctx, p.schedule, func(svc *schedules.Service) error { return importFile(ctx, svc, &p) })
}

// inScratch calls fn with an empty schedule in a scratch store.
func inScratch(ctx context.Context, schedule string, fn func(*schedules.Service) error) (err error) {
	store := memory.New()
	defer func() { err = errors.Join(err, store.Close()) }()
	svc := schedules.New(store, schedules.Config{}, scheduling.Feature, exchange.Feature)
	if _, err := svc.CreateSchedule(ctx,
		schedules.NewSchedule{ID: schedule, Name: schedule, TwinID: importTwin}); err != nil {
		return err
	}
	return fn(svc)
}

// previewFiles finds out what imports would change. A schedule that is not there yet is not made.
func (s *server) previewFiles(ctx context.Context) error {
	for i := range s.plans {
		p := &s.plans[i]
		_, err := s.Schedules.Schedule(ctx, p.schedule)
		preview := func(svc *schedules.Service) error { return previewFile(ctx, svc, p) }
		switch {
		case errors.Is(err, twinplatform.NotFound):
			err = inScratch(ctx, p.schedule, preview)
		case err == nil:
			err = preview(s.Schedules)
		}
		if err != nil {
			return fmt.Errorf("-preview: %s: %w", p.file, err)
		}
	}
	return nil
}

func previewFile(ctx context.Context, svc *schedules.Service, p *importedPlan) error {
	return uploaded(ctx, svc, p, func(plan schedules.Plan, from exchange.PlannerFile, known bool) (err error) {
		from.Preview = true
		if known {
			p.preview, err = exchange.In(plan).PreviewImport(ctx, exchange.PlannerSynchronization{PlannerFile: from})
		} else {
			p.preview, err = exchange.In(plan).PreviewImport(ctx, exchange.PlannerImport{PlannerFile: from})
		}
		return err
	})
}

// printPreviews prints what imports would change.
func (s *server) printPreviews(w io.Writer) error {
	for i := range s.plans {
		p := &s.plans[i]
		if _, err := fmt.Fprintf(w, "schedule %s, preview of %s; nothing was changed\n", p.schedule,
			p.file); err != nil {
			return err
		}
		for _, c := range p.preview.Changes {
			printPreviewed(w, c.Type, "created", c.Created)
			printPreviewed(w, c.Type, "updated", c.Updated)
			printPreviewed(w, c.Type, "deleted", c.Deleted)
		}
		if len(p.preview.Changes) == 0 {
			fmt.Fprintln(w, "nothing would change")
		}
		if p.preview.Refusal != "" {
			fmt.Fprintln(w, "it would be refused:", p.preview.Refusal)
		}
	}
	return nil
}

// printPreviewed prints records of a type to which the same would be done.
func printPreviewed(w io.Writer, of, done string, records exchange.PreviewedRecords) {
	if records.Count > 0 {
		fmt.Fprintf(w, "%s: %d %s\n", of, records.Count, done)
	}
	for _, r := range records.Records {
		fmt.Fprintf(w, "  %s\n", strings.TrimSpace(string(r.UserDefinedID)+" "+r.Name))
	}
	if more := records.Count - len(records.Records); more > 0 {
		fmt.Fprintf(w, "  and %d more\n", more)
	}
}

// importFile uploads a file and imports it, as a client would over HTTP.
func importFile(ctx context.Context, svc *schedules.Service, p *importedPlan) error {
	return uploaded(ctx, svc, p, func(plan schedules.Plan, from exchange.PlannerFile, known bool) (err error) {
		var res twinplatform.Result[synchronizers.Synchronizer]
		if known {
			res, err = exchange.In(plan).Synchronize(ctx, exchange.PlannerSynchronization{PlannerFile: from})
		} else {
			res, err = exchange.In(plan).Import(ctx, exchange.PlannerImport{PlannerFile: from})
		}
		if err == nil {
			_, err = res.Wait(ctx)
		}
		if err != nil {
			return err
		}
		synchronizer, err := synchronizers.In(plan).Synchronizer(ctx, from.SynchronizerID)
		p.warnings = len(synchronizer.Value.SynchronizationDetails.Warnings)
		for _, err := range twinplatform.All(ctx, plan.Tasks, schedules.TaskQuery{}) {
			if err != nil {
				return err
			}
			p.tasks++
		}
		return err
	})
}

// uploaded uploads a file of a plan for as long as fn lasts. known is whether the plan has had one
// before.
func uploaded(
	ctx context.Context, svc *schedules.Service, p *importedPlan, fn func(plan schedules.Plan,
		from exchange.PlannerFile, known bool) error,
) (err error) {
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
	sent, err := files.In(plan).CreateFile(ctx, files.NewFile{Length: info.Size()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.In(plan).DeleteFile(ctx, sent.Value.ID)) }()
	if _, err = files.In(plan).AppendFile(ctx, sent.Value.ID, 0, file); err != nil {
		return err
	}
	from := exchange.PlannerFile{FileID: sent.Value.ID, FilePath: p.file, SynchronizerID: "import"}
	_, err = synchronizers.In(plan).Synchronizer(ctx, from.SynchronizerID)
	if known := err == nil; known || errors.Is(err, twinplatform.NotFound) {
		err = fn(plan, from, known)
	}
	return err
}

// printPlans prints where the plans of planner files are.
func (s *server) printPlans(w io.Writer, base string) {
	for _, p := range s.plans {
		at := base + s.cfg.Vocabulary.Address("/schedules/"+p.schedule)
		fmt.Fprintf(w, "  plan      %s (%d tasks of %s)\n", at, p.tasks, p.file)
		fmt.Fprintf(w, "            %s (what the import did, and %d warnings)\n",
			base+s.cfg.Vocabulary.Address("/schedules/"+p.schedule+"/imports/planner/synchronizers/import"), p.warnings)
	}
}
