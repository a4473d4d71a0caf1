// Package python_test runs the tests of the client in Python.
package python_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/internal/docpages"
)

func TestTheClientInPythonPassesItsTests(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts an interpreter")
	}
	docpages.Needs(t, "python3")
	tw := httpapitest.New(t, httpapitest.WithControls())
	tests := exec.CommandContext(t.Context(), "python3", "-B", "-m", "unittest", "-v")
	tests.Env = append(os.Environ(), "TWIN_URL="+tw.Listen(), "TWIN_TOKEN="+tw.TokenOf(tw.Admin()))
	if out, err := tests.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
