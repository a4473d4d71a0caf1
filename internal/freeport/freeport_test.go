package freeport_test

import (
	"net"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/freeport"
)

func TestAddressesAreFreeAndGivenOnce(t *testing.T) {
	t.Parallel()
	for range 500 { // all of which still listen
		address, err := freeport.Address(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
	}
}

func TestWhatAsksForAnyPortGetsNoneThatIsGiven(t *testing.T) {
	t.Parallel()
	given := make(map[string]bool)
	for range 100 {
		address, err := freeport.Address(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		given[address] = true
	}
	for range 5000 {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if given[l.Addr().String()] {
			t.Errorf("%s is given, and another's", l.Addr())
		}
		_ = l.Close()
	}
}
