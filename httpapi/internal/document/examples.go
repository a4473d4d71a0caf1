package document

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// exemplary are the bodies of operations and values of members of bodies, as conversations
// with the handler have them: a name, a tab and the value in each line. A test keeps them
// in step.
//
//go:embed examples.txt
var exemplary string

// examples returns the example of a member, or of the body of an operation by its id, which is nil
// where there is none.
func examples() func(name string) json.RawMessage {
	values := make(map[string]json.RawMessage)
	for line := range strings.Lines(exemplary) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		values[name] = json.RawMessage(value)
	}
	return func(name string) json.RawMessage { return values[name] }
}

// exemplify gives a member the example of a name. What has its own values or members
// needs none.
func (s *Schemas) exemplify(out map[string]any, name string) {
	if out["type"] == nil || out["enum"] != nil || out["examples"] != nil {
		return
	}
	if value := s.examples(name); value != nil {
		out["examples"] = []any{value}
	}
}
