package platform_test

import (
	"context"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// closureServices are the areas that say who may do what.
type closureServices struct {
	platform  *platform.Platform
	twins     *twins.Service
	formsArea *forms.Service
	hooksArea *webhooks.Service
	models    *transform.Service
}

func newClosureServices(t *testing.T, store storage.Store, env twinplatform.Env) closureServices {
	t.Helper()
	p, err := platform.New(store, platform.Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	return closureServices{p, p.Twins, p.Forms, p.Webhooks, p.Transform}
}

func (s closureServices) close(t *testing.T) {
	t.Helper()
	if err := s.platform.Close(); err != nil {
		t.Error(err)
	}
}

func (s closureServices) secure(ctx context.Context, definitionID, twinID string, sec *forms.Security) error {
	return s.formsArea.SetSecurity(ctx, definitionID, twinID, sec)
}

// securityOf is the security of a definition in a twin, nil also where it cannot
// have any.
func (s closureServices) securityOf(ctx context.Context, definitionID, twinID string) *forms.Security {
	sec, err := s.formsArea.Security(ctx, definitionID, twinID)
	if err != nil {
		return nil
	}
	return sec
}
