package webhooks_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/webhooks"
)

func TestNetworksAreSeparatedByCommas(t *testing.T) {
	t.Parallel()
	got, err := webhooks.ParseNetworks("10.0.0.0/8, ::1/128")
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Prefix{})); diff != "" || err != nil {
		t.Errorf("networks (-want +got): %v\n%s", err, diff)
	}
	for _, text := range []string{"", "10.0.0.0", "10.0.0.0/8,", "everything"} {
		if got, err := webhooks.ParseNetworks(text); err == nil {
			t.Errorf("%q is taken for %v", text, got)
		}
	}
}
