package cli

import (
	"fmt"
	"math"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/schedules/compare"
)

// finishMove is why a plan ends at another time, in seconds of working time of its project.
type finishMove struct {
	Move      int64         `json:"move"`
	Causes    []finishCause `json:"causes"`
	Remainder int64         `json:"remainder"`
}

// finishCause is a change that moved the finish By seconds, below zero earlier. LinkID and
// the predecessor are null where a task changed, not a link.
type finishCause struct {
	Reason          string  `json:"reason"`
	ID              string  `json:"id"` // of the task, or of the successor of the link
	Code            string  `json:"code"`
	Name            string  `json:"name"`
	LinkID          *string `json:"linkId"`
	PredecessorID   *string `json:"predecessorId"`
	PredecessorCode *string `json:"predecessor"`
	By              int64   `json:"by"`
}

// describedMove is a move as JSON has it, with an empty list, not null, where nothing moved
// it.
func describedMove(m *compare.FinishMove) finishMove {
	d := finishMove{Move: m.Move, Remainder: m.Remainder, Causes: []finishCause{}}
	for _, c := range m.Causes {
		x := finishCause{Reason: string(c.Reason), ID: c.TaskID, Code: c.Code, Name: c.Name, By: c.By}
		if c.PredecessorID != "" {
			x.LinkID, x.PredecessorID, x.PredecessorCode = &c.LinkID, &c.PredecessorID, &c.PredecessorCode
		}
		d.Causes = append(d.Causes, x)
	}
	return d
}

// moved prints why the finish moved.
func (c *command) moved(m *compare.FinishMove) error {
	if m.Move == 0 {
		return nil
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\non the driving path\twhat\tmoves the finish by")
	for _, x := range m.Causes {
		what := x.Code + " " + x.Name
		if x.PredecessorID != "" {
			what = x.PredecessorCode + " → " + x.Code
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", what, x.Reason.Words(), inDays(x.By, m.Day))
	}
	if m.Remainder != 0 {
		fmt.Fprintf(w, "\tremainder: another path held the finish\t%s\n", inDays(m.Remainder, m.Day))
	}
	fmt.Fprintf(w, "\tin all\t%s\n", inDays(m.Move, m.Day))
	return w.Flush()
}

// inDays is working time in days, with its sign.
func inDays(seconds, day int64) string {
	n := math.Round(100*float64(seconds)/float64(day)) / 100
	return fmt.Sprintf("%+g d", n)
}
