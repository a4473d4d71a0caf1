package twinplatform_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
)

func TestMappedPageHasOtherRecordsAndTheSameTokens(t *testing.T) {
	t.Parallel()
	page := twinplatform.NewPage[string]([][]byte{[]byte(`"a"`), []byte(`"b"`)}, nil)
	page.Next, page.Delta, page.ETag, page.Top = "next", "delta", `"e"`, 2
	mapped, err := page.Map(func(rec twinplatform.Record[string]) (twinplatform.Record[string], error) {
		rec.Value += "!"
		rec.JSON = append([]byte("x"), rec.JSON...)
		return rec, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	values, err := mapped.Values()
	if diff := cmp.Diff([]string{"a!", "b!"}, values); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if diff := cmp.Diff([][]byte{[]byte(`x"a"`), []byte(`x"b"`)}, mapped.JSON()); diff != "" {
		t.Error(diff)
	}
	if mapped.Next != "next" || mapped.Delta != "delta" || mapped.ETag != `"e"` || mapped.Top != 2 {
		t.Errorf("tokens of %+v", mapped)
	}
	if values, err := page.Values(); err != nil || !cmp.Equal(values, []string{"a", "b"}) {
		t.Errorf("the page itself became %q, %v", values, err)
	}
}

func TestPageThatCannotBeMappedStaysAsItIs(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	page := twinplatform.PageOf([]twinplatform.Record[int]{{Value: 1, JSON: []byte("1")}})
	same, err := page.Map(func(twinplatform.Record[int]) (twinplatform.Record[int], error) {
		return twinplatform.Record[int]{}, failed
	})
	if !errors.Is(err, failed) || same.Len() != 1 {
		t.Errorf("%d records, %v", same.Len(), err)
	}
}
