package server

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// visitors returns the first other directory that trusts an issuer, and so knows its
// applications.
func (p *principals) visitors(issuer string) webhooks.VisitorDirectory {
	for _, others := range p.others {
		if directory, ok := others.(webhooks.VisitorDirectory); ok && directory.Trusts(issuer) {
			return directory
		}
	}
	return nil
}

// Trusts implements webhooks.VisitorDirectory.
func (p *principals) Trusts(issuer string) bool { return p.visitors(issuer) != nil }

// LastSeen implements webhooks.VisitorDirectory.
func (p *principals) LastSeen(ctx context.Context, issuer, accountID, id string) (who twinplatform.Principal,
	at time.Time, ok bool, err error,
) {
	if directory := p.visitors(issuer); directory != nil {
		return directory.LastSeen(ctx, issuer, accountID, id)
	}
	return who, at, false, nil
}
