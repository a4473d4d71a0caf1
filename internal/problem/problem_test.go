package problem_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

var family = twinplatform.Error{Kind: twinplatform.Invalid, Code: "InvalidRequest", Message: "The request is invalid."}

type color string

func TestAllViolationsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	var c problem.Checks
	if err := c.Err(family); err != nil {
		t.Errorf("nothing is wrong, and yet %v", err)
	}
	c.Need("name", " ", 10)
	c.At("batch", 3)
	c.Need("name", "eleven long", 10)
	c.AtMost("comment", strings.Repeat("é", 10), 10)
	c.AtMost("note", "\xff", 10)
	c.Quantity("quantity", -1)
	c.Within("latitude", 90, -90, 90)
	c.Within("longitude", 180.5, -180, 180)
	problem.OneOf(&c, "color", "green", []color{"red", "blue"})
	if !problem.OneOf(&c, "color", "red", []color{"red", "blue"}) {
		t.Error("red is none of red and blue")
	}
	want := []string{
		"InvalidRequest", "MissingRequiredProperty name", "InvalidValue batch[3].name", "InvalidValue batch[3].note",
		"InvalidValue batch[3].quantity", "InvalidValue batch[3].longitude", "InvalidValue batch[3].color",
	}
	if diff := cmp.Diff(want, problemtest.Brief(c.Err(family))); diff != "" {
		t.Error(diff)
	}
	if len(family.Details) != 0 {
		t.Error("the family took the details")
	}
}

func TestMemberOfAMemberIsCalledByItsOwnName(t *testing.T) {
	t.Parallel()
	var c problem.Checks
	problem.OneOf(&c, "lid.color", "green", []color{"red", "blue"})
	d := twinplatform.AsError(c.Err(family)).Details[0]
	if d.Target != "lid.color" || d.Message != "The value of 'color' is one of red, blue." {
		t.Errorf("got %+v", d)
	}
}

func TestIDsArePrintableAndShort(t *testing.T) {
	t.Parallel()
	for id, fits := range map[string]bool{
		"": true, "a": true, "*": true, "a b": true, "日本": true, strings.Repeat("日", 128): true,
		strings.Repeat("a", 129): false, ".": false, "..": false, "a/b": false, "a\x00": false, "a\n": false, "\xff": false,
	} {
		var c problem.Checks
		c.ID("id", id)
		if got := c.Err(family) == nil; got != fits {
			t.Errorf("%q fits: %v, want %v", id, got, fits)
		}
	}
}

func TestGUIDsHaveTheirForm(t *testing.T) {
	t.Parallel()
	for range 100 {
		if id := twinplatform.NewGUID(); !problem.IsGUID(id) || !problem.IsGUID(strings.ToUpper(id)) {
			t.Errorf("%s is none", id)
		}
	}
	for _, id := range []string{"", "a", strings.Repeat("-", 36), strings.Repeat("a", 36), "{6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c9}", "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c9g"} {
		if problem.IsGUID(id) {
			t.Errorf("%q is one", id)
		}
	}
}

func TestErrorsOfRecordsGetTheirDocumentedForm(t *testing.T) {
	t.Parallel()
	absent := problem.NotFound("TaskNotFound", "taskId", "task")
	other := errors.New("other")
	paging := problem.Paging{MaxTop: 10, Delta: true}
	unfollowed := problem.Paging{MaxTop: 10}
	for name, tt := range map[string]struct {
		err  error
		want []string
	}{
		"no record":               {absent.Or(fmt.Errorf("reading: %w", records.ErrNotFound)), []string{"TaskNotFound"}},
		"another version":         {absent.Or(records.ErrPrecondition), []string{"VersionMismatch"}},
		"anything else":           {absent.Or(other), []string{"InternalError"}},
		"nothing":                 {absent.Or(nil), nil},
		"hidden":                  {absent.Unless(false, nil), []string{"TaskNotFound"}},
		"visible":                 {absent.Unless(true, nil), nil},
		"visibility not known":    {absent.Unless(false, other), []string{"InternalError"}},
		"not allowed":             {problem.Needs("x").Unless(false, nil), []string{"InsufficientPermissions"}},
		"allowed":                 {problem.Needs("x").Unless(true, nil), nil},
		"right not known":         {problem.Needs("x").Unless(false, other), []string{"InternalError"}},
		"page size":               {paging.Listed(records.ErrTop, family), []string{"InvalidRequest", "InvalidValue top"}},
		"continuation":            {paging.Listed(records.ErrContinuation, family), []string{"InvalidRequest", "InvalidValue continuation"}},
		"delta":                   {paging.Listed(records.ErrDelta, family), []string{"InvalidRequest", "InvalidValue delta"}},
		"old delta":               {paging.Listed(records.ErrDeltaExpired, family), []string{"InvalidRequest", "InvalidValue delta"}},
		"delta of a list without": {unfollowed.Listed(records.ErrDelta, family), []string{"InvalidRequest", "InvalidValue delta"}},
		"a list that works":       {paging.Listed(nil, family), nil},
	} {
		if diff := cmp.Diff(tt.want, problemtest.Brief(tt.err)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if named := absent.Named("task", "a"); !errors.Is(named.Err(), absent.Err()) || !strings.Contains(named.Err().Error(), "'a'") {
		t.Errorf("got %v", named.Err())
	}
}
