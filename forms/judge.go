package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	judges "github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// judge says, within the transaction that acts on it, what the caller may do.
type judge struct {
	*judges.Judge
	env     *twinplatform.Env
	tx      records.Reading
	caller  twinplatform.Principal
	limited bool // by what it may do; the system is not
}

// view runs fn over one committed state.
func (s *Service) view(ctx context.Context, fn func(*records.View, *judge) error) error {
	return s.bench().View(ctx, func(v *records.View, j *judges.Judge) error { return fn(v, s.judge(v, j)) })
}

// update runs fn in a transaction that writes. fn may run again.
func (s *Service) update(ctx context.Context, fn func(*records.Update, *judge) error) error {
	return s.bench().Update(ctx, func(u *records.Update, j *judges.Judge) error { return fn(u, s.judge(u, j)) })
}

func (s *Service) bench() judges.Bench {
	return judges.Bench{DB: s.db, Env: s.env, Twins: s.cfg.Twins}
}

func (s *Service) judge(tx records.Reading, j *judges.Judge) *judge {
	caller, limited := j.Caller()
	return &judge{j, &s.env, tx, caller, limited}
}
