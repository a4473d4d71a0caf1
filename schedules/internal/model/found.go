package model

import "github.com/seed-933f9a09/twinplatform/internal/records"

// ChangeFound changes the records with a value in an index, so that they have another
// one, and reports false when the step ended before that.
func ChangeFound[T any](
	u *records.Update, s records.Scope, c *records.Collection[T], index, equals string, step *records.Step, change func(*T),
) (whole bool, err error) {
	for id := range c.IDs(u, s, index, equals) {
		if more, err := step.More(); !more || err != nil {
			return false, err
		}
		rec, err := c.Modify(u, s, id, "", func(v *T) error {
			change(v)
			return nil
		})
		if err != nil {
			return false, err
		}
		step.Spend(len(rec.JSON))
	}
	return true, nil
}
