package exchange

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// linkTypesOf are the types of links by those of the engine.
var linkTypesOf = map[cpm.LinkType]schedules.TaskLinkType{
	cpm.FinishToStart: schedules.FinishToStart, cpm.StartToStart: schedules.StartToStart,
	cpm.FinishToFinish: schedules.FinishToFinish,
	cpm.StartToFinish:  schedules.StartToFinish,
}

// linkPut is a link that is written, and whether its id was never used before.
type linkPut struct {
	*schedules.TaskLink

	unused bool
}

func (d *planDiff) compareLinks() error {
	mode := d.w.Modes.Links
	keys, aliases := make(importing.Names, len(d.file.Links)), make(importing.Names, len(d.file.Links))
	entries, left := make([]importing.Entry[schedules.TaskLink], len(d.file.Links)), 0
	now := d.s.Now()
	for i := range d.file.Links {
		l := &d.file.Links[i]
		before, after := d.task(l.PredecessorID), d.task(l.SuccessorID)
		key, alias := "i:"+l.ID, ""
		if before.recordID != "" && after.recordID != "" {
			key, alias = linkNames(before.recordID, after.recordID, linkTypesOf[l.Type])
		}
		entries[i] = importing.Entry[schedules.TaskLink]{
			Key: keys.Name(key), Alias: aliases.Name(alias),
			Fits: func() (bool, error) {
				from, to := before.recordID, after.recordID
				switch {
				case from == "" || to == "":
					left++
					return false, nil
				case d.below(from, to) || d.below(to, from):
					d.Warn("Warning: The link (ID=%s) ties a task to one above it, and was ignored.", l.ID)
					return false, nil
				}
				return true, nil
			},
			Parts: []importing.Part[schedules.TaskLink]{{
				Mode: mode,
				Read: func() importing.Content[*schedules.TaskLink] { return d.linkContent(l, before, after) },
			}},
		}
	}
	_, err := importing.Compare(d.Diff, &importing.Kind[schedules.TaskLink]{
		Name: linksKind, Records: core.TaskLinks.Table(), Mode: mode, Counts: d.counting("links",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.Links }),
		Fresh: func(id string) *schedules.TaskLink {
			l := core.BlankTaskLink(id)
			l.CreatedOn = now
			return l
		},
		Emit: func(l *schedules.TaskLink, unused bool) { d.links[l.ID] = linkPut{l, unused} },
		Named: func(l *schedules.TaskLink) (key, alias string) {
			return linkNames(l.PredecessorID, l.SuccessorID, l.Type)
		},
	}, entries)
	if err != nil {
		return err
	}
	if left > 0 && mode != importing.Skip {
		d.Warn("Warning: %d links were ignored, since the schedule has not both of their tasks.", left)
	}
	return d.completeLinks()
}

// linkNames are by what a link is known: its two tasks, as the schedule has them, and its type, or
// the tasks alone.
func linkNames(from, to string, typ schedules.TaskLinkType) (key, alias string) {
	alias = from + "/" + to
	return alias + "/" + string(typ), alias
}

// below reports whether a task will lie below another.
func (d *planDiff) below(id, other string) bool {
	if !d.tasks.above[other] { // as most
		return false
	}
	for at, n := d.tasks.parent[id], 0; at != "" && n < 4*schedules.MaxDepth; at, n = d.tasks.parent[at], n+1 {
		if at == other {
			return true
		}
	}
	return false
}

// linkContent is what the file has of a link.
func (d *planDiff) linkContent(l *planner.Link, before, after *filedTask) *filedLink {
	lag := l.Lag
	if l.Percent {
		lag = before.duration * l.Lag / 100
		d.Warn("Warning: The lag of the link (ID=%s) is %d percent of its predecessor; it was taken as %d seconds.",
			l.ID, l.Lag, lag)
	}
	c := &filedLink{
		From: before.recordID, To: after.recordID, Type: linkTypesOf[l.Type],
		Lag: int32(min(max(lag, math.MinInt32), math.MaxInt32)),
	}
	if l.Elapsed {
		c.Calendar = d.calendarIDs[elapsedCalendar]
	}
	return c
}

// filedLink is what a file has of a link.
type filedLink struct {
	From, To string
	Type     schedules.TaskLinkType
	Lag      int32
	Calendar string
}

// Compared implements importing.Content.
func (c *filedLink) Compared(facts *importing.Facts) any {
	return facts.Text(c.From).Text(c.To).Text(string(c.Type)).Number(c.Lag).Text(c.Calendar)
}

// Set implements importing.Content.
func (c *filedLink) Set(v *schedules.TaskLink) {
	v.PredecessorID, v.SuccessorID, v.Type, v.Lag, v.CalendarID = c.From, c.To, c.Type, c.Lag,
		twinplatform.NullString(c.Calendar)
}

// completeLinks checks all links as they will be, and writes those that are new or changed.
func (d *planDiff) completeLinks() error {
	g := importing.NewGraph(slices.Sorted(maps.Keys(d.tasks.parent)))
	if err := d.otherLinks(g); err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(d.links)) {
		put := d.links[id]
		g.Join(put.PredecessorID, put.SuccessorID)
		if err := d.Write(core.TaskLinks.Table(), put.TaskLink, put.unused); err != nil {
			return err
		}
	}
	cycle := g.Cycle()
	if cycle == nil {
		return nil
	}
	names := make([]string, len(cycle))
	for i, id := range cycle {
		names[i] = id
		if t := d.tasks.puts[id]; t != nil {
			names[i] = cmp.Or(t.UserDefinedID, t.Name)
		}
	}
	return badFile("The links of the file and those made in the schedule form a cycle: %s.", model.InShort(names))
}

// otherLinks adds the links that stay as they are.
func (d *planDiff) otherLinks(g *importing.Graph) error {
	going := make(map[string]bool)
	for _, change := range d.Gone[len(d.Gone)-1] {
		going[change.Gone] = going[change.Gone] || change.Records == core.TaskLinks.Name
	}
	for l, err := range core.TaskLinks.From(d.Tx, d.Scope, "") {
		if err == nil {
			err = records.Interrupted(d.Tx)
		}
		if err != nil {
			return err
		}
		if going[l.ID] || d.links[l.ID].TaskLink != nil {
			continue
		}
		g.Join(l.PredecessorID, l.SuccessorID)
		if d.below(l.PredecessorID, l.SuccessorID) || d.below(l.SuccessorID, l.PredecessorID) {
			return badFile("The link '%s', which was made in the schedule, would tie a task to one above it.", l.ID)
		}
	}
	return nil
}
