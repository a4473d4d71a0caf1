package records_test

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

var sorts = records.Collection[everything]{Name: "sorts", Untracked: true, ID: func(v *everything) string { return v.Skipped }}

func TestAMemberThatIsReadAloneIsThatOfTheWholeRecord(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		all := values()
		err := s.update(func(u *records.Update) error {
			for i := range all {
				all[i].Skipped = strconv.Itoa(i)
				if _, err := sorts.Put(u, bin, &all[i]); err != nil {
					return err
				}
			}
			for i := range all {
				whole, err := sorts.Value(u, bin, all[i].Skipped)
				if err != nil {
					return err
				}
				for f := range reflect.TypeFor[everything]().NumField() {
					name, _, _ := strings.Cut(reflect.TypeFor[everything]().Field(f).Tag.Get("json"), ",")
					field := func(v *everything) any { return reflect.ValueOf(v).Elem().Field(f).Interface() }
					alone, err := records.Peek(&sorts, u, bin, all[i].Skipped, name, field)
					if err != nil {
						return err
					}
					if diff := cmp.Diff(field(whole), alone); diff != "" {
						t.Errorf("%s of %s: %s", name, all[i].Skipped, diff)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestAMemberIsReadOutOfRecordsOfEarlierVersionsAndOtherWriters(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, s *shelf) {
		s.put(part{ID: "a", Group: "g"})
		err := s.update(func(u *records.Update) error {
			return sorts.Table().PutEncoded(u, bin, &everything{Skipped: "odd"}, records.Encoded(`{"TEXT":"of another case","int" : 7,"bool":true}`), true)
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.update(func(u *records.Update) error {
			color, err := records.Peek(&grownParts, u, bin, "a", "color", func(p *grownPart) string { return p.Color })
			if diff := cmp.Diff("grey", color); diff != "" || err != nil {
				t.Errorf("a member that was added later: %v %s", err, diff)
			}
			for member, want := range map[string]everything{
				"text": {Text: "of another case"}, "int": {Int: 7}, "bool": {Bool: true}, "empty": {},
			} {
				got, err := records.Peek(&sorts, u, bin, "odd", member, func(v *everything) everything { return *v })
				of := map[string][2]any{"text": {want.Text, got.Text}, "int": {want.Int, got.Int}, "bool": {want.Bool, got.Bool}, "empty": {want.Empty, got.Empty}}[member]
				if diff := cmp.Diff(of[0], of[1]); diff != "" || err != nil {
					t.Errorf("%s of what is not in the order of the type: %v %s", member, err, diff)
				}
			}
			_, err = records.Peek(&sorts, u, bin, "none", "text", func(v *everything) string { return v.Text })
			if !errors.Is(err, records.ErrNotFound) {
				t.Errorf("of a record that is not there: %v, want ErrNotFound", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
