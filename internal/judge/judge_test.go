package judge_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// remote is an authorizer that answers from elsewhere.
type remote struct {
	grants, asked []string
	err           error
}

func (r *remote) Allowed(_ context.Context, _ twinplatform.Principal, permission string, _ twinplatform.Target) (bool, error) {
	r.asked = append(r.asked, permission)
	return slices.Contains(r.grants, permission), r.err
}

func TestAllThatIsAskedElsewhereIsAskedOnceAndInOneGo(t *testing.T) {
	t.Parallel()
	failure := errors.New("cannot say")
	for name, tt := range map[string]struct {
		remote remote
		want   bool
		err    error
	}{
		"all":        {remote{grants: []string{"a", "b"}}, true, nil},
		"but one":    {remote{grants: []string{"a"}}, false, nil},
		"none":       {remote{}, false, nil},
		"no answers": {remote{err: failure}, false, failure},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := memory.New()
			t.Cleanup(func() { store.Close() })
			bench := judge.Bench{DB: records.New(store), Env: twinplatform.Env{Authorizer: &tt.remote}}
			runs, got := 0, false
			err := bench.View(twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "ann"}), func(_ *records.View, j *judge.Judge) (err error) {
				runs++
				got, err = j.AllowedAll(twinplatform.Target{TwinID: "t"}, "a", "b", "a")
				return err
			})
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%t, %v; want %t, %v", got, err, tt.want, tt.err)
			}
			if tt.err != nil {
				return
			}
			if diff := cmp.Diff([]string{"a", "b"}, tt.remote.asked); diff != "" || runs != 2 {
				t.Errorf("asked over %d transactions (-want +got):\n%s", runs, diff)
			}
		})
	}
}
