package wire_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

func TestTheFirstCallAloneReturnsNoValue(t *testing.T) {
	t.Parallel()
	if wire.TakeOnly(t.Context()) {
		t.Error("a call was asked to leave out the value that its caller wants")
	}
	ctx := wire.Only(t.Context())
	if !wire.TakeOnly(ctx) {
		t.Error("the first call was not asked whether the value is not wanted")
	}
	if wire.TakeOnly(ctx) {
		t.Error("what the first call calls was asked to leave out the value")
	}
}
