package realitydata_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

// On a full disk bytes can still be read: the address is given where the access cannot be
// noted. Who may not have it is refused as ever.
func TestAddressesAreGivenWhereTheAccessCannotBeNoted(t *testing.T) {
	t.Parallel()
	f := newFiles(t)
	disk := storetest.NewFull(storetest.New(t))
	svc := realitydata.New(disk, realitydata.Config{
		Env: twinplatform.Env{Authorizer: grants{}}, Twins: directory{"bridge": "acme"}, Containers: f.folder,
	})
	res, err := svc.CreateRealityData(t.Context(), realitydata.NewRealityData{TwinID: "bridge", DisplayName: "Überführung", Type: "LAS"})
	if err != nil {
		t.Fatal(err)
	}
	id, before := res.Value().ID, res.Value().LastAccessedDateTime
	stranger := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: "stranger", AccountID: "acme", Kind: twinplatform.User})
	disk.Leave(storetest.Nothing)
	for name, access := range map[string]func() (realitydata.Access, error){
		"read":  func() (realitydata.Access, error) { return svc.ReadAccess(t.Context(), id, "bridge") },
		"write": func() (realitydata.Access, error) { return svc.WriteAccess(t.Context(), id, "") },
	} {
		if a, err := access(); err != nil || a.URL == "" {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if _, err := svc.ReadAccess(stranger, id, ""); twinplatform.AsError(err).Code != "RealityDataNotFound" {
		t.Errorf("a stranger is answered with %v", err)
	}
	if now, err := svc.RealityData(t.Context(), id, ""); err != nil || now.Value.LastAccessedDateTime != before {
		t.Errorf("noted is %v (%v)", now.Value.LastAccessedDateTime, err)
	}
}
