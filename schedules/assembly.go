package schedules

import (
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// New returns the schedules area over a store. It starts nothing; with
// Env.Background, operations wait for Run.
func New(store storage.Store, cfg Config) *Service {
	env := cfg.Env.WithDefaults()
	s := &Service{db: records.New(store), env: env, twins: cfg.Twins}
	s.access = access{s}
	s.blobs = blob.NewKeeper(s.db, env)
	s.jobs = jobs.NewRunner(s.db, env, "schedules")
	s.known = &known{deletion: jobs.Define(s.jobs, "schedule.delete", s.removeSchedule, "schedules.delete")}
	s.clones = jobs.Define(s.jobs, "schedule.clone", s.cloneStep, "schedules.clone").Compensate(abandoned).Holdable()
	s.families = defineFamilies(s)
	for _, k := range kinds {
		if p, ok := k.Kind.(model.Plainly); ok {
			familiesOf(s).plain[k.Name] = p.Family(s.area())
		}
	}
	s.planning = definePlanning(s)
	s.exchanges = defineExchanges(s)
	for _, f := range features {
		if f.Calls != nil {
			s.features = append(s.features, f.Calls(s.area()))
		}
		if f.GC != nil {
			s.jobs.AddGC(f.GC(s.area()))
		}
	}
	s.jobs.AddGC(s.blobs.Sweep)
	s.earlierEnd = s.jobs.At(s.endDue)
	return s
}
