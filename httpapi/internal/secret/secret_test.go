package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/secret"
)

func TestMembersThatHoldASecretAreNamedInAnySpelling(t *testing.T) {
	t.Parallel()
	want := []string{"authentication", "queryParameters", "secret", "shareKey"}
	if diff := cmp.Diff(want, secret.Members()); diff != "" {
		t.Errorf("members that hold a secret (-want +got):\n%s", diff)
	}
	for _, m := range want {
		for _, name := range []string{m, strings.ToUpper(m), m[:3] + "_" + m[3:], m[:3] + "-" + m[3:]} {
			if !secret.Named(name) {
				t.Errorf("%s is taken for none", name)
			}
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
