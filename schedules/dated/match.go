package dated

import (
	"cmp"
	"slices"
)

// Match finds the tasks of a plan in another: the place there of each, None for those
// that are not there. Tasks are the same that have one key; of those that are left over
// on both sides, those with one code and one kind, where no other has that code.
func Match(p, in *Plan) []int {
	places, taken := make([]int, len(p.Tasks)), make([]bool, len(in.Tasks))
	byKey := unique(in, func(i int) string { return in.Tasks[i].key() })
	own := unique(p, func(i int) string { return p.Tasks[i].key() })
	for i := range p.Tasks {
		places[i] = None
		key := p.Tasks[i].key()
		if at, ok := byKey[key]; ok && at != None && own[key] == i {
			places[i], taken[at] = at, true
		}
	}
	left := unique(in, func(i int) string { return unless(taken[i], in.Tasks[i].Code) })
	mine := unique(p, func(i int) string { return unless(places[i] != None, p.Tasks[i].Code) })
	for code, i := range mine {
		at, ok := left[code]
		if code != "" && ok && i != None && at != None && p.Tasks[i].Kind == in.Tasks[at].Kind {
			places[i] = at
		}
	}
	return places
}

func (t *Task) key() string { return cmp.Or(t.Key, t.ID) }

func unless(taken bool, code string) string {
	if taken {
		return ""
	}
	return code
}

// unique are the places of tasks by what they are known by, None where several are.
func unique(p *Plan, by func(int) string) map[string]int {
	places := make(map[string]int, len(p.Tasks))
	for i := range p.Tasks {
		s := by(i)
		if _, ok := places[s]; ok {
			places[s] = None
		} else {
			places[s] = i
		}
	}
	return places
}

// SetBaseline sets the baseline of each task to where another plan has it, and takes
// that of the others away. Other plans with the same tasks keep theirs.
func (p *Plan) SetBaseline(of *Plan) {
	p.Tasks = slices.Clone(p.Tasks)
	for i, at := range Match(p, of) {
		p.Tasks[i].Baseline = Span{}
		if at != None {
			t := &of.Tasks[at]
			p.Tasks[i].Baseline = Span{Start: t.Start, Finish: t.Finish, Duration: t.Duration}
		}
	}
}
