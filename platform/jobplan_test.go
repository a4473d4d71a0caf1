package platform_test

import (
	"bytes"
	"fmt"
)

// xerOf is a plan of Primavera with so many activities: a chain of links through the most of them, a node
// of the WBS for each thirty, a resource at every third, codes, user fields, constraints and some progress. No two
// activities are alike. Above is added to the hours of each.
func xerOf(n, above int) []byte {
	var b bytes.Buffer
	table := func(head string, row func(i int) string, from, to int) {
		b.WriteString(head)
		for i := from; i < to; i++ {
			if line := row(i); line != "" {
				b.WriteString("%R\t" + line + "\n")
			}
		}
	}
	days := "(0||1()())"
	for i := 2; i <= 6; i++ {
		days += fmt.Sprintf("(0||%d()((0||0(s|08:00|f|12:00)())(0||1(s|13:00|f|17:00)())))", i)
	}
	nodes, crews := n/30+1, 5+n/200
	b.WriteString("ERMHDR\t20.12\t2026-03-02\tProject\tadmin\tadmin\tdb\tProject Management\tUSD\n")
	table("%T\tCALENDAR\n%F\tclndr_id\tclndr_name\tclndr_type\tclndr_data\tdefault_flag\n", func(int) string {
		return "1\tFive days\tCA_Base\t(0||CalendarData()((0||DaysOfWeek()(" + days + "(0||7()())))(0||Exceptions()())))\tY"
	}, 0, 1)
	table("%T\tPROJECT\n%F\tproj_id\tproj_short_name\tlast_recalc_date\tplan_start_date\tclndr_id\n", func(int) string {
		return "1\tBRIDGE\t2026-03-02 08:00\t2026-03-02 08:00\t1"
	}, 0, 1)
	table("%T\tPROJWBS\n%F\twbs_id\tproj_id\tproj_node_flag\twbs_short_name\twbs_name\tparent_wbs_id\tguid\n", func(i int) string {
		if i == 1 {
			return "1\t1\tY\tBRIDGE\tBridge Wörth\t\tw1"
		}
		return fmt.Sprintf("%d\t1\tN\tW.%d\tAbschnitt %d\t%d\tw%d", i, i*3, i, max(1, i/8), i)
	}, 1, nodes+2)
	table("%T\tRSRC\n%F\trsrc_id\tparent_rsrc_id\tguid\trsrc_name\trsrc_short_name\trsrc_type\n", func(i int) string {
		return fmt.Sprintf("%d\t\tr%d\tKolonne %d\tC-%d\tRT_Labor", i, i, i, i*7)
	}, 1, crews+1)
	table("%T\tACTVTYPE\n%F\tactv_code_type_id\tactv_code_type\tproj_id\tactv_code_type_scope\n",
		func(int) string { return "1\tPhase\t1\tAS_Project" }, 1, 2)
	table("%T\tACTVCODE\n%F\tactv_code_id\tactv_code_type_id\tactv_code_name\tshort_name\n",
		func(i int) string { return fmt.Sprintf("%d\t1\tPhase %d\tP%d", i, i, i) }, 1, 9)
	table("%T\tUDFTYPE\n%F\tudf_type_id\ttable_name\tudf_type_name\tudf_type_label\tlogical_data_type\n",
		func(int) string { return "1\tTASK\tuser_field_1\tBauleiter\tFT_TEXT" }, 1, 2)
	table("%T\tTASK\n%F\ttask_id\tproj_id\twbs_id\tclndr_id\ttask_code\ttask_name\ttask_type\tstatus_code\tguid\ttarget_drtn_hr_cnt\t"+
		"remain_drtn_hr_cnt\tact_start_date\tact_end_date\tcstr_type\tcstr_date\tduration_type\tearly_start_date\n", func(i int) string {
		hours, typ, bound, date := 8*(1+i%9)+above, "TT_Task", "", ""
		switch {
		case i%40 == 7:
			hours, typ = 0, "TT_FinMile"
		case i%97 == 5:
			hours, typ = 0, "TT_LOE"
		case i%31 == 4:
			typ = "TT_Rsrc"
		case i%23 == 0:
			bound, date = "CS_MSOA", fmt.Sprintf("2026-%02d-%02d 08:00", 3+i%9, 1+i%27)
		}
		status, left, begun, ended := "TK_NotStart", hours, "", ""
		if i <= n/50 && hours > 0 {
			status, left, begun, ended = "TK_Complete", 0, "2026-02-02 08:00", fmt.Sprintf("2026-02-%02d 17:00", 3+i%20)
		}
		return fmt.Sprintf("%d\t1\t%d\t1\tA%d\tArbeit %d\t%s\t%s\tt%d\t%d\t%d\t%s\t%s\t%s\t%s\tDT_FixedDrtn\t", i, 2+i%nodes, 10*i, i, typ, status,
			i, hours, left, begun, ended, bound, date)
	}, 1, n+1)
	table("%T\tTASKPRED\n%F\ttask_pred_id\ttask_id\tpred_task_id\tproj_id\tpred_proj_id\tpred_type\tlag_hr_cnt\n", func(i int) string {
		if i%41 == 1 {
			return ""
		}
		return fmt.Sprintf("%d\t%d\t%d\t1\t1\tPR_FS\t%d", i, i, i-1, 4*(i%3))
	}, 2, n+1)
	table("%T\tTASKRSRC\n%F\ttaskrsrc_id\ttask_id\tproj_id\trsrc_id\ttarget_qty\tremain_qty\tguid\n", func(i int) string {
		if i%3 > 0 {
			return ""
		}
		return fmt.Sprintf("%d\t%d\t1\t%d\t%d\t%d\ta%d", i, i, 1+i%crews, 5+i, 5+i, i)
	}, 1, n+1)
	table("%T\tTASKACTV\n%F\ttask_id\tactv_code_type_id\tactv_code_id\tproj_id\n", func(i int) string {
		return fmt.Sprintf("%d\t1\t%d\t1", i, 1+i%8)
	}, 1, n+1)
	table("%T\tUDFVALUE\n%F\tudf_type_id\tfk_id\tproj_id\tudf_text\n", func(i int) string {
		return fmt.Sprintf("1\t%d\t1\tFrau Nr. %d", i, i)
	}, 1, n+1)
	b.WriteString("%E\n")
	return b.Bytes()
}
