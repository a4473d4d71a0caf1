package httpapi_test

import (
	stdjson "encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

func TestDeliveriesHaveTheWordsOfTheDeploymentAndTextsOfPeopleAsTheyAre(t *testing.T) {
	t.Parallel()
	v, err := httpapi.ParseVocabulary(strings.NewReader(`{
		"values": {"Thing": "Bed", "Asset": "Plot", "User": "Human", "Succeeded": "Done", "FilterBySavedView": "Sieve"},
		"areas": {"webhooks": {"values": {"Asset": "Patch"}}}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	for plain, said := range map[string]string{
		`{"content":{"accountOwnerType":"User","twinClass":"Thing","twinSubClass":"Asset"},"twinId":"Thing"}`: `{"content":{"accountOwnerType":"Human","twinClass":"Bed","twinSubClass":"Patch"},"twinId":"Thing"}`,
		`{"content":{"memberId":"User","memberType":"User","roleName":"Thing"}}`:                              `{"content":{"memberId":"User","memberType":"Human","roleName":"Thing"}}`,
		`{"content":{"status":"Succeeded","transformType":"FilterBySavedView"}}`:                              `{"content":{"status":"Done","transformType":"Sieve"}}`,
		`{"content":{"status":"Aborted","twinClass":"Endeavor"}}`:                                             `{"content":{"status":"Aborted","twinClass":"Endeavor"}}`,
	} {
		if diff := cmp.Diff(said, string(d.Write([]byte(plain)))); diff != "" {
			t.Errorf("delivered (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(plain, string(d.Read([]byte(said)))); diff != "" {
			t.Errorf("read (-want +got):\n%s", diff)
		}
	}
}

// TestEachWordOfAnEnumerationInAContentIsTranslated finds a content to which a kind is added.
func TestEachWordOfAnEnumerationInAContentIsTranslated(t *testing.T) {
	t.Parallel()
	v, err := httpapi.ParseVocabulary(strings.NewReader(`{"values": {"User": "Human"}}`))
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, kind := range event.Catalogue() {
		typ := reflect.TypeOf(kind.Content)
		for field := range typ.Fields() {
			if field.Type != reflect.TypeFor[twinplatform.PrincipalKind]() {
				continue
			}
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			body, err := stdjson.Marshal(map[string]any{"content": map[string]any{name: twinplatform.User}})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(d.Write(body)); !strings.Contains(got, "Human") {
				t.Errorf("%s: %s", kind.Type(), got)
			}
			found = append(found, name)
		}
	}
	if !slices.Contains(found, "memberType") || !slices.Contains(found, "accountOwnerType") {
		t.Errorf("the kinds of principals are %q", found)
	}
}
