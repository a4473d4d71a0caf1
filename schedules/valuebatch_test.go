package schedules_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// covers: operations taskUserFieldValues.setMany resourceUserFieldValues.setMany
func TestBatchOfUserFieldValuesIsSetWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b")
		p.field("f", userfields.TaskField, userfields.IntegerField)
		set := func(batch ...userfields.NewUserFieldValue) error {
			_, err := userfields.In(p.in()).SetUserFieldValues(p.ctx, userfields.TaskField, batch)
			return err
		}
		of := func(task string, v int64) userfields.NewUserFieldValue {
			return userfields.NewUserFieldValue{TaskID: task, UserFieldID: "f", IntValue: &v}
		}
		invalid("MissingRequiredProperty batch").check(p, set())
		invalid("MissingRequiredProperty batch[1].taskId").check(p, set(of("a", 1), of("", 2)))
		invalid("InvalidValue batch[1].stringValue").check(p, set(of("a", 1), userfields.NewUserFieldValue{TaskID: "b", UserFieldID: "f", StringValue: new("2")}))
		noTask.check(p, set(of("a", 1), of("nobody", 2)))
		if values, _ := p.values(userfields.TaskField, userfields.UserFieldValueQuery{}); len(values) != 0 {
			p.Errorf("of refused batches stayed %+v", values)
		}
		if err := set(of("a", 3), of("a", 1), of("b", 2)); err != nil {
			p.Fatal(err)
		}
		values, _ := p.values(userfields.TaskField, userfields.UserFieldValueQuery{})
		want := []userfields.UserFieldValue{{TaskID: "a", UserFieldID: "f", Value: "1"}, {TaskID: "b", UserFieldID: "f", Value: "2"}}
		if diff := cmp.Diff(want, values); diff != "" {
			p.Error(diff)
		}
	})
}
