package planner_test

import (
	"encoding/binary"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// TestAFileThatIsNoPlanIsRefusedByWhatItIs reads files that are taken for plans.
func TestAFileThatIsNoPlanIsRefusedByWhatItIs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		says []string
	}{
		"an MSBuild project":            {`<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><PropertyGroup/></Project>`, []string{"MSBuild"}},
		"a new MSBuild project":         {`<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><A>1</A></PropertyGroup></Project>`, []string{"MSBuild"}},
		"an MSBuild project of neither": {`<Project><ItemGroup/></Project>`, []string{"MSBuild", "ItemGroup"}},
		"a project without tasks":       {`<Project xmlns="http://schemas.microsoft.com/project"><Name>a</Name><Calendars/></Project>`, []string{"no Tasks", "Name, Calendars"}},
		"XML of P6 without a project":   {`<APIBusinessObjects xmlns="http://xmlns.oracle.com/Primavera/P6/V8.3/API/BusinessObjects"><OBS/></APIBusinessObjects>`, []string{"no Project", "OBS"}},
		"objects of another namespace":  {`<APIBusinessObjects xmlns="urn:x"><Project/></APIBusinessObjects>`, []string{`"urn:x"`}},
		"a GanttProject":                {`<project name="x" company=""><tasks/></project>`, []string{"<project>", "another tool"}},
		"a page of HTML":                {"<!DOCTYPE html><html></html>", []string{"HTML"}},
		"an XER without tasks":          {"ERMHDR\t1\n%T\tPROJECT\n%F\tproj_id\n%R\t1\n%E\n", []string{"no table TASK", "PROJECT"}},
		"an XER without tables":         {"ERMHDR\t1\n%E\n", []string{"no table TASK", "no table at all"}},
		"an XER of other fields":        {"ERMHDR\t1\n%T\tTASK\n%F\tid\tname\n%R\t1\tA\n%R\t2\tB\n%E\n", []string{"none of its 2 tasks"}},
		"tasks without ids":             {mspdi("<Tasks><Task><Name>a</Name></Task></Tasks>"), []string{"none of its 1 tasks"}},
		"an XER without its first line": {"%T\tTASK\n%F\ttask_id\n%R\t1\n%E\n", []string{"ERMHDR"}},
		"a workbook":                    {"PK\x03\x04......", []string{"ZIP"}},
		"a database":                    {"SQLite format 3\x00", []string{"SQLite"}},
		"a PDF":                         {"%PDF-1.7", []string{"PDF"}},
		"ProjectLibre":                  {"\xac\xed\x00\x05", []string{"ProjectLibre"}},
		"JSON":                          {`{"tasks": []}`, []string{"JSON"}},
		"a CSV":                         {"id,name,start,finish\n1,A,,\n", []string{"CSV", "id,name"}},
		"a text":                        {"Dear all", []string{"Dear all"}},
		"nothing":                       {"", []string{"empty"}},
		"an unknown encoding":           {`<?xml version="1.0" encoding="ebcdic-cp-be"?><Project/>`, []string{"ebcdic-cp-be", "windows-1256"}},
	} {
		p, err := planner.Read(strings.NewReader(c.text))
		if p != nil || !errors.Is(err, planner.ErrFormat) && !errors.Is(err, planner.ErrMalformed) {
			t.Errorf("%s: %v, %v", name, p, err)
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, which does not say %q", name, err, want)
			}
		}
	}
}

// TestFormsThatToolsAcceptAreRead reads an XER as other programs write it: in each form it is the
// same plan.
func TestFormsThatToolsAcceptAreRead(t *testing.T) {
	t.Parallel()
	usual := strings.ReplaceAll(xer("%T|TASK\n%F|task_id|proj_id|task_code|task_name|remain_drtn_hr_cnt|status_code\n%R|1|p|A1|Pour|8|TK_NotStart\n%R|2|p|A2|Cure|16|TK_NotStart\n"+
		"%T|TASKPRED\n%F|task_pred_id|task_id|pred_task_id|pred_type\n%R|7|2|1|PR_SS\n"), "\r", "")
	want := parse(t, usual)
	fields := regexpFields.ReplaceAllStringFunc(usual, strings.ToUpper)
	for name, text := range map[string]string{
		"CR": strings.ReplaceAll(usual, "\n", "\r"), "CRLF": strings.ReplaceAll(usual, "\n", "\r\n"),
		"mixed line ends":    strings.Replace(usual, "\n%R\t2", "\r%R\t2", 1),
		"CR, CRLF at an end": strings.ReplaceAll(usual, "\n", "\r") + "\r\n",
		"a mark":             "\xEF\xBB\xBF" + usual, "lines before it": "\r\n\n" + usual, "fields in capitals": fields,
		"tables in small letters": regexpTables.ReplaceAllStringFunc(usual, func(s string) string { return "%T" + strings.ToLower(s[2:]) }),
		"words in small letters":  strings.Replace(usual, "PR_SS", "pr_ss", 1),
		"words of XML":            strings.Replace(usual, "PR_SS", "Start to Start", 1),
		"words with a number":     strings.Replace(usual, "PR_SS", "PR_SS2", 1),
		"short words":             strings.Replace(usual, "PR_SS", "SS", 1),
		"NULs at the ends":        strings.Replace(usual, "Pour", "Pour\x00\x00", 1),
		"UTF-16":                  wide(usual, binary.LittleEndian),
		"rows behind the end":     usual + "%T\tTASK\n%F\ttask_id\n%R\t9\n",
	} {
		got := parse(t, text)
		if name == "rows behind the end" {
			if len(got.Warnings) != 1 {
				t.Errorf("%s: warned of %v", name, got.Warnings)
			}
			got.Warnings = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

var (
	regexpFields = regexp.MustCompile(`(?m)^%F.*$`)
	regexpTables = regexp.MustCompile(`(?m)^%T.*$`)
)

// TestCharactersThatXMLForbidsArePassedOver reads names with such, as they are and as references.
func TestCharactersThatXMLForbidsArePassedOver(t *testing.T) {
	t.Parallel()
	for odd, want := range map[string]string{
		"\x0b": "", "\x00": "", "&#x1F;": "", "&#x1f;": "", "&#2;": "", "&#X2;": "", "\uFFFE": "", "&#xFFFF;": "", "&#xD800;": "", "&#x110000;": "",
		"\xff": "\uFFFD", "\xe4": "\uFFFD", "\xed\xa0\x80": "\uFFFD\uFFFD\uFFFD", "&#x9;&#xe9;&amp;": "\té&",
	} {
		for format, text := range map[string]string{
			"MSPDI": mspdi("<Tasks><Task><UID>1</UID><Name>Pour" + odd + "slab</Name></Task></Tasks>"),
			"P6XML": p6("", "<Activity><ObjectId>1</ObjectId><Name>Pour"+odd+"slab</Name></Activity>"),
		} {
			p := parse(t, text)
			if got := p.Tasks[len(p.Tasks)-1].Name; got != "Pour"+want+"slab" {
				t.Errorf("%s: %q is read as %q", format, odd, got)
			}
			if warned := len(p.Warnings) > 0 && strings.HasPrefix(p.Warnings[0].What, "line "); warned != !strings.HasPrefix(odd, "&#x9") {
				t.Errorf("%s: %q: warned of %v", format, odd, p.Warnings)
			}
		}
	}
	// Around the ends of the pieces in which a file is read.
	for at := 4080; at < 4100; at++ {
		begin := mspdi("<Tasks><Task><UID>1</UID><Name>")
		begin = begin[:strings.Index(begin, "</Project>")]
		p := parse(t, begin+strings.Repeat("x", at)+"&#x1F;é&#xe9;\x01</Name></Task></Tasks></Project>")
		if got := p.Tasks[0].Name; got != strings.Repeat("x", at)+"éé" || len(p.Warnings) < 2 {
			t.Errorf("at %d: it ends with %q, warned of %v", at, got[len(got)-8:], p.Warnings)
		}
	}
}

func TestWarningsAreGroupedByKind(t *testing.T) {
	t.Parallel()
	p := parse(t, xer("%T|TASK\n%F|task_id|proj_id|phys_complete_pct|remain_drtn_hr_cnt\n%R|1|p|a|x\n%R|2|p|b|8\n%R|3|p|c|8\n%R|4|p|d|8\n%R|5|p||y\n"))
	var got []string
	for _, g := range planner.Grouped(p.Warnings) {
		got = append(got, g.String())
	}
	want := []string{
		`task 1: Its remain_drtn_hr_cnt "x" is no number: it is left out. There are 2 of this kind, the next of task 5.`,
		`task 1: Its phys_complete_pct "a" is no number: it is left out. There are 4 of this kind, the next of task 2 and task 3.`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCodePagesAreThoseOfTheirNames reads a name in each page.
func TestCodePagesAreThoseOfTheirNames(t *testing.T) {
	t.Parallel()
	for page, c := range map[planner.CodePage][2]string{
		"874": {"\xa7\xd2\xb9", "งาน"}, "cp1250": {"\xe8\xe1st", "část"}, "windows-1251": {"\xc7\xe0\xe4\xe0\xf7\xe0", "Задача"}, "1252": {"B\xfcro", "Büro"},
		"1253": {"\xe5\xf1\xe3\xef", "εργο"}, "1254": {"\xfd\xfe", "ış"}, "Windows-1255": {"\xf9\xec\xe5\xed", "שלום"}, "cp1256": {"\xe3\xd4\xd1\xe6\xda", "مشروع"},
		"1257": {"\xe0\xe8", "ąč"}, "1258": {"\xf5\xfd", "ơư"}, "932": {"\x8dH\x8e\x96", "工事"}, "shift_jis": {"\x83R\x81[\x83h", "コード"},
		"936": {"\xb9\xa4\xb3\xcc", "工程"}, "gbk": {"\x81\x40\xfe\x4f", "丂﨩"}, "949": {"\xb0\xf8\xbb\xe7", "공사"}, "big5": {"\xa4u\xb5{", "工程"},
	} {
		text := xer("%T|TASK\n%F|task_id|proj_id|task_name|task_code\n%R|1|p|" + c[0] + "|A1\n")
		p, err := planner.Options{Page: page}.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(page, err)
		}
		if got := p.Tasks[0]; got.Name != c[1] || got.Code != "A1" {
			t.Errorf("%s: %q is read as %q, want %q", page, c[0], got.Name, c[1])
		}
	}
	if _, err := (planner.Options{Page: "foo"}).Read(strings.NewReader(xer(""))); !errors.Is(err, planner.ErrCodePage) || !strings.Contains(err.Error(), "windows-1258") {
		t.Errorf("an unknown page: %v", err)
	}
}

// TestTextThatAPageDoesNotHaveIsWarnedOf reads text by no page that was named, and by the wrong one.
func TestTextThatAPageDoesNotHaveIsWarnedOf(t *testing.T) {
	t.Parallel()
	for page, c := range map[planner.CodePage][2]string{
		"": {"\xe3\xd4\xd1\xe6\xda 7", `read by the code page windows-1252, such as "ãÔÑæÚ 7"`}, "cp1256": {"\xe3\xd4\xd1\xe6\xda 7", ""},
		"874": {"\xfc\xfd\xfe\xa7", "Most of its text"}, "932": {"\x8dH\x8e\x96\xff", "1 characters of its text"},
	} {
		want, text := c[1], xer("%T|TASK\n%F|task_id|proj_id|task_name\n%R|1|p|"+c[0]+"\n")
		p, err := planner.Options{Page: page}.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, w := range p.Warnings {
			said += w.Text
		}
		if want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("by %q it is warned of %q, want %q", page, said, want)
		}
	}
}
