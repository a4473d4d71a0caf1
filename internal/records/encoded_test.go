package records_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// staged holds a record as it is encoded.
type staged struct {
	ID     string          `json:"id"`
	Record records.Encoded `json:"record,omitempty"`
	After  string          `json:"after"`
}

var stagedRecords = records.Collection[staged]{Name: "staged", Untracked: true, ID: func(s *staged) string { return s.ID }}

func TestRecordsAreHeldAsTheyAreEncoded(t *testing.T) {
	t.Parallel()
	db := records.New(memory.New())
	inner := staged{ID: `a "quoted" <name>, Ω`, After: "}],"}
	encoded, err := stagedRecords.Table().Encode(&inner)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []staged{{ID: "whole", Record: encoded, After: "x"}, {ID: "none", After: "y"}} {
		var got *staged
		err := db.Update(t.Context(), func(u *records.Update) (err error) {
			if _, err = stagedRecords.Put(u, "s", &want); err == nil {
				got, err = stagedRecords.Value(u, "s", want.ID)
			}
			return err
		})
		if diff := cmp.Diff(&want, got); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
		data, err := json.Marshal(want)
		var plainly staged
		if err == nil {
			err = json.Unmarshal(data, &plainly)
		}
		if diff := cmp.Diff(want.ID, plainly.ID); diff != "" || err != nil || (plainly.Record == nil) != (want.Record == nil) {
			t.Errorf("encoding/json: %v\n%s", err, diff)
		}
	}
	back, err := stagedRecords.Table().Decode(encoded)
	if diff := cmp.Diff(any(&inner), back); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
}

var grouped = records.Collection[staged]{
	Name: "grouped", ID: func(s *staged) string { return s.ID },
	Indexes: []records.Index[staged]{{Name: "after", Value: func(s *staged) string { return s.After }}},
}

// TestEncodedRecordsAreStoredAsOthers compares what a scope holds once records were put that
// were encoded before with what it holds otherwise.
func TestEncodedRecordsAreStoredAsOthers(t *testing.T) {
	t.Parallel()
	stored := func(encoded bool) map[string]string {
		store := memory.New()
		err := records.New(store).Update(t.Context(), func(u *records.Update) error {
			for i, v := range []staged{{ID: "a", After: "one"}, {ID: "b", After: "two"}, {ID: "a", After: "three"}, {ID: "a", After: "three"}} {
				e, err := grouped.Table().Encode(&v)
				if err != nil {
					return err
				}
				if !encoded {
					e = nil
				}
				if err := grouped.Table().PutEncoded(u, "s", &v, e, i < 2); err != nil {
					return err
				}
			}
			return nil
		})
		all := make(map[string]string)
		if err == nil {
			err = store.View(t.Context(), func(r storage.Reader) error {
				for key, value := range r.Scan("s/grouped/r", "") {
					all[key] = string(value)
				}
				for key, value := range r.Scan("s/grouped/i", "") {
					all[key] = string(value)
				}
				for key, value := range r.Scan("s/grouped/c", "") {
					all[key] = string(value)
				}
				return nil
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	want := stored(false)
	if diff := cmp.Diff(want, stored(true)); diff != "" || len(want) != 6 {
		t.Errorf("%d keys, want 6\n%s", len(want), diff)
	}
}
