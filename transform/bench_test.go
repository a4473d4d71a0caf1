package transform_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
)

// BenchmarkTransformation runs a configuration of 10,000 elements for the first time,
// or of as many times that as TRANSFORM_SCALE says: 100 makes a million.
func BenchmarkTransformation(b *testing.B) {
	scale, _ := strconv.Atoi(os.Getenv("TRANSFORM_SCALE"))
	elements := 10_000 * max(scale, 1)
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		b.StopTimer()
		ctx := context.Background()
		svc := transform.New(memory.New(), transform.Config{Twins: twins{"source", "target"}})
		for _, n := range []transform.NewModel{{ID: "source-model", TwinID: "source", DisplayName: "s"}, {ID: "target-model", TwinID: "target", DisplayName: "t"}} {
			_, err := svc.CreateModel(ctx, n)
			must(err)
		}
		target, err := svc.Target(ctx, "source-model")
		must(err)
		for from := 0; from < elements; from += 500 {
			must(target.Write(ctx, "big", func(d transform.Draft) error {
				for i := from; i < from+500; i++ {
					if err := d.Put(transform.Element{ID: fmt.Sprintf("0x%06x", i), Class: "Part", Category: "walls", Geometry: []byte(fmt.Sprint("shape ", i))}); err != nil {
						return err
					}
				}
				return nil
			}))
		}
		_, err = target.Commit(ctx, "big", "")
		must(err)
		_, err = svc.CreateSavedView(ctx, transform.NewSavedView{ID: "shared", ModelID: "source-model", DisplayName: "x", Shared: true})
		must(err)
		conf, err := svc.CreateConfiguration(ctx, wanted())
		must(err)
		b.StartTimer()
		res, err := svc.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: conf.Value().ID})
		must(err)
		if done := res.Value(); done.Status != transform.Succeeded || done.Report.InsertedCount != elements+2 {
			b.Fatalf("%+v", done)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(elements), "ns/element")
}
