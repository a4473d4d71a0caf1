package secret_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/secret"
)

func TestMembersThatHoldASecretAreNamedInAnySpelling(t *testing.T) {
	t.Parallel()
	for _, m := range secret.Members() {
		for _, name := range []string{m.Name, strings.ToUpper(m.Name), m.Name[:3] + "_" + m.Name[3:], m.Name[:3] + "-" + m.Name[3:]} {
			if !secret.Named(name) {
				t.Errorf("%s of %s is taken for none", name, m.Area)
			}
		}
	}
}

// A row whose member the specification has not would say nothing.
func TestMembersThatHoldASecretAreThoseOfTheSpecification(t *testing.T) {
	t.Parallel()
	document := string(httpapi.OpenAPI("/"))
	for _, m := range secret.Members() {
		if !strings.Contains(document, `"`+m.Name+`"`) {
			t.Errorf("the specification has no member %s", m.Name)
		}
	}
}

func TestPlacesInListsAreNoSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Continuation-Token", "$deltaToken", "continuationToken", "skip_token", "page", "name"} {
		if secret.Named(name) || secret.Signs(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
	for _, name := range []string{"Authorization", "Set-Cookie", "clientSecret", "API_KEY", "refresh-token", "passwd", "password", "privateKey", "sig"} {
		if !secret.Named(name) {
			t.Errorf("%s is taken for none", name)
		}
	}
	for _, name := range []string{"sig", "se", "sp", "sv", "key", "code", "X-Amz-Signature", "x-amz-date"} {
		if !secret.Signs(name) {
			t.Errorf("an address with %s is taken for one that opens nothing", name)
		}
	}
}
