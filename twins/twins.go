// Package twins manages the twins of accounts - projects, assets and what else
// is built or run - and who may do what with them: roles, members and
// invitations.
//
// A [Service] does the work over any storage.Store:
//
//	svc := twins.New(memory.New(), twins.Config{})
//	res, err := svc.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
//
// It is also the authorizer that the other domains are handed: what a caller may
// do at a twin follows from the roles that it holds there and at every twin
// above. And it is their directory of twins:
//
//	schedules.New(store, schedules.Config{Env: twinplatform.Env{Authorizer: svc}, Twins: svc})
//
// Every call checks what the caller in its context may do; a program that puts
// no principal into the context acts as the system. Every failure is a
// *twinplatform.Error with the documented code.
//
// # Twins
//
// A [Twin] belongs to an account and may be below another twin: see [Service.CreateTwin] and [Service.Twins].
//
// # Who may do what
//
// A [Role] has permissions, a [Member] has roles at a twin and at all below it, and an invitation asks someone of
// another account to become a member.
package twins

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Limits of the twins area.
const (
	// MaxTop is the largest page of a list; DefaultTop is taken where the
	// request names none.
	MaxTop     = 1_000
	DefaultTop = 100
	// MaxReturn is how many twins a list may be asked for on all pages together;
	// DefaultReturn is taken over HTTP where the request names none.
	MaxReturn     = 10_000
	DefaultReturn = 1_000
	// MaxText is the length of a twin's display name, number and geographic
	// location, and of the texts of roles and members, in characters.
	MaxText = 255
	// MaxMessage is the length of the message to those who are invited, in characters.
	MaxMessage = 1_000
	// MaxType is the length of a twin's type, in characters.
	MaxType = 100
	// MaxRecents is how many of the twins that a caller used last are
	// remembered.
	MaxRecents = 25
	// MaxFavorites is the number of favorites of one caller.
	MaxFavorites = 1_000
	// MaxMembers is the number of members of one twin. Those of the twins above
	// do not count.
	MaxMembers = 2_000
	// MaxRoles is the number of roles of one twin.
	MaxRoles = 100
	// MaxPermissions is the number of permissions of one role; MaxPermission is
	// the length of one, in characters.
	MaxPermissions = 200
	MaxPermission  = 100
	// MaxInvitations is the number of open invitations to one twin.
	MaxInvitations = 500
	// MaxGroups is the number of groups of one twin, and of groups that have roles at one.
	MaxGroups = 100
	// MaxGroupPeople is the number of people in one group; MaxGroupsOfPerson is the number of
	// groups of an account that one of its principals is in.
	MaxGroupPeople    = 50
	MaxGroupsOfPerson = 1_000
	// MaxShares is the number of shares of one twin that have not ended; MaxShareTime is how
	// long one is good, unless it is to end before.
	MaxShares    = 10
	MaxShareTime = 90 * 24 * time.Hour
	// MaxGroupTwins is the number of twins at which one group has roles.
	MaxGroupTwins = 500
	// MaxRepositories is the number of repositories of one twin.
	MaxRepositories = 100
	// MaxURI is the length of the address of a repository, in characters;
	// MaxRepositoryValue limits the value of its authentication.
	MaxURI             = 2_048
	MaxRepositoryValue = 4_096
	// MaxRepositoryOptions is the size of the options of a repository as JSON, in bytes.
	MaxRepositoryOptions = 16 << 10
	// MaxRepositoryResources is the number of resources of all repositories of one twin.
	MaxRepositoryResources = 1_000
	// MaxResourceProperties is the size of the properties of a resource of a repository as
	// JSON, in bytes.
	MaxResourceProperties = 4 << 10
	// MaxAssignments is how many roles AddMembers gives all together.
	MaxAssignments = 100
	// InvitationTime is how long an invitation can be accepted, unless Config says
	// otherwise.
	InvitationTime = 14 * 24 * time.Hour
	// MaxDepth is the number of twins above one another, the account counted.
	MaxDepth = 64
)

// Config configures a Service. The zero value is ready.
type Config struct {
	// Env is the clock, the ids and the log. With a nil Env.Authorizer, the
	// service decides itself, by roles and members.
	Env twinplatform.Env
	// Holders are asked before a twin is deleted: one of which anything is held
	// stays. Holders that are made after the service are added by
	// Service.AddHolder.
	Holders []twinplatform.TwinHolder
	// People reports who is known by which address. Nil means those that the service has
	// seen: see Service.Know.
	People Directory
	// InvitationTime is how long after it was made an invitation can be accepted. It
	// holds for those that are open as well. 0 means the constant of that name; with a
	// negative time invitations do not end.
	InvitationTime time.Duration
	// Repositories are for all twins: Service.GlobalRepositories lists them, in this order.
	// CheckGlobalRepositories says what is wrong with them; what is, is left out.
	Repositories []GlobalRepository
	// Permissions are the program's own, which roles may hold besides those of the
	// function Permissions. Others are refused, as they would be misspelt.
	Permissions []string
}

// Service is the twins area. It is safe for concurrent use.
type Service struct {
	db    *records.DB
	env   twinplatform.Env
	bench judge.Bench
	// people is asked before transactions, as it may be far away.
	people Directory
	// invited is how long an invitation can be accepted.
	invited time.Duration
	// permissions lists what roles may hold.
	permissions []string

	// repositories are those for all twins.
	repositories []globalRepository

	// calls is a *calls. Behind an interface, what imports this package does not compile
	// every generic type that it is made of once more.
	calls any

	jobs  *jobs.Runner
	blobs *blob.Keeper
	// exportTwins is MaxExportTwins, or fewer in tests.
	exportTwins int

	own      bool // the service is its own authorizer
	local    bool // the authorizer answers within the transaction
	holders  atomic.Pointer[[]twinplatform.TwinHolder]
	grants   kept[grantKey, *grant]
	seeing   kept[grantKey, bool] // what seesAsMember says
	accounts kept[string, string] // of twins
	// sources are where grants came from when they were resolved last: what to read first.
	sources kept[sourceKey, *source]
	// belonging are the groups of an account that principals are in.
	belonging kept[grantKey, []groupRef]
	// joined are the twins that principals are members of, with the branches among them.
	joined kept[who, *joined]
	// places are the last twins of pages, behind which the next ones begin.
	places kept[beginning, string]
}

// calls are what a Service does with each type of record.
type calls struct {
	roles       family[Role, NewRole, RolePatch]
	members     family[Member, NewMember, MemberPatch]
	invitations family[Invitation, NewInvitation, entity.None]

	groups       family[Group, NewGroup, GroupPatch]
	groupMembers family[GroupMember, NewGroupMember, GroupMemberPatch]
	shares       family[Share, NewShare, entity.None]
	// repositories are all that a twin has here but who may do what.
	repositories family[Repository, NewRepository, RepositoryPatch]

	exports  jobs.Kind[exporting, struct{}]
	renewals jobs.Kind[renewal, Role]
}

func callsOf(s *Service) *calls { return s.calls.(*calls) }

var _ interface {
	twinplatform.Authorizer
	twinplatform.Transactional
} = (*Service)(nil)

// Transactional implements twinplatform.Transactional.
func (*Service) Transactional() {}

// New returns the twins area over a store. It starts nothing.
func New(store storage.Store, cfg Config) *Service {
	s := &Service{
		db: records.New(store), env: cfg.Env.WithDefaults(), people: cfg.People,
		invited: cmp.Or(cfg.InvitationTime, InvitationTime),
	}
	s.permissions = slices.Concat(Permissions(), cfg.Permissions)
	s.repositories, _ = globalRepositories(cfg.Repositories)
	if s.people == nil {
		s.people = seen{s}
	}
	s.db.OnEvents(s.env.OnEvents)
	if s.own = s.env.Authorizer == nil; s.own {
		s.env.Authorizer = s
	}
	s.bench = judge.Bench{DB: s.db, Env: s.env}
	c := new(calls)
	s.calls = c
	c.roles, c.members, c.invitations = roleFamily(s), memberFamily(s), invitationFamily(s)
	c.groups, c.groupMembers = groupFamily(s), groupMemberFamily(s)
	c.shares = shareFamily(s)
	c.repositories = repositoryFamily(s)
	s.blobs = blob.NewKeeper(s.db, s.env)
	s.jobs = jobs.NewRunner(s.db, s.env, "twins")
	s.exportTwins = MaxExportTwins
	s.defineExports()
	s.jobs.AddGC(s.blobs.Sweep)
	s.jobs.AddGC(s.forgetInvitations)
	s.jobs.AddGC(s.forgetRemovals)
	s.jobs.AddGC(s.forgetShares)
	c.renewals = jobs.Define(s.jobs, "role.renew", renewHolders, "roles.update")
	_, s.local = s.env.Authorizer.(twinplatform.Transactional)
	s.holders.Store(&[]twinplatform.TwinHolder{})
	s.AddHolder(cfg.Holders...)
	return s
}

// AddHolder adds domains that are asked before a twin is deleted. The domains
// know the service as their authorizer, and so are made after it. A holder that is nil holds nothing.
func (s *Service) AddHolder(holders ...twinplatform.TwinHolder) {
	holders = slices.DeleteFunc(slices.Clone(holders), func(h twinplatform.TwinHolder) bool { return h == nil })
	for {
		old := s.holders.Load()
		all := append((*old)[:len(*old):len(*old)], holders...)
		if s.holders.CompareAndSwap(old, &all) {
			return
		}
	}
}

// Run makes the exports that are in the background, or that an earlier process left,
// forgets those that are no longer kept, and what has ended longer ago than Env.Retain,
// invitations among it,
// until ctx is done. It returns nil then, and an error only when the store does.
func (s *Service) Run(ctx context.Context) error { return s.jobs.Run(ctx) }

func (s *Service) now() twinplatform.DateTime { return twinplatform.At(s.env.Now()) }
