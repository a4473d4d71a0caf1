package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noHistoryItem = refusal{kind: twinplatform.NotFound, code: "StatusHistoryItemNotFound", target: "statusHistoryItemId"}

// record records a status.
func (p *plan) record(n statuses.NewStatusHistoryItem) statuses.StatusHistoryItem {
	p.Helper()
	res, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	rec, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, res.Value().ID)
	if err != nil {
		p.Fatal(err)
	}
	same(p, rec, res.Records[0])
	return rec.Value
}

// recorded records statuses from lines such as "crane ordered 3", the third being the
// hour of its date; the id of one is "crane-ordered-3".
func (p *plan) recorded(lines ...string) {
	p.Helper()
	for _, line := range lines {
		f := strings.Fields(line)
		var hours float64
		if _, err := fmt.Sscan(f[2], &hours); err != nil {
			p.Fatal(err)
		}
		p.record(statuses.NewStatusHistoryItem{ID: strings.Join(f, "-"), ResourceID: f[0], StatusItemID: f[1], Date: at(hours)})
	}
}

// history lists recorded statuses by id, the deleted ones marked.
func (p *plan) history(q statuses.StatusHistoryQuery) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, q.ListOptions, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
		q.ListOptions = o
		return statuses.In(p.in()).StatusHistoryItems(p.ctx, q)
	})
	return idList(all, historyListed), delta
}

func historyListed(h statuses.StatusHistoryItem) (string, bool) { return h.ID, h.Deleted }

// TestStatusesOfAResourceAreRecordedAndShown is of the resource; its 3D entities have
// TestStatusesOfAResourceAreShownOnIts3DObject.
//
// covers: Status history
// covers: operations statusHistoryItems.list statusHistoryItems.listOfResource statusHistoryItems.get
// covers: operations statusHistoryItems.create
func TestStatusesOfAResourceAreRecordedAndShown(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("crane", "crew")
		p.statuses("progress", "progress/delivery", "progress/delivery/ordered", "progress/delivery/onsite", "safety", "safety/checks", "safety/checks/checked")
		p.recorded("crane ordered 1", "crane onsite 5", "crane ordered 3", "crane checked 2", "crew onsite 4")
		rec, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, "crane-onsite-5")
		if err != nil || rec.ETag == "" {
			p.Fatal(rec.ETag, err)
		}
		want := `{"date":"2026-03-02T13:00:00Z","deleted":false,"id":"crane-onsite-5","isCritical":false,"note":"",` +
			`"recordDate":"2026-03-02T08:00:00Z","resourceId":"crane","statusCategoryId":"progress","statusItemId":"onsite"}`
		if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
			p.Error(diff)
		}
		for _, tt := range []struct {
			q    statuses.StatusHistoryQuery
			want string
		}{
			{statuses.StatusHistoryQuery{}, "crane-checked-2 crane-onsite-5 crane-ordered-1 crane-ordered-3 crew-onsite-4"},
			{statuses.StatusHistoryQuery{ResourceID: "crane"}, "crane-checked-2 crane-onsite-5 crane-ordered-1 crane-ordered-3"},
			{statuses.StatusHistoryQuery{ResourceID: "crane", StatusCategoryIDs: []string{"safety"}}, "crane-checked-2"},
			{statuses.StatusHistoryQuery{StatusCategoryIDs: []string{"safety", "nothing"}}, "crane-checked-2"},
			{statuses.StatusHistoryQuery{LatestOnly: true}, "crane-onsite-5 crane-checked-2 crew-onsite-4"},
			{statuses.StatusHistoryQuery{ResourceID: "crane", LatestOnly: true}, "crane-onsite-5 crane-checked-2"},
			{statuses.StatusHistoryQuery{LatestOnly: true, StatusCategoryIDs: []string{"progress", "progress"}}, "crane-onsite-5 crew-onsite-4"},
		} {
			tt.q.Top = 1
			if got, _ := p.history(tt.q); got != tt.want {
				p.Errorf("%+v lists %q, want %q", tt.q, got, tt.want)
			}
			if tt.q.ResourceID == "" {
				continue
			}
			page, err := statuses.In(p.in()).StatusHistoryItemsOf(p.ctx, tt.q.ResourceID, statuses.StatusHistoryQuery{LatestOnly: tt.q.LatestOnly, StatusCategoryIDs: tt.q.StatusCategoryIDs})
			if err != nil {
				p.Fatal(err)
			}
			all, _ := page.Values()
			if got := idList(all, historyListed); got != tt.want {
				p.Errorf("%+v of the resource lists %q, want %q", tt.q, got, tt.want)
			}
		}
		// The status is shown by how its item makes resources look.
		item, err := statuses.In(p.in()).ResourceStatusItem(p.ctx, rec.Value.StatusItemID)
		if err != nil || item.Value.Color != "#00ff00" || !item.Value.IsVisible {
			p.Errorf("the crane is shown by %+v, %v", item.Value, err)
		}
	})
}

// TestStatusIsMarkedCriticalForAWhile is the end of the specification's sentence: "a status can
// temporarily be marked critical".
//
// covers: Status history: rule "a status can temporarily be marked critical"
// covers: operations statusHistoryItems.update
func TestStatusIsMarkedCriticalForAWhile(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("crane")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "progress/delivery/onsite")
	p.recorded("crane late 1")
	current := func() statuses.StatusHistoryItem {
		page, err := statuses.In(p.in()).StatusHistoryItemsOf(p.ctx, "crane", statuses.StatusHistoryQuery{LatestOnly: true})
		if err != nil || page.Len() != 1 {
			t.Fatal(page.Len(), err)
		}
		all, _ := page.Values()
		return all[0]
	}
	mark := func(critical twinplatform.Optional[bool]) {
		t.Helper()
		rec, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, "crane-late-1")
		if err != nil {
			t.Fatal(err)
		}
		patch := statuses.StatusHistoryItemPatch{IsCritical: critical, Note: twinplatform.Set("Blocks the gate")}
		if _, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-late-1", patch, twinplatform.IfMatch(rec.ETag)); err != nil {
			t.Fatal(err)
		}
	}
	_, delta := p.history(statuses.StatusHistoryQuery{LatestOnly: true})
	mark(twinplatform.Set(true))
	if h := current(); !h.IsCritical || h.Note != "Blocks the gate" {
		t.Errorf("the current status is %+v", h)
	}
	if got, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true, ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "crane-late-1" {
		t.Errorf("the delta of current statuses lists %q", got)
	}
	mark(twinplatform.Null[bool]())
	if h := current(); h.IsCritical {
		t.Errorf("the current status is still %+v", h)
	}
	mark(twinplatform.Set(true))
	p.recorded("crane onsite 2") // what comes after it is not critical
	if h := current(); h.IsCritical || h.StatusItemID != "onsite" {
		t.Errorf("the current status is %+v", h)
	}
	_, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-late-1", statuses.StatusHistoryItemPatch{}, twinplatform.IfMatch(`"stale"`))
	otherVersion.check(t, err)
}

func TestStatusHistoryRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("crane")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "safety", "safety/checks")
	p.recorded("crane late 1")
	create := func(n statuses.NewStatusHistoryItem) error {
		_, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, n)
		return err
	}
	invalid("MissingRequiredProperty resourceId", "MissingRequiredProperty statusItemId", "MissingRequiredProperty date").check(t, create(statuses.NewStatusHistoryItem{}))
	good := statuses.NewStatusHistoryItem{ResourceID: "crane", StatusItemID: "late", Date: at(2)}
	for want, change := range map[string]func(*statuses.NewStatusHistoryItem){
		"resourceId":       func(n *statuses.NewStatusHistoryItem) { n.ResourceID = "nobody" },
		"statusItemId":     func(n *statuses.NewStatusHistoryItem) { n.StatusItemID = "nothing" },
		"statusCategoryId": func(n *statuses.NewStatusHistoryItem) { n.StatusCategoryID = "safety" },
		"note":             func(n *statuses.NewStatusHistoryItem) { n.Note = strings.Repeat("x", schedules.MaxText+1) },
		"id":               func(n *statuses.NewStatusHistoryItem) { n.ID = "a/b" },
		"recordDate":       func(n *statuses.NewStatusHistoryItem) { n.RecordDate = twinplatform.Set(at(1)) },
		"deleted":          func(n *statuses.NewStatusHistoryItem) { n.Deleted = twinplatform.Set(true) },
		"date": func(n *statuses.NewStatusHistoryItem) {
			n.Date = twinplatform.At(time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC))
		},
	} {
		n := good
		change(&n)
		invalid("InvalidValue "+want).check(t, create(n))
	}
	taken := good
	taken.ID = "crane-late-1"
	idTaken.check(t, create(taken))
	_, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-late-1", statuses.StatusHistoryItemPatch{
		ResourceID: twinplatform.Set("other"), StatusItemID: twinplatform.Set("other"), StatusCategoryID: twinplatform.Set("safety"),
		Date: twinplatform.Set(at(3)), RecordDate: twinplatform.Set(at(3)),
	})
	invalid("InvalidValue resourceId", "InvalidValue statusItemId", "InvalidValue statusCategoryId", "InvalidValue date", "InvalidValue recordDate").check(t, err)
	_, err = statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "nothing", statuses.StatusHistoryItemPatch{})
	noHistoryItem.check(t, err)
	_, err = statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, "nothing")
	noHistoryItem.check(t, err)
	_, err = statuses.In(p.in()).StatusHistoryItemsOf(p.ctx, "nobody", statuses.StatusHistoryQuery{})
	noResource.check(t, err)
	if ids, _ := p.history(statuses.StatusHistoryQuery{}); ids != "crane-late-1" {
		t.Errorf("refused requests left %q", ids)
	}
}

func TestRecordedStatusKeepsItsCategory(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.resources("crane")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "progress/other", "progress/delivery/free", "safety", "safety/checks")
	p.recorded("crane late 1")
	moveItem := func(item, set string) error {
		_, err := statuses.In(p.in()).UpdateResourceStatusItem(p.ctx, item, statuses.ResourceStatusItemPatch{StatusSetID: twinplatform.Set(set)})
		return err
	}
	moveSet := func(set, category string) error {
		_, err := statuses.In(p.in()).UpdateResourceStatusSet(p.ctx, set, statuses.ResourceStatusSetPatch{StatusCategoryID: twinplatform.Set(category)})
		return err
	}
	invalid("InvalidValue statusSetId").saying("progress").check(t, moveItem("late", "checks"))
	invalid("InvalidValue statusCategoryId").saying("progress").check(t, moveSet("delivery", "safety"))
	for what, err := range map[string]error{
		"an item that no resource had": moveItem("free", "checks"), "a set of which no resource had one": moveSet("other", "safety"),
	} {
		if err != nil {
			t.Errorf("%s does not move: %v", what, err)
		}
	}
	if err := moveSet("other", "progress"); err != nil {
		t.Fatal(err)
	}
	if err := moveItem("late", "other"); err != nil {
		t.Errorf("within its category: %v", err)
	}
	invalid("InvalidValue statusSetId").check(t, moveItem("late", "nothing"))
}

// TestDeletedStatusGivesWayToTheNewestOfTheOthers also deletes resources.
//
// covers: operations statusHistoryItems.delete
func TestDeletedStatusGivesWayToTheNewestOfTheOthers(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.resources("crane", "crew")
		p.statuses("progress", "progress/delivery", "progress/delivery/ordered", "progress/delivery/onsite")
		p.recorded("crane ordered 1", "crane onsite 2", "crane ordered 3", "crew onsite 1")
		latest := func() string {
			ids, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true})
			return ids
		}
		must := func(_ any, err error) {
			p.Helper()
			if err != nil {
				p.Fatal(err)
			}
		}
		must(statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, "crane-ordered-1"))
		if got := latest(); got != "crane-ordered-3 crew-onsite-1" {
			p.Errorf("current are %q", got)
		}
		must(statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, "crane-ordered-3"))
		if got := latest(); got != "crane-onsite-2 crew-onsite-1" {
			p.Errorf("without the newest, current are %q", got)
		}
		_, delta := p.history(statuses.StatusHistoryQuery{LatestOnly: true})
		p.deleteResources("crew")
		if got, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true, ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "-crew-onsite-1" {
			p.Errorf("with the resource went %q", got)
		}
		p.deleteResources("crane")
		if got, _ := p.history(statuses.StatusHistoryQuery{}); got+latest() != "" {
			p.Errorf("without the resources there are %q and %q", got, latest())
		}
	})
}

// What is marked as current is the newest by a count over the whole history, whatever
// happened before, and a copy by deltas agrees.
//
// covers: Status history: rule latest only is the newest date of a resource and category
func TestCurrentStatusesAreTheNewestByCount(t *testing.T) {
	t.Parallel()
	histories := 40
	if testing.Short() {
		histories = 10
	}
	for seed := range histories {
		p := newPlan(t, memory.New(), schedules.Config{})
		p.resources("r0", "r1")
		p.statuses("c0", "c0/s0", "c0/s0/i0", "c0/s0/i1", "c1", "c1/s1", "c1/s1/i2")
		rnd := rand.New(rand.NewPCG(uint64(seed), 11))
		f := copyOf[statuses.StatusHistoryItem]{
			listed: func(h statuses.StatusHistoryItem) (string, bool) {
				return h.ResourceID + h.StatusCategoryID, h.Deleted
			},
			fetch: func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
				return statuses.In(p.in()).StatusHistoryItems(p.ctx, statuses.StatusHistoryQuery{ListOptions: o, LatestOnly: true})
			},
		}
		for range 40 {
			p.changeHistory(rnd)
			if rnd.IntN(2) == 0 {
				f.step(p, 1+rnd.IntN(2))
			}
		}
		f.complete(p)
		all, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
			return statuses.In(p.in()).StatusHistoryItems(p.ctx, statuses.StatusHistoryQuery{ListOptions: o})
		})
		slices.SortStableFunc(all, func(a, b statuses.StatusHistoryItem) int { return a.Date.Compare(b.Date.Time) })
		want := make(map[string]statuses.StatusHistoryItem)
		for _, h := range all {
			want[h.ResourceID+h.StatusCategoryID] = h
		}
		if diff := cmp.Diff(want, f.have); diff != "" {
			t.Fatalf("history %d (-counted +current):\n%s", seed, diff)
		}
	}
}

// changeHistory records, changes or deletes a status at random.
func (p *plan) changeHistory(rnd *rand.Rand) {
	p.Helper()
	all, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
		return statuses.In(p.in()).StatusHistoryItems(p.ctx, statuses.StatusHistoryQuery{ListOptions: o})
	})
	var err error
	switch roll := rnd.IntN(6); {
	case roll < 3 || len(all) == 0:
		p.record(statuses.NewStatusHistoryItem{ResourceID: fmt.Sprint("r", rnd.IntN(2)), StatusItemID: fmt.Sprint("i", rnd.IntN(3)), Date: at(float64(rnd.IntN(10)))})
	case roll == 3:
		_, err = statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, all[rnd.IntN(len(all))].ID, statuses.StatusHistoryItemPatch{Note: twinplatform.Set(fmt.Sprint(rnd.IntN(99)))})
	default:
		_, err = statuses.In(p.in()).DeleteStatusHistoryItem(p.ctx, all[rnd.IntN(len(all))].ID)
	}
	if err != nil {
		p.Fatal(err)
	}
}
