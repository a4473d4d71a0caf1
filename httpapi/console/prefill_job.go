package console

import (
	"encoding/json"
	"net/url"
)

// realityDataPath is where the reality data are.
const realityDataPath = "/reality-management/reality-data"

// job is the example of a job with reality data that are there, of their twin and as the type
// that they are of.
func (f *prefill) job() string {
	var example map[string]any
	if json.Unmarshal([]byte(f.of.example), &example) != nil {
		return f.of.example
	}
	for twin, ids := range f.lists(realityDataPath) {
		if len(ids) == 0 {
			continue
		}
		var answer struct {
			RealityData struct{ Type string } `json:"realityData"`
		}
		if _, err := f.get(realityDataPath+"/"+url.PathEscape(ids[0]), &answer); err != nil {
			continue
		}
		example["twinId"], example["inputs"] = twin, []any{map[string]string{"id": ids[0]}}
		if example["outputs"] != nil {
			example["outputs"] = []string{answer.RealityData.Type}
		}
		b, err := json.Marshal(example)
		if err != nil {
			return f.of.example
		}
		f.own[twin] = true
		return string(b)
	}
	f.missing = append(f.missing, "inputs")
	return f.of.example
}
