package httpapi_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// BenchmarkVocabulary shows what other names cost, and that none cost nothing: "none"
// is the handler of a Config without a vocabulary.
func BenchmarkVocabulary(b *testing.B) {
	plain := newWorld(b).handler
	worlds := []struct {
		name       string
		h          *httpapi.Handler
		list, post string
	}{
		{"none", plain, "/schedules/plan/tasks?$top=1000", "/schedules/plan/tasks"},
		{"garden", inTheGarden(b, plain), "/seasons/plan/chores?$most=1000", "/seasons/plan/chores"},
	}
	for range 200 {
		if w := ask(plain, "POST", "/schedules/plan/tasks", `{"name": "Dig", "type": "Work"}`, "Authorization: ", "Authorization: Bearer writer"); w.Code != 202 {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	for _, world := range worlds {
		b.Run("list/"+world.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w := ask(world.h, "GET", world.list, "", "Authorization: ", "Authorization: Bearer writer")
				b.SetBytes(int64(w.Body.Len()))
			}
		})
		b.Run("refuse/"+world.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(world.h, "POST", world.post, `{"name": "", "comment": "a comment of some length", "estimatedRate": 1}`, "Authorization: ", "Authorization: Bearer writer")
			}
		})
	}
}
