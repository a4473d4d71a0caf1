package bench_test

import (
	"context"
	"encoding/json"
)

// controlRows touch no store. The wait of the other user during them is what the machine,
// the scheduler and the collector make of concurrent work, and comes with every other row
// too.
var controlRows = []row{
	{"control", 60_000, 20, func(_ *world, tasks int) func(context.Context) error {
		return func(context.Context) error {
			kept := make([]any, 0, tasks)
			for range tasks {
				text, err := json.Marshal(task("control"))
				if err != nil {
					return err
				}
				var decoded any
				if err := json.Unmarshal(text, &decoded); err != nil {
					return err
				}
				kept = append(kept, decoded)
			}
			_, err := json.Marshal(len(kept))
			return err
		}
	}},
}
