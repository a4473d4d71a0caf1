package schedules

import (
	"context"
	"math/rand/v2"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
)

// SeedAnyhow is Seed with the lists in any order that what their records refer to allows.
func (c *Contents) SeedAnyhow(ctx context.Context, p Plan, at func(model.Date), r *rand.Rand) error {
	lists := entity.Lists[*content](kinds)
	r.Shuffle(len(lists), func(i, j int) { lists[i], lists[j] = lists[j], lists[i] })
	return seedLists(ctx, lists, &content{model.Transfer{At: at}, p, c})
}
