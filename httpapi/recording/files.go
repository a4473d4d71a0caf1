package recording

import (
	"fmt"
	"path/filepath"
	"slices"
)

// What a recorded folder has.
const (
	SeedFile       = "seed.json"       // the world as it was before, for -seed
	CallersFile    = "callers.json"    // who called, for -tokens: the tokens are the names in the conversations
	VocabularyFile = "vocabulary.json" // the names that the deployment uses, for -vocabulary
	NotesFile      = "recording.json"  // what was recorded and what was left out
	folder         = "conversations"
)

// Conversations are the files of a recorded folder, in the order in which they were held.
func Conversations(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("%s has no conversations", filepath.Join(dir, folder))
	}
	slices.Sort(files)
	return files, nil
}
