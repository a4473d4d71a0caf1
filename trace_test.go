package twinplatform_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
)

const (
	traceID  = "4bf92f3577b34da6a3ce929d0e0e4736"
	parentID = "00f067aa0ba902b7"
)

func TestTraceparentIsContinuedWhereItIsWellFormed(t *testing.T) {
	t.Parallel()
	const good = "00-" + traceID + "-" + parentID + "-01"
	for header, ok := range map[string]bool{
		good: true, good[:53] + "00": true, "01" + good[2:] + "-more": true, "cc" + good[2:]: true,
		"": false, good + "-more": false, "ff" + good[2:]: false, "01" + good[2:] + "more": false,
		strings.ToUpper(good): false, good[:54]: false, "00-" + strings.Repeat("0", 32) + "-" + parentID + "-01": false,
		"00-" + traceID + "-" + strings.Repeat("0", 16) + "-01": false, "0x" + good[2:]: false, strings.Replace(good, "4bf9", "4bg9", 1): false,
		strings.ReplaceAll(good, "-", "_"): false, good[:53] + "0g": false, " " + good: false,
	} {
		got, is := twinplatform.Continued(header)
		if is != ok || got.Valid() != ok {
			t.Errorf("%q is continued: %v", header, is)
		}
		if ok && (got.TraceID() != traceID || hex.EncodeToString(got.Parent[:]) != parentID || got.SpanID() == parentID) {
			t.Errorf("%q is continued by %+v", header, got)
		}
		if ok && got.Sampled != (header[53:55] == "01") {
			t.Errorf("%q is sampled: %v", header, got.Sampled)
		}
	}
	if a, b := twinplatform.NewTrace(), twinplatform.NewTrace(); !a.Valid() || a.ID == b.ID || a.Span == b.Span {
		t.Errorf("new traces are %+v and %+v", a, b)
	}
}

func TestTracesTravelInContexts(t *testing.T) {
	t.Parallel()
	if _, ok := twinplatform.TraceOf(t.Context()); ok {
		t.Error("there is a trace")
	}
	want := twinplatform.NewTrace()
	if got, ok := twinplatform.TraceOf(twinplatform.WithTrace(t.Context(), want)); !ok || got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
