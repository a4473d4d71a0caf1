package judge

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// expecter is an authorizer that declares what it will read, so that a store over a network
// reads it with what else a transaction asks for.
type expecter interface {
	// Expect declares, in the transaction of the context, what Allowed reads.
	Expect(ctx context.Context, p twinplatform.Principal, target twinplatform.Target)
}

// Expect says that the caller's permissions at a target will be asked for. It costs nothing
// where the target is another in the end.
func (j *Judge) Expect(target twinplatform.Target) {
	if j.tx == nil || !records.Remote(j.tx) {
		return
	}
	p, _ := j.Caller()
	if p.ReadOnly != nil || j.administers(target) {
		return
	}
	if e, ok := j.bench.Env.Authorizer.(expecter); ok {
		e.Expect(j.ctx(), p, target)
	}
}
