package closure_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// recorded is a request of the recorded conversations of package httpapi.
type recorded struct {
	header http.Header
	body   string
}

var title = regexp.MustCompile(`(?m)^-- (.*) --$`)

// conversations are the recorded requests with a body, by operation.
var conversations = sync.OnceValue(func() map[string][]recorded {
	c, out := theContract(), make(map[string][]recorded)
	var files []string
	err := filepath.WalkDir("../../httpapi/internal/conversations", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".txtar") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		panic(err)
	}
	slices.Sort(files)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		titles := title.FindAllStringSubmatchIndex(string(raw), -1)
		for i, at := range titles {
			end := len(raw)
			if i+1 < len(titles) {
				end = titles[i+1][0]
			}
			if name := string(raw[at[2]:at[3]]); name != "answer" {
				c.record(out, strings.TrimSpace(string(raw[at[1]:end])))
			}
		}
	}
	return out
})

func (c *contract) record(out map[string][]recorded, text string) {
	head, body, _ := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	for strings.HasPrefix(lines[0], "covers: ") {
		lines = lines[1:]
	}
	if strings.HasPrefix(lines[0], "as ") {
		lines = lines[1:]
	}
	method, target, ok := strings.Cut(lines[0], " ")
	path, _, _ := strings.Cut(target, "?")
	op, _ := c.find(method, strings.TrimSuffix(path, "/"))
	if !ok || op == nil || body == "" || strings.Contains(text, "{{") {
		return
	}
	header := make(http.Header)
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if !strings.HasPrefix(name, "If-") {
			header.Add(name, value)
		}
	}
	out[op.name] = append(out[op.name], recorded{header, body})
}
