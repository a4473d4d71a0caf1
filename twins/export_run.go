package twins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// exporting is what the journal keeps of an export. Its record has how far it is, so that
// two processes that are at it at once write each part once.
type exporting struct {
	ExportID string `json:"exportId"`
}

// defineExports registers with the runner how exports are made.
func (s *Service) defineExports() {
	callsOf(s).exports = jobs.DefineOutside(s.jobs, "export.run", jobs.Outside[exporting]{
		Step: s.exportStep,
		Failed: func(ctx context.Context, w exporting, _ *twinplatform.Error) (bool, error) {
			return false, s.db.Update(ctx, func(u *records.Update) error { return s.failExport(u, w.ExportID) })
		},
	}, "exports.create").Holdable()
	s.jobs.AddGC(s.forgetExports)
}

// What one part of an export has at most; it ends with the twin that is over it.
const (
	twinsPerPart = 1_000
	textPerPart  = 1 << 20
)

var errExportTooLarge = &twinplatform.Error{
	Kind: twinplatform.Unprocessable, Code: "ExportTooLarge",
	Message: fmt.Sprintf("An export has at most %d twins and %d bytes.", MaxExportTwins, MaxExportBytes),
}

// exportPart is a part of a file, and how far the file is written with it.
type exportPart struct {
	file  exportFile
	bytes []byte
	last  bool
}

// exportStep writes the next part of an export.
func (s *Service) exportStep(ctx context.Context, w exporting) (exporting, jobs.Progress, error) {
	var e *Export
	err := s.db.View(ctx, func(v *records.View) (err error) {
		e, err = exportRecords.Lookup(v, allExports, w.ExportID)
		return err
	})
	if e == nil || err != nil || e.ended() {
		return w, jobs.Done, err
	}
	part, err := s.nextPart(ctx, e)
	if err == nil {
		err = s.addPart(ctx, e, part)
	}
	switch {
	case errors.Is(err, errOvertaken):
		return w, jobs.Progress{}, nil // to see how far it is
	case err != nil || part.last:
		return w, jobs.Done, err
	}
	return w, jobs.Progress{Percent: 100 * part.file.Twins / MaxExportTwins}, nil
}

// errOvertaken reports that another process has written a part, or removed the export.
var errOvertaken = errors.New("twins: the export is further than this part")

// nextPart makes the next part of an export: of what its caller may see by now.
func (s *Service) nextPart(ctx context.Context, e *Export) (part exportPart, err error) {
	if e.caller != "" {
		p, err := e.principal()
		if err != nil {
			return part, err
		}
		ctx = twinplatform.WithPrincipal(ctx, p)
	}
	l, err := e.Request.query().listing(ctx)
	if err != nil {
		return part, err
	}
	l.top, l.looks, l.after = twinsPerPart, twinsPerPart, e.file.After
	if err := s.find(ctx, l); err != nil {
		return part, err
	}
	if _, err := l.page(); err != nil {
		return part, err
	}
	part.file = e.file
	text, err := part.write(l, e.Request.OutputFormat)
	if err == nil && (part.file.Twins > s.exportTwins || part.file.Text+int64(len(text)) > MaxExportBytes) {
		err = errExportTooLarge
	}
	if err == nil {
		part.bytes, err = part.file.pack(e.Request.OutputFormat, text, part.last)
	}
	return part, err
}

// principal is the one that an export is made for; the zero one is the system.
func (e *Export) principal() (p twinplatform.Principal, err error) {
	if e.caller != "" {
		err = json.Unmarshal([]byte(e.caller), &p)
	}
	return p, err
}

// account returns the account of the principal that asked for an export.
func (e *Export) account() (string, error) {
	p, err := e.principal()
	return p.AccountID, err
}

// write writes the text of a part with as many twins as there is room for.
func (p *exportPart) write(l *listing, format ExportFormat) ([]byte, error) {
	text := format.text(l.Select, &p.file)
	left := l.found
	for len(left) > 0 && text.Len() < textPerPart {
		if err := text.add(left[0].JSON); err != nil {
			return nil, err
		}
		p.file.After = left[0].Value.ID
		p.file.Twins++
		left = left[1:]
	}
	if len(left) == 0 && l.seen != "" {
		p.file.After = l.seen
	}
	if p.last = len(left) == 0 && !l.more && l.seen == ""; p.last {
		text.end()
	}
	return text.Bytes(), nil
}

// addPart stores a part of an export. It fails with errOvertaken.
func (s *Service) addPart(ctx context.Context, e *Export, part exportPart) error {
	staged, err := s.blobs.Stage(ctx, part.bytes, func(*records.Update) (string, error) { return e.account() })
	if err != nil {
		return err
	}
	defer staged.Discard(ctx)
	return s.db.Update(ctx, func(u *records.Update) error {
		_, err := exportRecords.Modify(u, e.scope(), e.ID, "", func(now *Export) (err error) {
			if now.ended() || now.file != e.file {
				return errOvertaken
			}
			now.begin(s.now())
			now.file = part.file
			now.file.Pieces, err = staged.Put(u, now.bytesOf(), e.file.Size, e.file.Pieces)
			if part.last {
				now.Status, now.CompletedDateTime = ExportCompleted, s.now()
				now.OutputURL = twinplatform.NullString(ExportPath + "/" + now.file.Name +
					now.Request.OutputFormat.extension())
			}
			return err
		})
		if errors.Is(err, records.ErrNotFound) {
			return errOvertaken
		}
		return err
	})
}

// begin notes that an export is being written.
func (e *Export) begin(now twinplatform.DateTime) {
	if e.Status == ExportQueued {
		e.Status, e.StartedDateTime = ExportInProgress, now
	}
}

// failExport ends an export without a file.
func (s *Service) failExport(u *records.Update, id string) error {
	_, err := exportRecords.Modify(u, allExports, id, "", func(e *Export) error {
		if e.ended() {
			return nil
		}
		e.begin(s.now())
		e.Status, e.CompletedDateTime = ExportFailed, s.now()
		return blob.Erase(u, e.bytesOf())
	})
	_, err = found(&struct{}{}, err)
	return err
}

// exportsPerLook is how many exports are found at once to be forgotten.
const exportsPerLook = 1_000

// forgetExports does one step of removing the exports that are no longer kept, and
// reports whether there are more.
func (s *Service) forgetExports(ctx context.Context) (more bool, err error) {
	expired, err := s.expiredExports(ctx)
	if err != nil || len(expired) == 0 {
		return false, err
	}
	err = s.db.Update(ctx, func(u *records.Update) error {
		more = len(expired) == exportsPerLook
		step := records.NewStep(u)
		for _, id := range expired {
			if within, err := step.Next(0); !within || err != nil {
				more = true
				return err
			}
			if err := forgetExport(u, step, id); err != nil {
				return err
			}
		}
		return nil
	})
	return more, err
}

// expiredExports are some of the exports that are no longer kept.
func (s *Service) expiredExports(ctx context.Context) (ids []string, err error) {
	until := madeAt(s.db.Believed().Add(-ExportTime))
	err = s.db.View(ctx, func(v *records.View) error {
		ids = nil
		for made := range exportRecords.ValuesFrom(v, allExports, indexMade, "") {
			if made >= until {
				return nil
			}
			for id := range exportRecords.IDs(v, allExports, indexMade, made) {
				if ids = append(ids, id); len(ids) == exportsPerLook {
					return nil
				}
			}
		}
		return nil
	})
	return ids, err
}

// forgetExport removes an export with its bytes, unless another process did.
func forgetExport(u *records.Update, step *records.Step, id string) error {
	e, err := exportRecords.Lookup(u, allExports, id)
	if e == nil || err != nil {
		return err
	}
	for range e.file.Pieces {
		step.Spend(0)
	}
	return eraseExport(u, e)
}
