package schedules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
)

// TestAnImportIsReadByTheCodePageThatIsNamed imports and synchronizes an XER in Arabic, with values
// that no format has.
func TestAnImportIsReadByTheCodePageThatIsNamed(t *testing.T) {
	t.Parallel()
	content := func(name string) []byte {
		return []byte(strings.NewReplacer("|", "\t").Replace("ERMHDR|20.12\n%T|PROJECT\n%F|proj_id|proj_short_name|plan_start_date|last_recalc_date\n" +
			"%R|1|P|2026-01-05 08:00|2026-01-05 08:00\n%T|TASK\n%F|task_id|proj_id|task_code|task_name|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code|phys_complete_pct\n" +
			"%R|10|1|A|" + name + "|8|8|TK_NotStart|n/a\n%R|11|1|B|b|8|8|TK_NotStart|?\n%R|12|1|C|c|8|8|TK_NotStart|none\n%E\n"))
	}
	name := func(p *plan) string { return p.task(p.byCode()["A"]).Name }
	p := inMemory(t)
	y := p.importPlan(content("\xe3\xd4\xd1\xe6\xda"), exchange.PlannerImportOptions{CodePage: "cp1256"})
	if got := name(p); got != "مشروع" {
		t.Errorf("it is called %q", got)
	}
	want := "Warning: task 10: Its phys_complete_pct \"n/a\" is no number: it is left out. There are 3 of this kind, the next of task 11 and task 12."
	if diff := cmp.Diff(synchronizers.SynchronizationWarning{Message: want}, y.SynchronizationDetails.Warnings[0]); diff != "" {
		t.Errorf("(-want +got)\n%s\n%v", diff, y.SynchronizationDetails.Warnings)
	}
	file := exchange.PlannerFile{FileID: p.upload(content("\xe3\xd4\xd1\xe6\xda 2")), SynchronizerID: "planner"}
	if _, err := exchange.In(p.in()).Synchronize(p.ctx, exchange.PlannerSynchronization{
		PlannerFile: file, Options: exchange.PlannerSyncOptions{CodePage: "1256"},
	}); err != nil || name(p) != "مشروع 2" {
		t.Errorf("it is called %q then: %v", name(p), err)
	}
	if y = p.importPlan(content("\xe3\xd4\xd1\xe6\xda 3"), exchange.PlannerImportOptions{}); name(p) != "ãÔÑæÚ 3" ||
		!strings.Contains(fmt.Sprint(y.SynchronizationDetails.Warnings), "windows-1252") {
		t.Errorf("without a code page it is called %q, warned of %v", name(p), y.SynchronizationDetails.Warnings)
	}
	for kind, call := range map[string]func() error{
		"import": func() error {
			_, err := exchange.In(p.in()).Import(p.ctx, exchange.PlannerImport{PlannerFile: file, Options: exchange.PlannerImportOptions{CodePage: "foo"}})
			return err
		},
		"import of Microsoft Project": func() error {
			_, err := exchange.In(p.in()).ImportMicrosoftProject(p.ctx, exchange.MicrosoftProjectImport{PlannerFile: file, Options: exchange.MicrosoftProjectImportOptions{CodePage: "foo"}})
			return err
		},
		"synchronization": func() error {
			_, err := exchange.In(p.in()).Synchronize(p.ctx, exchange.PlannerSynchronization{PlannerFile: file, Options: exchange.PlannerSyncOptions{CodePage: "foo"}})
			return err
		},
		"synchronization of Microsoft Project": func() error {
			_, err := exchange.In(p.in()).SynchronizeMicrosoftProject(p.ctx, exchange.MicrosoftProjectSynchronization{
				PlannerFile: file, Options: exchange.MicrosoftProjectSyncOptions{CodePage: "foo"},
			})
			return err
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			invalid("InvalidValue options.codePage").check(t, call())
		})
	}
}
