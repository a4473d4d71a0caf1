package realitydata

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// jobWork is what the journal keeps of a job: how far it is. A step that is done twice writes
// the same files.
type jobWork struct {
	Service  JobService `json:"service"`
	JobID    string     `json:"jobId"`
	OutputID string     `json:"outputId"`
	Input    int        `json:"input"` // the next one of the inputs
	After    string     `json:"after"` // the file of it that was done last
	Bytes    int64      `json:"bytes"` // of all files that are done
	Total    int64      `json:"total"` // of all inputs; 0 until the first step
}

// A step of a job ends behind the file with which it has done so much. One file is always
// done whole.
const (
	filesPerStep = 50
	bytesPerStep = 4 << 20
)

// defineJobs registers with the runner how jobs are done.
func (s *Service) defineJobs() {
	s.work = jobs.DefineOutside(s.runner, "realitydata.job", jobs.Outside[jobWork]{
		Step: s.jobStep,
		Failed: func(ctx context.Context, w jobWork, failure *twinplatform.Error) (bool, error) {
			return false, s.failJob(ctx, w, failure)
		},
	}, "conversionJobs.update", "analysisJobs.update").Holdable()
}

func workOf(s *Service) jobs.Kind[jobWork, struct{}] { return s.work.(jobs.Kind[jobWork, struct{}]) }

// jobStep does the next files of a job.
func (s *Service) jobStep(ctx context.Context, w jobWork) (jobWork, jobs.Progress, error) {
	j, err := s.activeJob(ctx, w)
	if err != nil {
		return w, jobs.Progress{}, err
	}
	if j == nil { // it was cancelled, or has ended in another process
		return w, jobs.Done, s.remove(ctx, w.OutputID)
	}
	if s.files == nil {
		return w, jobs.Progress{}, errNowhere
	}
	account, in, err := s.jobRights(ctx, j, &w)
	if err != nil {
		return w, jobs.Progress{}, err
	}
	if w.Total == 0 {
		for _, in := range j.Inputs {
			size, err := s.containers.ContainerSize(ctx, string(in.ID))
			if err != nil {
				return w, jobs.Progress{}, err
			}
			w.Total += size
		}
	}
	if in == "" {
		return w, jobs.Done, s.finishJob(ctx, w)
	}
	if err := s.doFiles(ctx, j, &w, in, account); err != nil {
		return w, jobs.Progress{}, err
	}
	if err := s.noteJob(ctx, w); err != nil {
		return w, jobs.Progress{}, err
	}
	p := jobs.Progress{}
	if w.Total > 0 {
		p.Percent = int(min(99, 100*w.Bytes/w.Total))
	}
	return w, p, nil
}

// activeJob is the job of some work; nil where nothing more is to be done for it.
func (s *Service) activeJob(ctx context.Context, w jobWork) (j *Job, err error) {
	err = s.db.View(ctx, func(v *records.View) error {
		j, err = jobRecords.Lookup(v, allAccounts, records.Join(string(w.Service), w.JobID))
		return err
	})
	if j != nil && (j.State != JobActive || string(j.Outputs[0].ID) != w.OutputID) {
		j = nil
	}
	return j, err
}

// jobRights fails unless who submitted a job may still read its next input, which is empty
// behind the last one, and write its output; account is whose bytes that are.
func (s *Service) jobRights(ctx context.Context, j *Job, w *jobWork) (account, in string, err error) {
	if j.caller != "" {
		var p twinplatform.Principal
		if err := json.Unmarshal([]byte(j.caller), &p); err != nil {
			return "", "", err
		}
		ctx = twinplatform.WithPrincipal(ctx, p)
	}
	if account, err = s.ContainerRight(ctx, w.OutputID, true); err != nil || w.Input >= len(j.Inputs) {
		return account, "", err
	}
	in = string(j.Inputs[w.Input].ID)
	_, err = s.ContainerRight(ctx, in, false)
	return account, in, err
}

// doFiles does the next files of an input.
func (s *Service) doFiles(ctx context.Context, j *Job, w *jobWork, in, account string) error {
	folder := ""
	if len(j.Inputs) > 1 {
		folder = in + "/"
	}
	if j.Type == TileListingJob {
		defer func() { w.Input, w.After = w.Input+1, "" }()
		return s.listTiles(ctx, w, in, account, folder)
	}
	var names []string
	var bytes int64
	err := s.files.ListFiles(ctx, in, w.After, func(name string, size int64) bool {
		names = append(names, name)
		bytes += size
		return len(names) < filesPerStep && bytes < bytesPerStep
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		done := s.copyFile
		if j.Type == ChecksumJob {
			done = s.sumFile
		}
		if err := done(ctx, in, w.OutputID, account, folder, name); err != nil {
			return err
		}
		w.After = name
	}
	if w.Bytes += bytes; len(names) == 0 {
		w.Input, w.After = w.Input+1, ""
	}
	return nil
}

func (s *Service) copyFile(ctx context.Context, in, out, account, folder, name string) error {
	from, err := s.files.OpenFile(ctx, in, name)
	if err != nil {
		return unlessGone(err)
	}
	defer func() { _ = from.Close() }()
	return s.files.WriteFile(ctx, out, account, folder+name, from)
}

// sumFile writes the sum of a file next to its name.
func (s *Service) sumFile(ctx context.Context, in, out, account, folder, name string) error {
	from, err := s.files.OpenFile(ctx, in, name)
	if err != nil {
		return unlessGone(err)
	}
	defer func() { _ = from.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, from); err != nil {
		return err
	}
	line := hex.EncodeToString(sum.Sum(nil)) + "  " + name[strings.LastIndexByte(name, '/')+1:] + "\n"
	return s.files.WriteFile(ctx, out, account, folder+name+".sha256", strings.NewReader(line))
}

// unlessGone passes over a file that was removed since it was listed.
func unlessGone(err error) error {
	if errors.Is(err, twinplatform.NotFound) {
		return nil
	}
	return err
}

// tile is a file in a listing.
type tile struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // in bytes
}

// listTiles writes the names of the files of an input.
func (s *Service) listTiles(ctx context.Context, w *jobWork, in, account, folder string) error {
	tiles := []tile{}
	err := s.files.ListFiles(ctx, in, "", func(name string, size int64) bool {
		tiles = append(tiles, tile{name, size})
		w.Bytes += size
		return true
	})
	if err != nil {
		return err
	}
	text, err := wire.Marshal(map[string][]tile{"tiles": tiles})
	if err != nil {
		return err
	}
	return s.files.WriteFile(ctx, w.OutputID, account, folder+"tiles.json", strings.NewReader(string(text)))
}

// changeActive changes the job of some work while it is active.
func (s *Service) changeActive(ctx context.Context, w jobWork, fn func(*records.Update, caller, *Job) error) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		j, err := jobRecords.Lookup(u, allAccounts, records.Join(string(w.Service), w.JobID))
		if err != nil || j == nil || j.State != JobActive || string(j.Outputs[0].ID) != w.OutputID {
			return err // the next step sees it
		}
		return fn(u, c, j)
	})
}

// noteJob records how far a job is.
func (s *Service) noteJob(ctx context.Context, w jobWork) error {
	return s.changeActive(ctx, w, func(u *records.Update, c caller, j *Job) error {
		_, err := c.putJob(u, j, func(j *Job) error {
			j.begin(c.s.now())
			j.bytes, j.total = w.Bytes, w.Total
			return nil
		})
		return err
	})
}

func (j *Job) begin(now twinplatform.DateTime) {
	if j.ExecutionInformation.StartedDateTime == nil {
		j.ExecutionInformation.StartedDateTime = &now
	}
}

// finishJob ends a job whose files are all there.
func (s *Service) finishJob(ctx context.Context, w jobWork) error {
	size, err := s.size(ctx, w.OutputID)
	if err != nil {
		return err
	}
	return s.changeActive(ctx, w, func(u *records.Update, c caller, j *Job) error {
		_, err := c.put(u, &RealityData{ID: w.OutputID, AccountID: j.AccountID}, "", func(d *RealityData) error {
			d.Authoring, d.complete, d.Size, d.ModifiedDateTime = false, true, size, s.now()
			return nil
		})
		if err != nil {
			return err
		}
		now := s.now()
		if _, err := c.putJob(u, j, func(j *Job) error {
			j.begin(now)
			j.State, j.ExecutionInformation.EndedDateTime, j.bytes, j.total = JobSucceeded, &now, w.Bytes, w.Total
			return nil
		}); err != nil {
			return err
		}
		return c.completedJob(u, j)
	})
}

// completedJob emits that a job is done, one way or another.
func (c caller) completedJob(u *records.Update, j *Job) error {
	at, _, err := c.TwinOf(j.AccountID, j.TwinID)
	if err != nil {
		return err
	}
	if j.Service == AnalysisJobs {
		return c.Emit(u, at, event.RealityAnalysisJobCompleted{JobID: j.ID})
	}
	return c.Emit(u, at, event.RealityConversionJobCompleted{JobID: j.ID})
}

// failJob ends a job that failed, and removes what it has made.
func (s *Service) failJob(ctx context.Context, w jobWork, failure *twinplatform.Error) error {
	err := s.changeActive(ctx, w, func(u *records.Update, c caller, j *Job) error {
		if _, err := c.endJob(u, j, JobFailed, jobs.Describe(failure)); err != nil {
			return err
		}
		return c.completedJob(u, j)
	})
	if err != nil {
		return err
	}
	return s.remove(ctx, w.OutputID)
}
