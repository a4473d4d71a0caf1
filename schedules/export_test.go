package schedules

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SeedAnyhow is Seed with the lists in any order that what their records refer to allows.
func (c *Contents) SeedAnyhow(ctx context.Context, p Plan, at func(time.Time), r *rand.Rand) error {
	lists := entity.Lists[*content](kinds)
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	return seedLists(ctx, lists, &content{model.Transfer{At: at}, p, c})
}

// AppendSaid is what is hashed of what the file of an import says.
var AppendSaid = appendSaid

// HashesOfFacts are the hashes of the same facts, put together without a list and in one.
func HashesOfFacts(text string, n int32, seconds *int32, at twinplatform.DateTime, used Utilization) (facts, list string) {
	var d importDiff
	d.says().text("of the thing before")
	return hashOf(d.says().text(text).number(n).seconds(seconds).at(at).member(&used)), hashOf([]any{text, n, seconds, at, used})
}
