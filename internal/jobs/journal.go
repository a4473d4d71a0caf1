package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// job is the journal's entry of work that is still to be done.
type job struct {
	ID    string        `json:"id"` // of the operation
	Kind  string        `json:"kind"`
	Scope records.Scope `json:"scope"` // of the operation
	// Payload is empty where it is kept in parts.
	Payload json.RawMessage `json:"payload,omitempty"`
	// Parts is in how many parts the payload is kept.
	Parts int `json:"parts,omitempty"`
	// Lease is nil while anybody may do the next step.
	Lease *lease `json:"lease,omitempty"`
	// Contention is what the Spec of the job gave: what its transactions contend by.
	Contention string `json:"contention,omitempty"`
}

// contending reports of the transactions that do a job what they contend by.
func (j *job) contending(ctx context.Context) context.Context {
	if j.Contention == "" {
		return j.Scope.WithContention(ctx)
	}
	return storage.WithContention(ctx, j.Contention)
}

// part is a piece of a payload that is too long for one value of a store.
type part struct {
	ID   string `json:"id"`
	Data []byte `json:"data"`
}

// partBytes is the length from which on a payload is kept in parts, and that of
// each of them.
const partBytes = 256 << 10

var (
	pending = records.Collection[job]{
		Name: "pending", Unversioned: true,
		ID: func(j *job) string { return j.ID },
	}
	parts = records.Collection[part]{
		Name: "pending-parts", Unversioned: true,
		ID: func(p *part) string { return p.ID },
	}
)

func (j *job) part(i int) string { return records.Join(j.ID, strconv.Itoa(i)) }

// journal accepts work: the operation and what it will do, in one transaction. l is the
// lease of the caller if it drives the work itself, else nil.
func (r *Runner) journal(u *records.Update, q *request, op twinplatform.Operation, payload []byte, l *lease) error {
	if _, err := operations.Append(u, q.Scope, &op); err != nil {
		return err
	}
	return r.put(u, &job{ID: op.ID, Kind: q.of.name, Scope: q.Scope, Lease: l, Contention: q.Contention}, payload)
}

// put writes a job into the journal, or in place of what it was before.
func (r *Runner) put(u *records.Update, j *job, data []byte) error {
	had := j.Parts
	j.Payload, j.Parts = data, 0
	if len(data) > partBytes {
		j.Payload, j.Parts = nil, (len(data)+partBytes-1)/partBytes
	}
	for i := range j.Parts {
		piece := data[i*partBytes : min((i+1)*partBytes, len(data))]
		if _, err := parts.Put(u, r.scope, &part{ID: j.part(i), Data: piece}); err != nil {
			return err
		}
	}
	for i := j.Parts; i < had; i++ {
		if err := parts.Erase(u, r.scope, j.part(i)); err != nil {
			return err
		}
	}
	_, err := pending.Put(u, r.scope, j)
	return err
}

// payload reads what a job is to do.
func (r *Runner) payload(tx records.Reading, j *job) ([]byte, error) {
	whole := []byte(j.Payload)
	for i := range j.Parts {
		p, err := parts.Value(tx, r.scope, j.part(i))
		if errors.Is(err, records.ErrNotFound) {
			return nil, errors.New("jobs: a part of the payload of " + j.ID + " is missing")
		}
		if err != nil {
			return nil, err
		}
		whole = append(whole, p.Data...)
	}
	return whole, nil
}

// erase takes a job out of the journal.
func (r *Runner) erase(u *records.Update, j *job) error {
	for i := range j.Parts {
		if err := parts.Erase(u, r.scope, j.part(i)); err != nil {
			return err
		}
	}
	return pending.Erase(u, r.scope, j.ID)
}
