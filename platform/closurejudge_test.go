package platform_test

import (
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// unexplained reports what someone has gained or lost by a step whose caller could not
// have granted or revoked it.
func (w *closureWorld) unexplained(s closureStep, before, after *measured) string {
	j := &justice{w: w, s: s, before: before, after: after, held: before.can[s.actor]}
	for i := range people {
		for p := range after.can[i] {
			if !before.can[i][p] && !j.mayGain(i, p) {
				return fmt.Sprintf("By this %s gains %q on %s, which %s could not give.", personName(i), p.what, w.name(p.on), personName(s.actor))
			}
		}
		for p := range before.can[i] {
			if !after.can[i][p] && i != s.actor && !j.mayLose(i, p) {
				return fmt.Sprintf("By this %s loses %q on %s, which %s could not take.", personName(i), p.what, w.name(p.on), personName(s.actor))
			}
		}
	}
	return ""
}

// putOut are what people have lost by being removed from a twin, until someone else does
// anything: alone they get none of it back.
type putOut [people]struct {
	from string // the twin
	lost map[power]bool
}

// after notes what a step has taken from people, and says what one who was removed has
// regained by a step of that one.
func (out *putOut) after(w *closureWorld, s closureStep, before, after *measured) string {
	for i := range out {
		switch {
		case s.op == timePasses:
		case i != s.actor:
			out[i].lost = nil
			if s.op == "remove a member" && closurePeople[s.b%people].ID == closurePeople[i].ID {
				out[i].from, out[i].lost = w.twin(s.a), make(map[power]bool)
				for p := range before.can[i] {
					out[i].lost[p] = !after.can[i][p]
				}
			}
		case s.op == "accept an invitation" && !below(after, w.accepted.twin, out[i].from):
			// To a twin that it was not removed from, such as one above.
		default:
			for p := range after.can[i] {
				if out[i].lost[p] && !before.can[i][p] {
					return fmt.Sprintf("%s was removed from %s and gets back %q on %s by itself.", personName(i), w.name(out[i].from), p.what, w.name(p.on))
				}
			}
		}
	}
	return ""
}

// below reports whether a twin is another one or below it.
func below(m *measured, twin, other string) bool {
	for twin != "" {
		if twin == other {
			return true
		}
		twin = m.parents[twin]
	}
	return false
}

// justice judges one step.
type justice struct {
	w             *closureWorld
	s             closureStep
	before, after *measured
	held          map[power]bool // by the caller of the step, before it
}

// gives reports whether the actor could give and take one of the permissions at a
// twin.
func (j *justice) gives(twin string, permissions ...string) bool {
	manages := j.held[power{twins.PermissionManageMembers, twin}] || j.held[power{twins.PermissionManageRoles, twin}]
	return manages && slices.ContainsFunc(permissions, func(p string) bool { return j.held[power{p, twin}] })
}

// defines reports whether the actor could set security in a twin that gives one of
// the permissions.
func (j *justice) defines(twin string, permissions ...string) bool {
	return j.held[power{forms.PermissionDefine, twin}] && slices.ContainsFunc(permissions, func(p string) bool { return j.held[power{p, twin}] })
}

// appeared reports whether a step has let someone see a twin in which a definition had
// granted it something before.
func (j *justice) appeared(who int, definition, twin string) bool {
	at := power{definition, twin}
	read := power{twins.PermissionRead, twin}
	return j.before.latent[who][at] && j.after.latent[who][at] && !j.before.can[who][read]
}

// accepts reports whether the step accepts an invitation that is good, of someone who
// could give all its roles right before it.
func (j *justice) accepts() bool {
	i := j.w.accepted
	if j.w.now.Sub(i.at) >= twins.InvitationTime {
		return false
	}
	if i.by == people {
		return true
	}
	held := j.before.can[i.by]
	for _, id := range i.roles {
		role, err := j.w.twins.Role(j.w.ctx, i.twin, id)
		permissions := role.Value.Permissions
		if role.Value.Owner {
			permissions = []string{twins.PermissionAll}
		}
		if err != nil || slices.ContainsFunc(permissions, func(p string) bool { return !held[power{p, i.twin}] }) {
			return false
		}
	}
	return held[power{twins.PermissionManageMembers, i.twin}]
}

// added reports whether someone may have come to a twin: as one of its account, or by
// having wanted to, at the twin or at one above.
func (j *justice) added(who int, twin string) bool {
	p := closurePeople[who]
	if j.w.accountOf(twin) == p.AccountID {
		return true
	}
	for ; twin != ""; twin = j.after.parents[twin] {
		if j.w.consents[consent{p.ID, twin}] {
			return true
		}
	}
	return false
}

// within is the twin that a power is over, or over something in.
func (j *justice) within(p power) (twin string, ok bool) {
	if _, is := j.after.parents[p.on]; is {
		return p.on, true
	}
	if twin, is := j.w.formIn[p.on]; is {
		return twin, true
	}
	twin, ok = j.w.modelIn[p.on]
	return twin, ok
}

func (j *justice) mayGain(who int, p power) bool {
	if j.s.op == "accept an invitation" {
		return who == j.s.actor && j.accepts()
	}
	if twin, is := j.within(p); is && !j.added(who, twin) {
		return false
	}
	if _, isTwin := j.after.parents[p.on]; isTwin {
		if _, there := j.before.parents[p.on]; !there { // made by this step
			return who == j.s.actor || j.before.can[who][power{p.what, j.after.parents[p.on]}]
		}
		return j.gives(p.on, p.what)
	}
	if twin, isForm := j.w.formIn[p.on]; isForm {
		needed := formPowers[p.what]
		return j.s.op == "create a form" || j.gives(twin, needed...) || j.defines(twin, needed...) || j.appeared(who, j.w.formOf[p.on], twin)
	}
	if twin, isDefinition := j.w.definedIn[p.on]; isDefinition {
		if j.s.op == "create a definition" || j.after.can[who][power{forms.PermissionDefine, twin}] {
			return true // a new one, or a gain that is judged at the twin
		}
		shared := j.s.op == "share a definition" && j.held[power{forms.PermissionDefine, twin}]
		return p.what == "see" && (shared || j.gives(twin, forms.PermissionView) || j.defines(twin, forms.PermissionView) || j.appeared(who, p.on, twin))
	}
	if twin, isModel := j.w.modelIn[p.on]; isModel {
		return j.after.holdsAny(who, twin, modelPowers[p.what]) || j.givesAtModel(twin, p)
	}
	return true // webhooks follow permissions, which are judged at the twin
}

func (j *justice) mayLose(who int, p power) bool {
	if _, wasTwin := j.before.parents[p.on]; wasTwin {
		if _, there := j.after.parents[p.on]; !there {
			return j.held[power{twins.PermissionAll, p.on}]
		}
		return j.gives(p.on, p.what)
	}
	lost := func(permission, twin string) bool {
		at := power{permission, twin}
		return j.before.can[who][at] && !j.after.can[who][at]
	}
	if twin, isForm := j.w.formIn[p.on]; isForm {
		if j.s.op == "delete a form" {
			return true
		}
		return j.gives(twin, formPowers[p.what]...) || j.held[power{forms.PermissionDefine, twin}] || lost(twins.PermissionRead, twin)
	}
	if twin, isDefinition := j.w.definedIn[p.on]; isDefinition {
		return j.held[power{forms.PermissionDefine, twin}] || j.gives(twin, forms.PermissionView) ||
			lost(twins.PermissionRead, twin) || lost(forms.PermissionDefine, twin)
	}
	if twin, isModel := j.w.modelIn[p.on]; isModel {
		removed := j.s.op == "remove a member" && j.held[power{twins.PermissionManageMembers, twin}]
		return removed || j.before.holdsAny(who, twin, modelPowers[p.what]) || j.givesAtModel(twin, p)
	}
	at := j.w.hears[p.on]
	return lost(webhooks.PermissionMaintainer, at) || lost(twins.PermissionManageMembers, at) || j.held[power{"switch off", p.on}]
}
