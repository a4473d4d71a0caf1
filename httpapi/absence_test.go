package httpapi_test

import (
	"reflect"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// TestWhatAChangeLeavesOutDiffersFromWhatItClears holds the body of every PATCH and PUT
// to it, except for one that replaces a whole record: a property that is not sent can
// never be taken for one that is null, empty or false.
func TestWhatAChangeLeavesOutDiffersFromWhatItClears(t *testing.T) {
	t.Parallel()
	bodies := httpapi.ChangingBodies()
	if len(bodies) < 10 {
		t.Fatalf("there are but %d operations that change something", len(bodies))
	}
	// The PUT of a filter replaces the whole record: what is not sent is asked no more.
	delete(bodies, "taskQueryFilters.update")
	for id, body := range bodies {
		describesAbsence(t, id, "", body)
	}
}

func describesAbsence(t *testing.T, id, path string, body reflect.Type) {
	t.Helper()
	// The domain refuses a request without these.
	required := map[string]bool{
		"realityData.move twinId": true, "taskLinks.updateMany taskLinks.id": true, "resourceAssignments.updateMany resourceAssignments.id": true,
		"savedViewExtensions.set extensionName": true, "savedViewExtensions.set data": true, "savedViewImages.set image": true,
	}
	for name, property := range httpapi.Fields(body) {
		switch _, ok := httpapi.OptionalOf(property); {
		case ok || required[id+" "+path+name]:
		case property.Kind() == reflect.Slice:
			describesAbsence(t, id, path+name+".", property.Elem())
		default:
			t.Errorf("%s: %s may be left out unnoticed", id, path+name)
		}
	}
}
