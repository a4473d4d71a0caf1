package console

import "fmt"

// nearlyFull is the share of a budget from which on it is shown as a warning, which is also
// the one from which the platform logs it.
const nearlyFull = 0.8

// roomView is how much of a budget of bytes is used. Tone is the class of its state.
type roomView struct {
	Name, Used, Allowed, State, Tone string
	Plain                            bool // there is no budget to be full
}

// rooms are the budgets that the viewer may know of.
func (r *request) rooms() (all []roomView) {
	if r.console.cfg.Room == nil {
		return nil
	}
	for _, m := range r.console.cfg.Room(r.who.principal, r.operator()) {
		v := roomView{m.Name, bytesText(m.Used), bytesText(m.Allowed), "room left", "good", m.Allowed == 0}
		switch share := float64(m.Used) / float64(max(m.Allowed, 1)); {
		case m.Allowed == 0:
			v.Allowed, v.State, v.Tone = "any number", "no budget", ""
		case share >= 1:
			v.State, v.Tone = "full: deletions make room", "bad"
		case share > nearlyFull:
			v.State, v.Tone = fmt.Sprintf("%.0f %% used", 100*share), "warn"
		}
		all = append(all, v)
	}
	return all
}

// bytesText is a number of bytes as people read it.
func bytesText(n int64) string {
	const unit = 1 << 10
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	value, at := float64(n)/unit, 0
	for ; value >= unit && at < 4; at++ {
		value /= unit
	}
	return fmt.Sprintf("%.1f %ciB", value, "KMGTP"[at])
}
