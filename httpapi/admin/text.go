package admin

import (
	"math"
	"strconv"
	"strings"
)

// textType is the media type of the text format of Prometheus.
const textType = "text/plain; version=0.0.4; charset=utf-8"

// prefix is what the names of all metrics of the platform begin with.
const prefix = "twinplatform_"

// text is metrics in the text format of Prometheus, version 0.0.4.
type text struct{ b []byte }

// label is a name and a value.
type label struct{ name, value string }

// family begins a metric: its type is counter, gauge, histogram or summary.
func (t *text) family(name, kind, help string) {
	t.b = append(t.b, "# HELP "+name+" "+help+"\n# TYPE "+name+" "+kind+"\n"...)
}

// escaped is a label's value as it is written.
var escaped = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// sample writes a value of a metric.
func (t *text) sample(name string, v float64, labels ...label) {
	t.b = append(t.b, name...)
	for i, l := range labels {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		t.b = append(append(t.b, sep), l.name+`="`+escaped.Replace(l.value)+`"`...)
	}
	if len(labels) > 0 {
		t.b = append(t.b, '}')
	}
	t.b = append(append(t.b, ' '), number(v)+"\n"...)
}

// one writes a metric that has one value.
func (t *text) one(name, kind, help string, v float64) {
	t.family(name, kind, help)
	t.sample(name, v)
}

func number(v float64) string {
	if math.IsInf(v, 1) {
		return "+Inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// truth is 1 for what is so, and 0 for what is not.
func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
