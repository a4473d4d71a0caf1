package twins_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestAddressesAreComparedByTheCaseOfASCIILettersAlone(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		a, b string
		same bool
	}{
		"equal":                          {"sam@kelvin.example", "sam@kelvin.example", true},
		"upper case":                     {"sam@kelvin.example", "SAM@Kelvin.EXAMPLE", true},
		"none":                           {"", "", false},
		"Kelvin sign in the domain":      {"sam@kelvin.example", "sam@\u212aelvin.example", false},
		"long s in the name":             {"sam@kelvin.example", "\u017fam@kelvin.example", false},
		"long s in the domain":           {"a@sun.example", "a@\u017fun.example", false},
		"accent":                         {"a@uber.example", "a@über.example", false},
		"case of letters outside ASCII":  {"a@über.example", "a@Über.example", false},
		"the same letters outside ASCII": {"ä@über.example", "ä@ÜBER.example", false},
		"ASCII and other letters":        {"ä@über.example", "ä@übER.EXAMPLE", true},
		"bytes that are no UTF-8":        {"a\xff@b.example", "a\xfe@b.example", false},
		"a sign that differs by the bit": {"a[@b.example", "a{@b.example", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := twins.SameAddress(tt.a, tt.b); got != tt.same {
				t.Errorf("SameAddress(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.same)
			}
			if twins.SameAddress(tt.b, tt.a) != tt.same {
				t.Errorf("SameAddress(%q, %q) differs the other way round", tt.a, tt.b)
			}
		})
	}
}

func TestLookAlikeAddressAcceptsNoInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	role := w.grant(t, twin.ID, "x", "schedules_read")
	for _, n := range []struct{ invited, lookAlike string }{
		{"sam@kelvin.example", "sam@\u212aelvin.example"},
		{"sam@sun.example", "\u017fam@sun.example"},
		{"sam@\u212aelvin.test", "sam@kelvin.test"},
	} {
		invitation, err := w.CreateInvitation(admin(t), twin.ID, twins.NewInvitation{Email: n.invited, RoleIDs: []string{role.ID}})
		if err != nil {
			t.Fatal(err)
		}
		p := user("look-alike", other)
		p.Email = n.lookAlike
		_, err = w.AcceptInvitation(as(t, p), twin.ID, invitation.Value().ID, twins.NewMember{})
		wantProblem(t, err, twinplatform.NotFound, "InvitationNotFound invitationId:")
		w.wantAllowed(t, false, p, "schedules_read", twin.ID)
	}
}

func TestLookAlikeAddressIsNotMadeAnOwner(t *testing.T) {
	t.Parallel()
	w := newWorld(t, twins.Config{})
	twin := w.twin(t, admin(t), twins.NewTwin{DisplayName: "A"})
	lookAlike := user("look-alike", acme)
	lookAlike.Email = "sam@\u212aelvin.example"
	w.know(t, lookAlike)
	added, err := w.AddOwner(admin(t), twin.ID, twins.NewOwner{Email: "sam@kelvin.example"})
	if diff := cmp.Diff([]string{"invitation sam@kelvin.example"}, came(added)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	w.wantAllowed(t, false, lookAlike, twins.PermissionManageMembers, twin.ID)
	sam := user("sam", acme)
	sam.Email = "Sam@Kelvin.example"
	w.know(t, sam)
	added, err = w.AddOwner(admin(t), twin.ID, twins.NewOwner{Email: "sam@kelvin.EXAMPLE"})
	if diff := cmp.Diff([]string{"member sam SAM"}, came(added)); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
