package httpapi_test

import (
	"testing"
)

func TestWorld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	t.Log(ask(w.handler, "GET", "/schedules?twinId=tower", "", "Authorization: Bearer writer").Body)
}
