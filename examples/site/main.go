// Command site draws the schedule of a seed at some days, in the 3D model that it is tied to. What
// it writes is a picture of its boxes, as SVG:
//
//	go run ./examples/site examples/server/testdata/world-j30.json 2026-01-19 2026-02-05 2026-03-06 >site.svg
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/isometric"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: site world.json day...")
	}
	if err := draw(context.Background(), os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func draw(ctx context.Context, out io.Writer, seed string, days []string) (err error) {
	file, err := os.Open(seed)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	world, err := platform.ReadWorld(file)
	if err != nil {
		return err
	}
	if len(world.Schedules) == 0 {
		return errors.New("the seed has no schedule")
	}
	p, err := platform.New(memory.New(), platform.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	if err := p.Seed(ctx, world, platform.SeedOptions{}); err != nil {
		return err
	}
	plan := &world.Schedules[0]
	boxes := make(map[string]fourd.Box)
	elements := func(ctx context.Context, q models.ElementQuery) (twinplatform.Page[models.Element], error) {
		return p.Transform.Models().Elements(ctx, string(plan.ModelID), q)
	}
	for e, err := range twinplatform.All(ctx, elements, models.ElementQuery{}) {
		if err != nil {
			return err
		}
		if e.BoundingBox != nil {
			boxes[e.ID] = fourd.Box{Min: fourd.Vector(e.BoundingBox.Low), Max: fourd.Vector(e.BoundingBox.High)}
		}
	}
	scenes := make([]isometric.Scene, len(days))
	for i, day := range days {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return err
		}
		scenes[i].Title = at.Format("2 January 2006")
		q := animation.StateQuery{Time: twinplatform.At(at.Add(12 * time.Hour))}
		q.ModelID = string(plan.ModelID)
		states := animation.In(p.Schedules.In(plan.ID)).At
		for s, err := range twinplatform.All(ctx, states, q) {
			if err != nil {
				return err
			}
			solid := isometric.Solid{Box: boxes[s.AnimatedEntityID], State: s.State()}
			scenes[i].Solids = append(scenes[i].Solids, solid)
		}
	}
	return isometric.SVG(out, scenes)
}
