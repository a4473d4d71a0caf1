package plantest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// Files are the planner files in all folders called testdata below one, by their names. A file
// that cannot be read as one is left out.
func Files(root string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		}
		kind := slices.Contains([]string{".xer", ".xml", ".pmxml"}, strings.ToLower(filepath.Ext(path)))
		if d.IsDir() || !kind || !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "testdata") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := planner.Read(strings.NewReader(string(content))); err == nil {
			files[filepath.Base(path)] = content
		}
		return nil
	})
	return files, err
}
