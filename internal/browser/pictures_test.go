package browser_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

// maxPicture is how large a picture of the documentation may be, in bytes.
const maxPicture = 150_000

func TestPicturesAreThoseThatTheDocumentationShows(t *testing.T) {
	t.Parallel()
	var made, files, shown []string
	for _, p := range browser.Pictures {
		made = append(made, p.Name)
	}
	slices.Sort(made)
	entries, err := os.ReadDir(filepath.Join(root, browser.PicturesFolder))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > maxPicture {
			t.Errorf("%s has %d bytes, want at most %d", e.Name(), info.Size(), maxPicture)
		}
		files = append(files, e.Name())
	}
	page, err := os.ReadFile(filepath.Join(root, browser.PicturesFolder+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\]\(console/([^)]+)\)`).FindAllSubmatch(page, -1) {
		shown = append(shown, string(m[1]))
	}
	slices.Sort(shown)
	if diff := cmp.Diff(made, files); diff != "" {
		t.Errorf("the command makes other pictures than there are (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(made, shown); diff != "" {
		t.Errorf("the page shows other pictures than the command makes (-want +got)\n%s", diff)
	}
}
